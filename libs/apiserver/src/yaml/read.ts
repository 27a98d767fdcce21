import { Buffer } from 'node:buffer';
import type { ReadYaml } from './types.js';
import { yamlBytes } from './bytes.js';
import { firstDocument } from './syntax/first-document.js';
import { YamlValues, toJson } from './values.js';

/** A YAML text as Kubernetes reads it; throws YamlSyntaxError. */
export function readYaml(bytes: Uint8Array): ReadYaml {
  const { text, wall } = yamlBytes(bytes);
  const values = new YamlValues();
  const root = firstDocument(text, wall);
  const value = root === undefined ? null : values.valueOf(root);
  return { json: Buffer.from(toJson(value)), duplicates: values.duplicates };
}

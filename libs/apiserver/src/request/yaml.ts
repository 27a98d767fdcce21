import { Buffer } from 'node:buffer';
import type { ReadYaml } from './body.js';
import { yamlBytes } from './yaml-bytes.js';
import { firstDocument } from './yaml-syntax/first-document.js';
import { YamlValues, toJson } from './yaml-values.js';

/** A YAML text as Kubernetes reads it; throws YamlSyntaxError. */
export function readYaml(bytes: Uint8Array): ReadYaml {
  const { text, wall } = yamlBytes(bytes);
  const values = new YamlValues();
  const root = firstDocument(text, wall);
  const value = root === undefined ? null : values.valueOf(root);
  return { json: Buffer.from(toJson(value)), duplicates: values.duplicates };
}

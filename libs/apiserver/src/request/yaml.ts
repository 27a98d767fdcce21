import { Buffer } from 'node:buffer';
import type { ReadYaml } from './body.js';
import { yamlBytes } from './yaml-bytes.js';
import { YamlSyntaxError } from './yaml-errors.js';
import { firstDocument } from './yaml-syntax/first-document.js';
import { YamlValues, toJson } from './yaml-values.js';

/** A YAML text as Kubernetes reads it; throws YamlSyntaxError. */
export function readYaml(bytes: Uint8Array): ReadYaml {
  const { text, wall } = yamlBytes(bytes);
  const values = new YamlValues();
  const root = firstDocument(text, wall);
  try {
    const value = root === undefined ? null : values.valueOf(root);
    return { json: Buffer.from(toJson(value)), duplicates: values.duplicates };
  } catch (cause) {
    // Values are made by recursion: what is nearly too deep for the text is too deep for them.
    if (cause instanceof RangeError) throw new YamlSyntaxError('yaml: exceeded max depth of 10000', { cause });
    throw cause;
  }
}

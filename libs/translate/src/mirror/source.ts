import type { JsonObject } from '@capstan/meta';
import type { YamlDocument } from '@capstan/meta/yaml';
import { YamlError, readYaml } from '@capstan/meta/yaml';
import { MirrorError } from './errors.js';

/** An object of a file, and where it stands in it. */
export interface SourceObject {
  readonly object: unknown;
  /** `crds.yaml, document 2, line 14`. */
  readonly where: string;
}

/** How a text is read. */
export interface ReadObjectsOptions {
  /** Lists are given as they are, and not taken apart. */
  readonly wholeLists?: boolean;
}

/** The objects of a text: documents of YAML or JSON, lists taken apart. Throws a MirrorError that names the line. */
export function readObjects(text: string, file: string, options: ReadObjectsOptions = {}): SourceObject[] {
  return documentsOf(text, file).flatMap(({ line, number, value }) => {
    const where = `${file}, document ${number}, line ${line}`;
    const object = unshared(value);
    if (options.wholeLists === true) return object === null ? [] : [{ object, where }];
    return objectsOf(object, where);
  });
}

function documentsOf(text: string, file: string): YamlDocument[] {
  try {
    return readYaml(text, { isManifest: true });
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw new MirrorError('BROKEN', `${file}, document ${error.document}, line ${error.line}: ${error.reason}`);
  }
}

/** Empty documents stand between separators; lists are what servers print. */
function objectsOf(value: unknown, where: string): SourceObject[] {
  if (value === null || value === undefined) return [];
  const { items, kind } = value as JsonObject;
  if (typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items))
    return items.map((object: unknown, index) => ({ object, where: `${where}, item ${index + 1}` }));
  return [{ object: value, where }];
}

/** A copy in which nothing stands twice, whatever aliases the text has. */
function unshared(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unshared);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, below]) => [key, unshared(below)]));
}

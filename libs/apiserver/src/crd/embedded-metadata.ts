/** The metadata of resources embedded in a custom resource, which the server reads as it reads that of the whole. */
import { canonicalJson, fieldErrorMessage, indexField, invalid, joinField, parseJson } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import { schemaFeature } from '@capstan/schema';
import type { SchemaNode } from '@capstan/schema';
import { TypedDecodeError, decodeMeta } from '../codec/index.js';
import { LEAF_TEXTS } from '../codec/index.js';

const CONTEXT = { texts: LEAF_TEXTS };

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What becomes of metadata that cannot be read: it is refused, or stays for validation to complain of. */
type Unreadable = 'refused' | 'kept';

/** In place; gives the unknown fields it removes. */
export function readEmbeddedMetadata(value: unknown, node: SchemaNode, unreadable: Unreadable): string[] {
  const reader = new EmbeddedReader(unreadable);
  reader.read(value, node, '');
  return reader.unknown;
}

/** What keeps the metadata of an embedded resource from being read; undefined where nothing does. */
export function embeddedMetadataProblem(metadata: JsonObject): string | undefined {
  try {
    decodeMeta(asGoReads(metadata), CONTEXT);
    return undefined;
  } catch (error) {
    if (error instanceof TypedDecodeError) return error.message;
    throw error;
  }
}

/** The real server has the metadata as a map by then, of whose text it reads the type. */
function asGoReads(metadata: unknown): unknown {
  return parseJson(canonicalJson(metadata)).value;
}

class EmbeddedReader {
  readonly unknown: string[] = [];
  readonly #unreadable: Unreadable;

  constructor(unreadable: Unreadable) {
    this.#unreadable = unreadable;
  }

  read(value: unknown, node: SchemaNode | undefined, path: string): void {
    if (node === undefined || (node.features & schemaFeature.embedded) === 0) return;
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) this.read(item, node.items, indexField(path, index));
      return;
    }
    if (!isObject(value)) return;
    if (node.embeddedResource) this.#readOne(value, path);
    this.#readMembers(value, node, path);
  }

  #readMembers(value: JsonObject, node: SchemaNode, path: string): void {
    const values = typeof node.additionalProperties === 'object' ? node.additionalProperties : undefined;
    for (const name of Object.keys(value)) {
      if (node.embeddedResource && name === 'metadata') continue;
      this.read(value[name], node.properties?.get(name) ?? values, joinField(path, name));
    }
  }

  #readOne(resource: JsonObject, path: string): void {
    try {
      readOne(resource, path, this.unknown);
    } catch (error) {
      if (this.#unreadable === 'refused' || !(error instanceof TypedDecodeError)) throw error;
    }
  }
}

function readOne(resource: JsonObject, path: string, unknown: string[]): void {
  for (const name of ['apiVersion', 'kind']) {
    const value = resource[name];
    if (value !== undefined && typeof value !== 'string')
      throw refusal(joinField(path, name), value, 'must be a string');
  }
  const { metadata } = resource;
  if (metadata === undefined) return;
  const at = joinField(path, 'metadata');
  try {
    const { value, unknownFields } = decodeMeta(metadata, CONTEXT);
    resource['metadata'] = Object.fromEntries(
      Object.entries(value).filter(([, each]) => each !== null && each !== undefined),
    );
    for (const field of unknownFields) unknown.push(joinField(path, field));
  } catch (error) {
    if (!(error instanceof TypedDecodeError)) throw error;
    throw refusal(
      at,
      metadata,
      isObject(metadata) ? (embeddedMetadataProblem(metadata) ?? error.message) : error.message,
    );
  }
}

function refusal(path: string, value: unknown, reason: string): TypedDecodeError {
  return new TypedDecodeError(fieldErrorMessage(invalid(path, value, reason)));
}

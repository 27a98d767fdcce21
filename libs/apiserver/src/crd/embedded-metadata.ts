/** The metadata of resources embedded in a custom resource, which the server reads as it reads that of the whole. */
import { canonicalJson, fieldErrorMessage, indexField, invalid, joinField } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import { schemaFeature } from '@capstan/schema';
import type { SchemaNode } from '@capstan/schema';
import { TypedDecodeError, decodeMeta } from '../codec/index.js';
import { LEAF_TEXTS } from '../request/leaf-texts.js';

const CONTEXT = { texts: LEAF_TEXTS };

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** In place; adds the unknown fields it removes. */
export function readEmbeddedMetadata(
  value: unknown,
  node: SchemaNode | undefined,
  path: string,
  unknown: string[],
): void {
  if (node === undefined || (node.features & schemaFeature.embedded) === 0) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      readEmbeddedMetadata(item, node.items, indexField(path, index), unknown);
    return;
  }
  if (!isObject(value)) return;
  if (node.embeddedResource) readOne(value, path, unknown);
  readMembers(value, node, path, unknown);
}

function readMembers(value: JsonObject, node: SchemaNode, path: string, unknown: string[]): void {
  const values = typeof node.additionalProperties === 'object' ? node.additionalProperties : undefined;
  for (const name of Object.keys(value)) {
    if (node.embeddedResource && name === 'metadata') continue;
    readEmbeddedMetadata(value[name], node.properties?.get(name) ?? values, joinField(path, name), unknown);
  }
}

function readOne(resource: JsonObject, path: string, unknown: string[]): void {
  for (const name of ['apiVersion', 'kind']) {
    const value = resource[name];
    if (value !== undefined && typeof value !== 'string')
      throw refusal(joinField(path, name), value, 'must be a string');
  }
  const { metadata } = resource;
  if (metadata === undefined || metadata === null) return;
  const at = joinField(path, 'metadata');
  try {
    const { value, unknownFields } = decodeMeta(metadata, CONTEXT);
    resource['metadata'] = Object.fromEntries(
      Object.entries(value).filter(([, each]) => each !== null && each !== undefined),
    );
    for (const field of unknownFields) unknown.push(joinField(path, field));
  } catch (error) {
    if (error instanceof TypedDecodeError) throw refusal(at, metadata, error.message);
    throw error;
  }
}

function refusal(path: string, value: unknown, reason: string): TypedDecodeError {
  const shown: unknown = isObject(value) ? JSON.parse(canonicalJson(value)) : value;
  return new TypedDecodeError(fieldErrorMessage(invalid(path, shown, reason)));
}

/** The metadata of embedded resources, which the server reads as it reads that of whole objects. */
import { type FieldError, type JsonObject, invalid } from '@capstan/meta';
import { type SchemaNode, StructuralSchema, schemaFeature } from '@capstan/schema';
import { restOf } from '../drafts/any.js';
import { metadataMembers } from '../drafts/resource-members.js';

const objectMeta = new StructuralSchema({ type: 'object', properties: metadataMembers });

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Removes, in place, what is unknown or null; complains of values of the wrong type. */
function readOne(resource: JsonObject): readonly FieldError[] {
  const errors = ['apiVersion', 'kind']
    .filter((name) => resource[name] !== undefined && typeof resource[name] !== 'string')
    .map((name) => invalid(name, resource[name], 'must be a string'));
  const { metadata } = resource;
  if (metadata === undefined || metadata === null) return errors;
  if (!isObject(metadata)) return [...errors, invalid('metadata', metadata, 'must be an object')];
  objectMeta.prune(metadata);
  objectMeta.dropInvalidNulls(metadata);
  return [...errors, ...objectMeta.validateSchema(metadata)];
}

/** Reads all resources in a value, in place; what cannot be read is refused. */
export function readEmbedded(node: SchemaNode | undefined, value: unknown): readonly FieldError[] {
  if (node === undefined || (node.features & schemaFeature.embedded) === 0) return [];
  if (Array.isArray(value)) return value.flatMap((item) => readEmbedded(node.items, item));
  if (!isObject(value)) return [];
  const own = node.embeddedResource ? readOne(value) : [];
  const members = Object.entries(value).filter(([name]) => !(node.embeddedResource && name === 'metadata'));
  return [
    ...own,
    ...members.flatMap(([name, inner]) => readEmbedded(node.properties?.get(name) ?? restOf(node), inner)),
  ];
}

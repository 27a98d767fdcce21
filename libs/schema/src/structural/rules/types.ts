/** The CEL type of a value that a schema describes, with the sizes that cost estimates go by. */
import { utf8Length, maxOf } from '@capstan/meta';
import { escapeIdentifier } from '../../cel/types/escape.js';
import {
  type CelType,
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  objectType,
  stringType,
  timestampType,
} from '../../cel/types/types.js';
import { type SchemaNode, valueSchemaOf } from '../schema/schema-node.js';

/** No value can be larger than the largest request. */
export const maxRequestSize = 3 * 1024 * 1024;

/** The sizes of the shortest JSON of some types. */
const minSizes: Readonly<Record<string, number>> = {
  string: 2,
  boolean: 4,
  number: 1,
  integer: 1,
  array: 2,
  object: 2,
};
const minFormatSizes: Readonly<Record<string, number>> = { duration: 3, date: 12, 'date-time': 21 };
const maxFormatSizes: Readonly<Record<string, number>> = { duration: 32, date: 12, 'date-time': 32 };

function atLeastZero(value: number): number {
  return Math.max(0, value);
}

/** Whether rules can see a value: it must have a type, and so must what a list or a map holds. */
export function isVisible(node: SchemaNode): boolean {
  if (node.intOrString) return true;
  if (node.type === 'array') return node.items !== undefined && isVisible(node.items);
  const values = valueSchemaOf(node);
  if (node.type === 'object' && values !== undefined) return isVisible(values);
  return minSizes[node.type] !== undefined;
}

/** The length of the shortest JSON of a valid value. Defaulted members need not be sent, so they count nothing. */
export function minSerializedSize(node: SchemaNode): number {
  if (node.intOrString) return 1;
  if (node.type === 'string') return minFormatSizes[node.format] ?? 2;
  if (node.type !== 'object' || valueSchemaOf(node) !== undefined) return minSizes[node.type] ?? 0;
  let size = 2;
  for (const name of new Set(node.required)) {
    const member = node.properties?.get(name);
    if (member === undefined || member.default !== undefined || !isVisible(member)) continue;
    size += utf8Length(name) + minSerializedSize(member) + 4;
  }
  return size;
}

function maxTextLength(node: SchemaNode): number {
  // A length is given in code points, of up to four bytes each.
  if (node.maxLength !== undefined) return atLeastZero(node.maxLength) * 4;
  if (node.intOrString || node.enum === undefined) return maxRequestSize - 2;
  return maxOf(
    node.enum.map((item) => (typeof item === 'string' ? utf8Length(item) : 0)),
    0,
  );
}

function textType(node: SchemaNode): CelType {
  const { format, nullable } = node;
  const maxElements = maxFormatSizes[format] ?? maxRequestSize - 2;
  switch (format) {
    case 'byte': {
      const limit = node.maxLength === undefined ? maxElements : atLeastZero(node.maxLength);
      return bytesType.withHints({ nullable, maxElements: limit });
    }
    case 'duration':
      return durationType.withHints({ nullable, maxElements });
    case 'date':
      return timestampType.withHints({ nullable, maxElements, format: 'date' });
    case 'date-time':
      return timestampType.withHints({ nullable, maxElements });
    default:
      return stringType.withHints({ nullable, maxElements: maxTextLength(node) });
  }
}

function listHint(node: SchemaNode): { listType?: 'set' | 'map'; listMapKeys?: readonly string[] } {
  if (node.listType === 'set') return { listType: 'set' };
  return node.listType === 'map' ? { listType: 'map', listMapKeys: node.listMapKeys } : {};
}

function arrayType(node: SchemaNode, items: SchemaNode, name: string): CelType {
  const maxElements =
    node.maxItems === undefined
      ? Math.floor((maxRequestSize - 2) / (minSerializedSize(items) + 1))
      : atLeastZero(node.maxItems);
  const element = declareType(items, items.embeddedResource, `${name}.@idx`);
  return listType(element, { nullable: node.nullable, maxElements, ...listHint(node) });
}

function valuesType(node: SchemaNode, values: SchemaNode, name: string): CelType {
  const maxElements =
    node.maxProperties === undefined
      ? Math.floor((maxRequestSize - 2) / (minSerializedSize(values) + 6))
      : atLeastZero(node.maxProperties);
  const element = declareType(values, values.embeddedResource, `${name}.@elem`);
  return mapType(stringType, element, { nullable: node.nullable, maxElements });
}

const metaNames: ReadonlyMap<string, CelType> = new Map([
  ['name', stringType.withHints({ maxElements: maxRequestSize - 2 })],
  ['generateName', stringType.withHints({ maxElements: maxRequestSize - 2 })],
]);

/** Whether the schema declares all that rules at the root of a resource can always see. */
function declaresMeta(node: SchemaNode): boolean {
  const metadata = node.properties?.get('metadata');
  const texts = [
    node.properties?.get('kind'),
    node.properties?.get('apiVersion'),
    metadata?.properties?.get('name'),
    metadata?.properties?.get('generateName'),
  ];
  return metadata?.type === 'object' && texts.every((member) => member?.type === 'string');
}

function fieldsOf(node: SchemaNode, resource: boolean, name: string): ReadonlyMap<string, CelType> {
  const fields = new Map<string, CelType>();
  for (const [property, member] of node.properties ?? []) {
    if (!isVisible(member)) continue;
    const identifier = escapeIdentifier(property) ?? property;
    fields.set(property, declareType(member, member.embeddedResource, `${name}.${identifier}`));
  }
  if (resource && !declaresMeta(node)) {
    const text = stringType.withHints({ maxElements: maxRequestSize - 2 });
    fields.set('kind', text);
    fields.set('apiVersion', text);
    fields.set('metadata', objectType(`${name}.metadata`, metaNames));
  }
  return fields;
}

/**
 * The type of a visible node. Fields are declared when first asked for, because most of a large schema never is. At
 * the root of a resource the type fields and the names are always there.
 */
export function declareType(node: SchemaNode, resource: boolean, name = 'selfType'): CelType {
  const { nullable } = node;
  if (node.intOrString) return dynType.withHints({ nullable, intOrString: true, maxElements: maxTextLength(node) });
  switch (node.type) {
    case 'array':
      return node.items === undefined ? dynType : arrayType(node, node.items, name);
    case 'object': {
      const values = valueSchemaOf(node);
      if (values !== undefined) return valuesType(node, values, name);
      return objectType(name, () => fieldsOf(node, resource, name), { nullable });
    }
    case 'string':
      return textType(node);
    case 'boolean':
      return nullable ? boolType.withHints({ nullable }) : boolType;
    case 'number':
      return nullable ? doubleType.withHints({ nullable }) : doubleType;
    case 'integer':
      return nullable ? intType.withHints({ nullable }) : intType;
    default:
      return dynType;
  }
}

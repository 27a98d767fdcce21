/** A schema as the list of its leaves, one a line: `spec.taints[].key string`. */
import { claimPath, isRecord } from './path.js';

/** What a leaf holds. `any` is anything, also a record. */
export type LeafType = 'string' | 'int32' | 'int64' | 'number' | 'bool' | 'time' | 'duration' | 'intOrString' | 'any';

/** One leaf. In its path `[]` stands for the items of a list, `{}` for the values of a map. */
export interface Leaf {
  readonly path: string;
  readonly type: LeafType;
}

/** Leaves as text, each with its type behind a blank. */
export type FieldList = readonly string[];

const leafTypes: ReadonlySet<string> = new Set([
  'string',
  'int32',
  'int64',
  'number',
  'bool',
  'time',
  'duration',
  'intOrString',
  'any',
]);

/** Reads a field list; a line that is none throws. */
export function parseFieldList(fields: FieldList): Leaf[] {
  return fields.map((line) => {
    const blank = line.lastIndexOf(' ');
    const [path, type] = [line.slice(0, Math.max(blank, 0)), line.slice(blank + 1)];
    if (path === '' || !leafTypes.has(type)) throw new RangeError(`no field with a type: ${line}`);
    return { path, type: type as LeafType };
  });
}

function scalarType(schema: Readonly<Record<string, unknown>>): LeafType {
  if (schema['x-kubernetes-int-or-string'] === true) return 'intOrString';
  const format = schema['format'];
  switch (schema['type']) {
    case 'string':
      return format === 'date-time' ? 'time' : format === 'duration' ? 'duration' : 'string';
    case 'integer':
      return format === 'int32' ? 'int32' : 'int64';
    case 'number':
      return 'number';
    case 'boolean':
      return 'bool';
    default:
      return 'any';
  }
}

/** The leaves of a JSON schema as Kubernetes writes them. */
export function fieldsOfSchema(schema: unknown, path = ''): string[] {
  if (!isRecord(schema)) return [`${path} any`];
  const { properties, items, additionalProperties } = schema;
  if (isRecord(properties) && Object.keys(properties).length > 0) {
    return Object.entries(properties).flatMap(([name, inner]) => {
      const own = claimPath([name]);
      return fieldsOfSchema(inner, path === '' ? own : `${path}.${own}`);
    });
  }
  if (isRecord(items)) return fieldsOfSchema(items, `${path}[]`);
  if (isRecord(additionalProperties)) return fieldsOfSchema(additionalProperties, `${path}{}`);
  return [`${path} ${scalarType(schema)}`];
}

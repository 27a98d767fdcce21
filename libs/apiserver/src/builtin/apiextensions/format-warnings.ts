import { goQuote, type JsonObject, type KubeObject } from '@capstan/meta';
import { effectiveFormat } from '@capstan/schema';
import { fields, record, records, text } from '../shared/json.js';

const MINOR = 36;

/** Where schemas are inside a schema: one, a list, a map, by the field. */
const SINGLE = ['not', 'items', 'additionalItems', 'additionalProperties'];
const LISTS = ['allOf', 'anyOf', 'oneOf'];
const MAPS = ['properties', 'patternProperties', 'definitions', 'dependencies'];

function* schemasIn(schema: Readonly<JsonObject>): Generator<Readonly<JsonObject>> {
  yield schema;
  const inside = [
    ...SINGLE.map((name) => schema[name]),
    ...LISTS.flatMap((name) => records(schema[name])),
    ...MAPS.flatMap((name) => Object.values(fields(schema[name]) as JsonObject)),
  ];
  for (const each of inside) {
    const found = record(each);
    if (found) yield* schemasIn(found);
  }
}

function unknownFormats(definition: KubeObject | undefined): string[] {
  const versions = records(fields(definition?.['spec'])['versions']);
  return versions
    .flatMap((version) => [...schemasIn(fields(fields(version['schema'])['openAPIV3Schema']))])
    .filter((each) => effectiveFormat(text(each['type']), text(each['format']), MINOR) !== text(each['format']))
    .map((each) => text(each['format']));
}

/** Warns of formats that mean nothing to the server, unless the CRD had them before. */
export function formatWarnings(definition: KubeObject, old?: KubeObject): string[] {
  const known = new Set(unknownFormats(old));
  const news = unknownFormats(definition).filter((format) => !known.has(format));
  return news.map((format) => `unrecognized format ${goQuote(format)}`);
}

import { isDeepStrictEqual } from 'node:util';
import type { JsonSchema } from '@capstan/api/model';

/** A field of a schema with all of its keywords. */
export interface Field {
  readonly path: string;
  readonly required: boolean;
  readonly facts: Readonly<Record<string, unknown>>;
}

/** The fields of a schema, those of elements under `[]` and those of values under `{}`. */
export function fieldsOf(schema: JsonSchema): Map<string, Field> {
  const fields = new Map<string, Field>();
  const visit = (each: JsonSchema, path: string, required: boolean): void => {
    const { properties, items, additionalProperties, required: needed = [], description: _words, ...facts } = each;
    fields.set(path, { path, required, facts });
    for (const [key, property] of Object.entries(properties ?? {}))
      visit(property, `${path}.${key}`, needed.includes(key));
    if (items !== undefined) visit(items, `${path}[]`, true);
    if (additionalProperties !== undefined) visit(additionalProperties, `${path}{}`, true);
  };
  visit(schema, '', true);
  return fields;
}

/** In sentences: what our schema lacks, adds, or has otherwise. */
export function differences(ours: JsonSchema, theirs: JsonSchema): string[] {
  const mine = fieldsOf(ours);
  const published = fieldsOf(theirs);
  const found: string[] = [];
  for (const { path, required, facts } of published.values()) {
    const own = mine.get(path);
    if (own === undefined) found.push(`${path}: ours lacks it`);
    else found.push(...compareField(path, own, required, facts));
  }
  for (const path of mine.keys()) {
    if (!published.has(path)) found.push(`${path}: only ours has it`);
  }
  return found;
}

function compareField(path: string, own: Field, required: boolean, facts: Field['facts']): string[] {
  const found = own.required === required ? [] : [`${path}: ${required ? 'is' : 'is not'} required by its authors`];
  for (const keyword of new Set([...Object.keys(own.facts), ...Object.keys(facts)])) {
    if (isDeepStrictEqual(own.facts[keyword], facts[keyword])) continue;
    found.push(`${path}: ${keyword} is ${valueText(own.facts[keyword])}, upstream has ${valueText(facts[keyword])}`);
  }
  return found;
}

function valueText(value: unknown): string {
  return value === undefined ? 'not set' : JSON.stringify(value);
}

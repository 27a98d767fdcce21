/** Where a value that is stored differs from the one that is wanted, as the server that stored it sees them. */
import type { JsonSchema } from '@capstan/api/model';
import { deepEqual } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import type { Step } from '../../engine/path.js';
import { formatStep, isRecord, namesOf } from '../../engine/path.js';

/** A field of an object with another value than it should have. */
export interface Difference {
  /** As messages show it: `spec.taints[0].key`. */
  readonly path: string;
  /** The same, name by name; an item of a list by its index. */
  readonly names: readonly string[];
  /** As claims write it, from the object down: `spec.taints[].key`. */
  readonly claim: string;
  /** `undefined` where the field should not be there. */
  readonly desired: unknown;
  /** `undefined` where the field is not there. */
  readonly existing: unknown;
}

/** A place in both values. */
interface Place {
  readonly at: Step | undefined;
  readonly schema: JsonSchema | undefined;
}

type Report = (at: Step | undefined, desired: unknown, existing: unknown) => void;

/** Nulls and empty lists are absent, and what is absent is its default. */
function stored(value: unknown, schema: JsonSchema | undefined): unknown {
  if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) {
    const preset: unknown = schema?.default;
    return Array.isArray(preset) && preset.length === 0 ? undefined : (preset ?? undefined);
  }
  return value;
}

function schemaOf(schema: JsonSchema | undefined, name: string): JsonSchema | undefined {
  const inner = schema?.properties?.[name] ?? schema?.additionalProperties;
  return typeof inner === 'object' ? inner : undefined;
}

function compareRecords(desired: JsonObject, existing: JsonObject, { at, schema }: Place, report: Report): void {
  const step = (name: string): Place => ({ at: { before: at, kind: 'field', name }, schema: schemaOf(schema, name) });
  for (const name of Object.keys(desired)) compare(desired[name], existing[name], step(name), report);
  for (const name of Object.keys(existing))
    if (!Object.hasOwn(desired, name)) compare(undefined, existing[name], step(name), report);
}

function compareLists(
  desired: readonly unknown[],
  existing: readonly unknown[],
  { at, schema }: Place,
  report: Report,
): void {
  const items = typeof schema?.items === 'object' ? (schema.items as JsonSchema) : undefined;
  desired.forEach((item, index) =>
    compare(item, existing[index], { at: { before: at, kind: 'index', name: String(index) }, schema: items }, report),
  );
}

function compare(wanted: unknown, found: unknown, place: Place, report: Report): void {
  if (wanted === found) return;
  const { at, schema } = place;
  const [desired, existing] = [stored(wanted, schema), stored(found, schema)];
  if (desired === existing) return;
  if (isRecord(desired) && isRecord(existing)) compareRecords(desired, existing, place, report);
  else if (Array.isArray(desired) && Array.isArray(existing) && desired.length === existing.length)
    compareLists(desired, existing, place, report);
  else if (!deepEqual(desired, existing)) report(at, desired, existing);
}

/** A path as claims write it: items of a list by brackets. */
function claimOf(at: Step | undefined): string {
  const steps: Step[] = [];
  for (let step = at; step !== undefined; step = step.before) steps.unshift(step);
  let text = '';
  for (const { kind, name } of steps) text += kind === 'index' ? '[]' : `${text === '' ? '' : '.'}${name}`;
  return text;
}

/**
 * Every field in which two values differ, the outermost of those that are on one side only. With a schema a field that is
 * absent has its default. Empty lists and nulls are absent; an empty record is a value.
 */
export function differencesOf(desired: unknown, existing: unknown, schema?: JsonSchema): Difference[] {
  const found: Difference[] = [];
  compare(desired, existing, { at: undefined, schema }, (at, wanted, is) =>
    found.push({ path: formatStep(at), names: namesOf(at), claim: claimOf(at), desired: wanted, existing: is }),
  );
  return found;
}

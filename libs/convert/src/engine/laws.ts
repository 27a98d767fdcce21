/** What every two-way map must hold, as a check of one object: for property tests, and for tools that verify. */
import { canonicalJson, cloneJson, deepEqual, deepFreeze } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import type { Codec } from './codec.js';
import { move } from './field-rules.js';
import { getAt, isRecord } from './path.js';
import type { Issue, Side } from './rule.js';
import { otherSide } from './rule.js';
import { TwoWayMap } from './two-way-map.js';

/** Without nulls, empty records and empty lists: these mean the same as absent. */
function pruned(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map((item) => pruned(item) ?? null);
  if (!isRecord(value)) return value ?? undefined;
  const entries = Object.entries(value)
    .map(([name, inner]) => [name, pruned(inner)] as const)
    .filter(([, inner]) => inner !== undefined);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** Without nulls and empty lists. An empty record counts, as a map may give it a meaning. */
export function withoutAbsent(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutAbsent(item) ?? null);
  if (!isRecord(value)) return value ?? undefined;
  const isThere = ([, inner]: [string, unknown]): boolean =>
    inner !== undefined && inner !== null && !(Array.isArray(inner) && inner.length === 0);
  const entries = Object.entries(value).filter(isThere);
  return Object.fromEntries(entries.map(([name, inner]) => [name, withoutAbsent(inner)]));
}

function without(value: JsonObject, names: readonly string[]): void {
  let current: unknown = value;
  for (const name of names.slice(0, -1)) current = (current as JsonObject | undefined)?.[name];
  if (typeof current === 'object' && current !== null) delete (current as JsonObject)[names.at(-1) as string];
}

/** A copy in which only what must come back is left. */
function comparable(value: JsonObject, warned: readonly Issue[]): JsonObject {
  const copy = cloneJson(value) as JsonObject;
  for (const issue of warned) without(copy, issue.names);
  return copy;
}

/** The paths of the leaves of a value; a list of scalars is one leaf, and so is an empty record. */
function leavesOf(value: unknown, names: readonly string[] = []): (readonly string[])[] {
  const isInner = (isRecord(value) && Object.keys(value).length > 0) || (Array.isArray(value) && value.some(isRecord));
  if (!isInner) return names.length === 0 ? [] : [names];
  return Object.entries(value as JsonObject).flatMap(([name, inner]) => leavesOf(inner, [...names, name]));
}

/** The paths of records that are empty. */
function emptyRecordsOf(value: unknown): (readonly string[])[] {
  return leavesOf(value).filter((names) => isRecord(getAt(value, names)));
}

/** Whether an issue names the field, or a record that it is in. */
function isReported(names: readonly string[], issues: readonly Issue[]): boolean {
  return issues.some((issue) => issue.names.every((name, at) => names[at] === name));
}

function lossViolations<C>(map: TwoWayMap<C>, side: Side, value: JsonObject, context: C): string[] {
  const converted = map.convert(side, value, context);
  const issues = [...converted.errors, ...converted.warnings];
  const outcome = canonicalJson(converted);
  const normal = map.normalise(side, value, context);
  return leavesOf(value).flatMap((names) => {
    if (isReported(names, issues)) return [];
    const less = cloneJson(value) as JsonObject;
    without(less, names);
    if (deepEqual(withoutAbsent(map.normalise(side, less, context)), withoutAbsent(normal))) return [];
    const isLost = canonicalJson(map.convert(side, less, context)) === outcome;
    return isLost ? [`${names.join('.')} is lost without an error or a warning`] : [];
  });
}

/** Without what means the same as absent: nulls, empty records, empty lists. */
export function withoutEmpty(value: unknown): unknown {
  return pruned(value);
}

/** What is wrong with an object that goes there and back: it must come back in its normal form, save what a warning named. */
export function roundTripViolations<C>(map: TwoWayMap<C>, side: Side, source: JsonObject, context: C): string[] {
  const value = deepFreeze(cloneJson(source)) as JsonObject;
  const there = map.convert(side, value, context);
  if (there.errors.length > 0) return [];
  const back = map.convert(otherSide(side), deepFreeze(cloneJson(there.value)) as JsonObject, context);
  const found = back.errors.map((issue) => `on the way back ${issue.path}: ${issue.message}`);
  const normal = map.normalise(side, value, context);
  const expected = comparable(normal, there.warnings);
  const actual = comparable(map.withoutPreserved(side, back.value), there.warnings);
  for (const path of emptyRecordsOf(normal))
    if (getAt(actual, path) === undefined && !isReported(path, there.warnings))
      found.push(`${path.join('.')}: {} does not come back`);
  if (!deepEqual(pruned(expected), pruned(actual))) {
    const [is, wanted] = [actual, expected].map((each) => canonicalJson(pruned(each) ?? null));
    found.push(`comes back as ${is}, not as ${wanted}`);
  }
  return found;
}

/**
 * What the laws find wrong with a map at one object: there and back gives the object in its normal form, save what a
 * warning named; and every leaf can be seen in what comes out, be it value, error or warning.
 */
export function lawViolations<C>(map: TwoWayMap<C>, side: Side, source: JsonObject, context: C): string[] {
  const value = deepFreeze(cloneJson(source)) as JsonObject;
  return [...lossViolations(map, side, value, context), ...roundTripViolations(map, side, value, context)];
}

/** The same laws for one codec, at values of either side. */
export function codecViolations<C>(
  codec: Codec<C>,
  values: Readonly<Record<Side, readonly unknown[]>>,
  context: C,
): string[] {
  const rules = [move<C>('metadata', 'metadata'), move('value', 'value', codec)];
  const [side] = codec.keeps ?? [];
  const preserve = side === undefined ? {} : { preserve: { side, annotation: 'kept', content: 'sparse' } as const };
  const map = new TwoWayMap<C>({ rules, ...preserve });
  const check = (each: Side): string[] =>
    values[each].flatMap((value) => lawViolations(map, each, { value }, context).map((text) => `${each}: ${text}`));
  return [...check('left'), ...check('right')];
}

/** Values, numbers and texts of two nodes. */
import { canonicalJson, deepEqual, pushAll } from '@capstan/meta';
import { type SchemaNode, StructuralSchema } from '@capstan/schema';
import { severityOf } from '../catalogue.js';
import { compareFormats } from './formats.js';
import { compareBound } from './limits.js';
import type { Pair, SchemaComparison } from './schemas.js';
import { type Draft, type Trial, shownPath } from '../drafts/site.js';
import { compareTexts } from './texts.js';

/** Every value a node takes, where they can be listed. An enumeration takes no null, not even one it lists. */
export function valuesOf(node: SchemaNode): readonly unknown[] | undefined {
  if (node.enum !== undefined) return node.enum.filter((value) => value !== null);
  if (node.type !== 'boolean') return undefined;
  return node.nullable ? [true, false, null] : [true, false];
}

function accepts(node: SchemaNode, minor: number): (value: unknown) => boolean {
  const schema = new StructuralSchema(node.raw, { minor });
  return (value) => schema.validateSchema(value).length === 0;
}

function enumTrials(values: readonly unknown[]): readonly Trial[] {
  return values.map((value) => ({ kind: 'value', value }));
}

function includes(values: readonly unknown[], value: unknown): boolean {
  return values.some((other) => deepEqual(other, value));
}

/** Values that no reader of the requirement expects and no writer of it relies on. */
function compareEnums({ required, live, place }: Pair): readonly Draft[] {
  const { site } = place;
  const at = shownPath(site);
  const wanted = required.enum;
  const given = live.enum;
  if (wanted === undefined && given === undefined) return [];
  const values = { required: wanted, live: given };
  if (given === undefined) {
    return [{ rule: 'enum-removed', site, message: `${at} may have any value now`, ...values }];
  }
  const listed = valuesOf(required);
  if (listed === undefined) {
    const message = `only some values of ${at} are permitted now`;
    return [{ rule: 'enum-added', site, message, ...values, trials: [{ kind: 'sample' }] }];
  }
  const drafts: Draft[] = [];
  const gone = listed.filter((value) => value === null || !includes(given, value));
  if (gone.length > 0) {
    const rule = wanted === undefined ? 'enum-added' : 'enum-value-removed';
    const message = `${at} may no longer be ${gone.map((value) => canonicalJson(value)).join(', ')}`;
    drafts.push({ rule, site, message, ...values, trials: enumTrials(gone) });
  }
  const added = given.filter((value) => !includes(listed, value));
  if (added.length > 0 && wanted !== undefined) {
    const message = `${at} may be ${added.map((value) => canonicalJson(value)).join(', ')} now`;
    drafts.push({ rule: 'enum-value-added', site, message, ...values });
  }
  return drafts;
}

/** Whether a node that may be null takes null: all but an enumeration let it pass. */
export function takesNull(node: SchemaNode): boolean {
  return node.nullable && new StructuralSchema(node.raw).validateSchema(null).length === 0;
}

/** Whether every multiple of one factor is one of the other, beyond doubt. */
function divides(given: number, wanted: number | undefined): boolean {
  if (wanted === undefined) return false;
  if (given === wanted) return true;
  return Number.isSafeInteger(given) && Number.isSafeInteger(wanted) && given > 0 && wanted % given === 0;
}

function compareMultiples({ required, live, place }: Pair): readonly Draft[] {
  const { multipleOf: wanted } = required;
  const { multipleOf: given } = live;
  // Every integer is a multiple of one.
  const least = required.type === 'integer' ? 1 : undefined;
  if ((wanted ?? least) === (given ?? least)) return [];
  const { site } = place;
  const message = `multipleOf of ${shownPath(site)} is ${given ?? 'not set'} and was ${wanted ?? 'not set'}`;
  const about = { site, message, required: wanted, live: given };
  if (given === undefined || divides(given, wanted ?? least)) return [{ rule: 'multiple-of-loosened', ...about }];
  const step = wanted ?? 1;
  const trials = [step, 2 * step, 3 * step, step / 2, given + step].map((value): Trial => ({ kind: 'value', value }));
  return [{ rule: 'multiple-of-tightened', ...about, trials }];
}

/** Errors that no listed value of the requirement runs into are none. */
function withoutVacuous(drafts: readonly Draft[], { required, live }: Pair, minor: number): readonly Draft[] {
  const listed = valuesOf(required);
  if (listed === undefined || !drafts.some(({ rule }) => severityOf(rule) === 'error')) return drafts;
  const good = listed.filter(accepts(required, minor));
  const bad = good.filter((value) => !accepts(live, minor)(value));
  const trials = enumTrials(bad);
  return drafts.flatMap((draft) => {
    if (severityOf(draft.rule) !== 'error' || draft.rule === 'enum-value-removed') return [draft];
    return bad.length === 0 ? [] : [{ ...draft, trials }];
  });
}

function compareNumbers(pair: Pair, minor: number): readonly Draft[] {
  const bounds = [true, false].map((upper) => compareBound(pair, upper, minor));
  return [...bounds.filter((draft) => draft !== undefined), ...compareMultiples(pair)];
}

/** Compares the keywords about scalar values. */
export function compareScalars(walk: SchemaComparison, pair: Pair): void {
  const { required } = pair;
  if (required.type === 'object' || required.type === 'array') {
    for (const draft of compareEnums(pair)) walk.add(draft);
    return;
  }
  const drafts: Draft[] = [...compareEnums(pair)];
  // A keyword about values of another type has no effect.
  const { type } = required;
  if (type !== 'string' && type !== 'boolean') pushAll(drafts, compareNumbers(pair, walk.minor));
  if (type === 'string' || type === '') pushAll(drafts, compareTexts(pair, walk.minor));
  pushAll(drafts, compareFormats(walk, pair));
  if (drafts.length === 0) return;
  for (const draft of withoutVacuous(drafts, pair, walk.minor)) walk.add(draft);
}

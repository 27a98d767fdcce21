/** Upper and lower limits of two nodes. */
import type { SchemaNode } from '@capstan/schema';
import type { RuleId } from '../catalogue.js';
import type { Pair, Place } from './schemas.js';
import { type Draft, type SampleHint, type Trial, shownPath } from '../drafts/site.js';

type SizeKeyword = 'maxItems' | 'maxLength' | 'maxProperties' | 'minItems' | 'minLength' | 'minProperties';

interface SizeLimit {
  readonly keyword: SizeKeyword;
  readonly upper: boolean;
  readonly tightened: RuleId;
  readonly loosened: RuleId;
  readonly hint: (size: number) => SampleHint;
  /** The limit that other keywords of the node come to. */
  readonly implied?: (node: SchemaNode, place: Place) => number | undefined;
}

/** A struct cannot have more members than it has fields. */
function mostMembers({ additionalProperties, preserveUnknownFields, properties }: SchemaNode): number | undefined {
  if (additionalProperties !== undefined || preserveUnknownFields === true) return undefined;
  return properties?.size ?? 0;
}

/** Members that are always there; excluded ones may have gone. */
function fewestMembers({ defaulted, required }: SchemaNode, { excluded }: Place): number {
  const names = new Set([...required, ...defaulted.map(([name]) => name)]);
  return [...names].filter((name) => excluded?.has(name) !== true).length;
}

const length = (size: number): SampleHint => ({ length: size });
const items = (size: number): SampleHint => ({ items: size });
const members = (size: number): SampleHint => ({ members: size });

/** Limits of texts. */
export const textLimits: readonly SizeLimit[] = [
  {
    keyword: 'maxLength',
    upper: true,
    tightened: 'max-length-tightened',
    loosened: 'max-length-loosened',
    hint: length,
  },
  {
    keyword: 'minLength',
    upper: false,
    tightened: 'min-length-tightened',
    loosened: 'min-length-loosened',
    hint: length,
  },
];

/** Limits of lists. */
export const listLimits: readonly SizeLimit[] = [
  { keyword: 'maxItems', upper: true, tightened: 'max-items-tightened', loosened: 'max-items-loosened', hint: items },
  { keyword: 'minItems', upper: false, tightened: 'min-items-tightened', loosened: 'min-items-loosened', hint: items },
];

/** Limits of objects. */
export const memberLimits: readonly SizeLimit[] = [
  {
    keyword: 'maxProperties',
    upper: true,
    tightened: 'max-properties-tightened',
    loosened: 'max-properties-loosened',
    hint: members,
    implied: mostMembers,
  },
  {
    keyword: 'minProperties',
    upper: false,
    tightened: 'min-properties-tightened',
    loosened: 'min-properties-loosened',
    hint: members,
    implied: fewestMembers,
  },
];

function limitOf(node: SchemaNode, limit: SizeLimit, place?: Place): number {
  const none = limit.upper ? Infinity : 0;
  const own = node[limit.keyword] ?? none;
  // Other keywords count only where a place is given.
  const other = (place === undefined ? undefined : limit.implied?.(node, place)) ?? none;
  return limit.upper ? Math.min(own, other) : Math.max(own, other);
}

function sizeTrials(limit: SizeLimit, wanted: number, given: number): readonly Trial[] {
  const sizes = limit.upper ? [given + 1, wanted] : [given - 1, wanted];
  return sizes.filter(Number.isFinite).map((size) => ({ kind: 'sample', hint: limit.hint(size) }));
}

/** What is found about one limit. `implied`: whether other keywords of the requirement count. */
export function compareSize({ required, live, place }: Pair, limit: SizeLimit, implied: boolean): Draft | undefined {
  const { keyword, upper } = limit;
  const own = { required: required[keyword], live: live[keyword] };
  const given = limitOf(live, limit);
  const wanted = limitOf(required, limit, implied ? place : undefined);
  const { site } = place;
  const message = `${keyword} of ${shownPath(site)}`;
  if (upper ? given < wanted : given > wanted) {
    const changed = `${message} is ${given} and was ${own.required ?? 'not limited'}`;
    return { rule: limit.tightened, site, message: changed, ...own, trials: sizeTrials(limit, wanted, given) };
  }
  const stated = limitOf(required, limit);
  if (upper ? given > stated : given < stated) {
    const changed = `${message} is ${own.live ?? 'not limited'} and was ${stated}`;
    return { rule: limit.loosened, site, message: changed, ...own };
  }
  return undefined;
}

interface Bound {
  readonly limit: number;
  readonly exclusive: boolean;
}

function boundOf(node: SchemaNode, upper: boolean): Bound | undefined {
  const limit = upper ? node.maximum : node.minimum;
  return limit === undefined ? undefined : { limit, exclusive: upper ? node.exclusiveMaximum : node.exclusiveMinimum };
}

function stricter(given: Bound, wanted: Bound, upper: boolean): boolean {
  if (given.limit !== wanted.limit) return upper ? given.limit < wanted.limit : given.limit > wanted.limit;
  return given.exclusive && !wanted.exclusive;
}

const SMALLEST = -(2 ** 63);

/** The server compares integers with the bound cut to an integer, and other numbers with the bound itself. */
function tightens(given: Bound, wanted: Bound | undefined, upper: boolean, whole: boolean): boolean {
  // No integer of 64 bits is smaller, and no other number is an integer.
  if (whole && !upper && given.limit <= SMALLEST && !given.exclusive) return false;
  if (wanted === undefined) return true;
  const cut = (bound: Bound): Bound => ({ ...bound, limit: Math.trunc(bound.limit) });
  const integers = stricter(
    given.exclusive && whole ? inward(cut(given), upper) : cut(given),
    wanted.exclusive && whole ? inward(cut(wanted), upper) : cut(wanted),
    upper,
  );
  return integers || (!whole && stricter(given, wanted, upper));
}

/** An exclusive bound of integers as an inclusive one. */
function inward({ limit }: Bound, upper: boolean): Bound {
  return { limit: upper ? limit - 1 : limit + 1, exclusive: false };
}

function numberTrials(given: Bound, wanted: Bound | undefined, upper: boolean): readonly Trial[] {
  const outward = upper ? 1 : -1;
  const { limit } = given;
  const whole = Math.trunc(limit);
  const values = [limit + outward, limit, whole, whole + outward, limit + outward / 2, limit + outward * 100];
  if (wanted !== undefined) values.push(wanted.limit, Math.trunc(wanted.limit), (wanted.limit + limit) / 2);
  return [...largeTrials(limit, outward), ...values].map((value) => ({ kind: 'value', value }));
}

/** The integer right beyond a bound, where numbers no longer hold it exactly. */
function largeTrials(limit: number, outward: number): readonly bigint[] {
  if (!Number.isInteger(limit) || Number.isSafeInteger(limit)) return [];
  return [BigInt(limit) + BigInt(outward)];
}

/** Integers of a format lie between these; others between none. */
export function formatRange(node: SchemaNode): { readonly low: number; readonly high: number } | undefined {
  if (node.type === 'integer' && node.format === 'int32') return { low: -(2 ** 31), high: 2 ** 31 - 1 };
  return node.type === 'number' && node.format === 'float' ? { low: -3.4e38, high: 3.4e38 } : undefined;
}

/** The bound that counts: the stated one, or that of the format where the server checks it. */
function effectiveBound(node: SchemaNode, upper: boolean, minor: number): Bound | undefined {
  const own = boundOf(node, upper);
  const range = minor >= 36 ? formatRange(node) : undefined;
  if (range === undefined) return own;
  const bound = { limit: upper ? range.high : range.low, exclusive: false };
  return own === undefined || stricter(bound, own, upper) ? bound : own;
}

/** A bound outside of the format of its own node lets no value pass. */
function misfits(node: SchemaNode, bound: Bound, minor: number): boolean {
  const range = minor >= 36 ? formatRange(node) : undefined;
  return range !== undefined && (bound.limit < range.low || bound.limit > range.high);
}

function becomesMisfit({ live, required }: Pair, bound: Bound, minor: number): boolean {
  return misfits(live, bound, minor) && !misfits(required, bound, minor);
}

/** What is found about minimum or maximum. */
export function compareBound(pair: Pair, upper: boolean, minor: number): Draft | undefined {
  const { required, live, place } = pair;
  const given = boundOf(live, upper);
  const stated = boundOf(required, upper);
  const { site } = place;
  const keyword = upper ? 'maximum' : 'minimum';
  const about = { site, required: shownBound(stated), live: shownBound(given) };
  const texts = { was: boundText(required, keyword, stated), is: boundText(live, keyword, given) };
  const message = `${keyword} of ${shownPath(site)} is ${texts.is} and was ${texts.was}`;
  const wanted = effectiveBound(required, upper, minor);
  const whole = required.type === 'integer';
  if (given !== undefined && (tightens(given, wanted, upper, whole) || becomesMisfit(pair, given, minor))) {
    const trials = numberTrials(given, wanted, upper);
    return { rule: upper ? 'maximum-tightened' : 'minimum-tightened', message, ...about, trials };
  }
  return stated === undefined || isSameBound(stated, given)
    ? undefined
    : { rule: upper ? 'maximum-loosened' : 'minimum-loosened', message, ...about };
}

function isSameBound(a: Bound, b: Bound | undefined): boolean {
  return a.limit === b?.limit && a.exclusive === b.exclusive;
}

/** A bound for a sentence: as it is written, where a number would not show it exactly. */
function boundText({ raw }: SchemaNode, keyword: string, bound: Bound | undefined): string {
  const written = raw[keyword];
  if (bound === undefined) return 'not limited';
  return typeof written === 'bigint' ? `${written}${bound.exclusive ? ' (exclusive)' : ''}` : String(shownBound(bound));
}

function shownBound(bound: Bound | undefined): number | string | undefined {
  return bound?.exclusive === true ? `${bound.limit} (exclusive)` : bound?.limit;
}

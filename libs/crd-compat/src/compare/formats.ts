/** Formats of two nodes. */
import { lookUp } from '@capstan/meta';
import { type SchemaNode, effectiveFormat } from '@capstan/schema';
import { formatRange } from './limits.js';
import type { Pair, SchemaComparison } from './schemas.js';
import { type Draft, type Trial, shownPath } from '../drafts/site.js';

/** Formats of texts whose values are values of the other as well. */
const wider: Readonly<Record<string, readonly string[]>> = {
  uuid3: ['uuid'],
  uuid4: ['uuid'],
  uuid5: ['uuid'],
  isbn10: ['isbn'],
  isbn13: ['isbn'],
  k8sshortname: ['k8slongname'],
};

/** Formats that rules see as something else than a text. */
const typed: ReadonlySet<string> = new Set(['byte', 'date', 'datetime', 'duration']);

/** The format as the server looks it up; one that takes everything is none. */
function textFormat(node: SchemaNode, minor: number): string {
  const type = node.intOrString ? '' : node.type;
  const format = effectiveFormat(type, node.format, minor).replaceAll('-', '');
  return format === 'password' ? '' : format;
}

function compareTextFormats(walk: SchemaComparison, { required, live, place }: Pair): Draft | undefined {
  const wanted = textFormat(required, walk.minor);
  const given = textFormat(live, walk.minor);
  if (wanted === given) return undefined;
  const { site } = place;
  const about = { site, required: required.format, live: live.format };
  if (given === '' || lookUp(wider, wanted)?.includes(given) === true) {
    if (typed.has(wanted) || typed.has(given)) walk.retyped.push(site);
    const message = `${shownPath(site)} need not have format ${required.format} any more`;
    return { rule: 'format-removed', message, ...about };
  }
  const message = `${shownPath(site)} must have format ${live.format} now`;
  return { rule: 'format-changed', message, ...about, trials: [{ kind: 'sample' }] };
}

interface Range {
  readonly low: number;
  readonly high: number;
}

const unlimited: Range = { low: -Infinity, high: Infinity };

function within(inner: Range, outer: Range): boolean {
  return inner.low >= outer.low && inner.high <= outer.high;
}

function compareNumberFormats(walk: SchemaComparison, { required, live, place }: Pair): Draft | undefined {
  const wanted = formatRange(required) ?? unlimited;
  const given = formatRange(live) ?? unlimited;
  if (wanted.low === given.low && wanted.high === given.high) return undefined;
  const { site } = place;
  const about = { site, required: required.format, live: live.format };
  const at = shownPath(site);
  if (within(wanted, given)) {
    return { rule: 'format-removed', message: `${at} may be larger than ${required.format} now`, ...about };
  }
  const message = `${at} must have format ${live.format} now`;
  if (walk.minor < 36) return { rule: 'format-not-enforced', message, ...about };
  const stated = { low: required.minimum ?? wanted.low, high: required.maximum ?? wanted.high };
  if (within(stated, given)) return undefined;
  const trials = [given.high + 1, given.low - 1, 2 ** 40, -(2 ** 40), 1e39].map((value): Trial => ({
    kind: 'value',
    value,
  }));
  return { rule: 'format-changed', message, ...about, trials };
}

/** Whether a list passes because of the format: of other values than numbers the server then checks no type. */
function passesLists({ format, intOrString, type }: SchemaNode, minor: number): boolean {
  if (intOrString || type === 'integer' || type === 'number') return false;
  return effectiveFormat(type, format, minor) !== '';
}

/** Whether a node that describes no lists takes some for its format. Those that are not among the values of an enum never pass. */
export function takesLists(node: SchemaNode, minor: number): boolean {
  return node.type !== 'array' && passesLists(node, minor) && node.enum?.some(Array.isArray) !== false;
}

/** A format that goes takes with it that lists pass. */
function compareListsForText(walk: SchemaComparison, { required, live, place }: Pair): Draft | undefined {
  if (!takesLists(required, walk.minor)) return undefined;
  const isOpen = live.type === 'array' || (live.type === '' && !live.intOrString && live.format === '');
  if (isOpen || passesLists(live, walk.minor)) return undefined;
  const { site } = place;
  const message = `${shownPath(site)} takes no lists any more, as it did for its format ${required.format}`;
  const trials = [[], ['a']].map((value): Trial => ({ kind: 'value', value }));
  return { rule: 'format-took-lists', site, message, required: required.format, live: live.format, trials };
}

/** What is found about formats; those the server does not know mean nothing. */
export function compareFormats(walk: SchemaComparison, pair: Pair): readonly Draft[] {
  const { required, live } = pair;
  if (required.format === live.format && required.type === live.type) return [];
  const numeric = required.type === 'integer' || required.type === 'number';
  const draft = numeric ? compareNumberFormats(walk, pair) : compareTextFormats(walk, pair);
  return [draft, compareListsForText(walk, pair)].filter((each) => each !== undefined);
}

import type { YAMLSeq } from 'yaml';
import { isMap, isNode, isSeq } from 'yaml';
import { TranslationError } from '../errors.js';
import type { Splice } from './splice.js';
import type { Tree } from './tree.js';
import { itemsOf, pairsOf } from './tree.js';

/** Splices that take elements out of a sequence. */
export function removal(seq: YAMLSeq, isDropped: readonly boolean[]): readonly Splice[] {
  if (!isDropped.includes(true)) return [];
  for (const [index, item] of itemsOf(seq).entries()) if (isDropped[index] === true) refuseAnchors(item);
  const spans = seq.flow === true ? flowSpans(seq) : blockSpans(seq);
  const whole: Splice = { start: spans[0]?.start ?? 0, end: spans.at(-1)?.end ?? 0, text: '' };
  const kept = isDropped.indexOf(false);
  // A block that is empty is none; what takes its place must stand further in than what it belongs to.
  if (kept < 0) return [seq.flow === true ? whole : { ...whole, text: ' []\n' }];
  return [...leading(spans, kept), ...following(spans, isDropped, kept)];
}

/** What is before the first that stays goes with what separates it from that. */
function leading(spans: readonly Span[], kept: number): readonly Splice[] {
  const [first] = spans;
  const next = spans[kept];
  return first === undefined || next === undefined || kept === 0
    ? []
    : [{ start: first.start, end: next.start, text: '' }];
}

/** All others go with what separates them from the one before. */
function following(spans: readonly Span[], isDropped: readonly boolean[], kept: number): readonly Splice[] {
  return spans.flatMap(({ end }, index) => {
    const before = spans[index - 1];
    return index > kept && isDropped[index] === true && before !== undefined
      ? [{ start: before.end, end, text: '' }]
      : [];
  });
}

/** Where an element begins, and where what separates it from the next begins. */
interface Span {
  readonly start: number;
  readonly end: number;
}

function flowSpans(seq: YAMLSeq): readonly Span[] {
  return itemsOf(seq).map((item) => {
    const [start, end] = rangeOf(item);
    return { start, end };
  });
}

/** From dash to dash, line ends included. */
function blockSpans(seq: YAMLSeq): readonly Span[] {
  const starts = dashes(seq);
  return itemsOf(seq).map((item, index) => ({ start: starts[index] ?? 0, end: rangeOf(item)[2] }));
}

function rangeOf(node: Tree): readonly [number, number, number] {
  if (!isNode(node) || node.range === null || node.range === undefined) throw cannotLeaveOut();
  return node.range;
}

/** Where the dashes of a block are. */
function dashes({ srcToken }: YAMLSeq): readonly number[] {
  if (srcToken?.type !== 'block-seq') throw cannotLeaveOut();
  return srcToken.items.map(({ start }) => {
    const dash = start.find(({ type }) => type === 'seq-item-ind');
    if (dash === undefined) throw cannotLeaveOut();
    return dash.offset;
  });
}

/** What is left out may be meant elsewhere, and what belongs to it may stand before it. */
function refuseAnchors(node: Tree): void {
  if (!isNode(node)) return;
  if ('anchor' in node && node.anchor !== undefined) throw cannotLeaveOut();
  if (isSeq(node)) for (const item of itemsOf(node)) refuseAnchors(item);
  if (isMap(node)) for (const { value } of pairsOf(node)) refuseAnchors(value);
}

function cannotLeaveOut(): TranslationError {
  return new TranslationError(
    'UNSUPPORTED',
    'an element that is hidden cannot be taken out of this YAML; ask for JSON',
  );
}

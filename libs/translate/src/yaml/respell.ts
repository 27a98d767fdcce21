import type { Scalar } from 'yaml';
import type { Splice } from './splice.js';

/** A scalar with its range in the source. */
export type ReadScalar = Scalar & { readonly range: readonly [number, number, number] };

/** What can be put into a scalar of any style, inside of a word, without meaning anything. */
const HARMLESS = /^[A-Za-z0-9._/-]*$/;

/**
 * Splices that make a scalar say something else, in its own style: only the letters that differ change, so that quotes,
 * folds, indentation, escapes and the way back stay what they are. A name that is itself written with escapes cannot be
 * found in the source: then the scalar is quoted again.
 */
export function respell(source: string, scalar: ReadScalar, text: string, changed: string): readonly Splice[] {
  const [start, end] = scalar.range;
  const from = contentOf(source, scalar);
  const splices = wordByWord(source.slice(from, end), text, changed)?.map((splice) => moved(splice, from));
  return splices ?? [{ start, end, text: quoted(source.slice(start, end), changed) }];
}

/** Where the text of a scalar begins: a block has a header, and a comment may be in it. */
function contentOf(source: string, { type, range: [start] }: ReadScalar): number {
  return type === 'BLOCK_LITERAL' || type === 'BLOCK_FOLDED' ? source.indexOf('\n', start) + 1 : start;
}

/** Between double quotes, whatever it was; a block ends with a line of its own. */
function quoted(raw: string, text: string): string {
  return raw.endsWith('\n') ? `${JSON.stringify(text)}\n` : JSON.stringify(text);
}

/** A scalar that stands where an alias was. */
export function written(text: string): string {
  return /^[a-z][A-Za-z0-9./-]*$/.test(text) ? text : JSON.stringify(text);
}

function moved({ start, end, text }: Splice, by: number): Splice {
  return { start: start + by, end: end + by, text };
}

/**
 * Styles differ in what is around and between words, and in how letters are escaped. A word that is in the source as
 * often as in the text is there in the same order.
 */
function wordByWord(raw: string, text: string, changed: string): readonly Splice[] | undefined {
  const before = [...text.matchAll(/\S+/g)];
  const after = changed.match(/\S+/g) ?? [];
  if (before.length !== after.length) return undefined;
  const splices: Splice[] = [];
  for (const [index, { 0: old, index: at }] of before.entries()) {
    const next = after[index] ?? old;
    if (old === next) continue;
    const inText = occurrences(text, old);
    const inSource = occurrences(raw, old);
    const place = inSource[inText.indexOf(at)];
    const splice = inSource.length === inText.length && place !== undefined ? insideWord(old, next, place) : undefined;
    if (splice === undefined) return undefined;
    splices.push(splice);
  }
  return splices;
}

function occurrences(text: string, word: string): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) places.push(at);
  return places;
}

function insideWord(old: string, next: string, at: number): Splice | undefined {
  let head = 0;
  while (head < old.length && head < next.length && old[head] === next[head]) head += 1;
  let tail = 0;
  while (tail < old.length - head && tail < next.length - head && old.at(-1 - tail) === next.at(-1 - tail)) tail += 1;
  const text = next.slice(head, next.length - tail);
  return HARMLESS.test(text) ? { start: at + head, end: at + old.length - tail, text } : undefined;
}

import { Buffer } from 'node:buffer';
import { htmlEscaped } from '../codec/index.js';
import { decodeKeepingBytes, goFormat, parseJson, readJsonNotes, setOwn } from '@capstan/meta';
import type { JsonNotes, JsonObject, JsonTextNotes } from '@capstan/meta';

/** What stands for a symbol in a text until it is printed, before its number; no text of a client has it. */
const MARK = '\u0000written:';

/**
 * A value in which everything that its value does not show is a symbol of its text: numbers that are not written like integers
 * (`3.0`, `1e2`), texts with half a surrogate pair. Patches carry symbols along like any other value, so that what comes
 * of them can be read as the text it would be.
 */
export function spelledOut(value: unknown, { spellings, texts }: JsonTextNotes, isKept = anySpelling): unknown {
  return mapped(value, (holder, key, item) => {
    const written = spellings.get(holder)?.get(key) ?? texts.get(holder)?.get(key);
    return written === undefined || !isKept(written) ? item : Symbol(written);
  });
}

/**
 * An object or array as a symbol of its whole text where a key comes twice inside it, or has bytes that are no text;
 * undefined where none does.
 */
export function writtenOut(value: unknown, notes: JsonTextNotes, bytes: Uint8Array): symbol | undefined {
  const span = isComposed(value) ? notes.spans.get(value) : undefined;
  if (span === undefined || !(repeatsKeys(value, notes) || hasOddKeys(value, notes))) return undefined;
  const { start, end } = span;
  const text = decodeKeepingBytes(bytes, start, end) ?? Buffer.from(bytes.subarray(start, end)).toString();
  // Blanks count inside quotes alone.
  return Symbol(text.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/gs, '$1'));
}

function hasOddKeys(value: unknown, notes: JsonTextNotes): boolean {
  if (!isComposed(value)) return false;
  return notes.oddKeys.has(value) || Object.values(value).some((item) => hasOddKeys(item, notes));
}

/** Whether a key comes twice somewhere inside a value. */
export function repeatsKeys(value: unknown, notes: JsonNotes): boolean {
  if (!isComposed(value)) return false;
  return notes.replaced.has(value) || Object.values(value).some((item) => repeatsKeys(item, notes));
}

const anySpelling = (_spelling: string): boolean => true;

/** Whether a number is a float to the real server once it has been read, and not only looks like one. */
export function isFloatSpelling(spelling: string): boolean {
  return spelling !== '-0' && !spelling.startsWith('"');
}

/** The value that a written text has. */
function valueOf(written: string): unknown {
  // Adding zero turns -0 into 0.
  return written.startsWith('"') ? parseJson(written).value : Number(written) + 0;
}

/** The same with the texts Go prints of its floats in their place. */
export function goNumbers(spelled: unknown): unknown {
  return mapped(spelled, (_holder, _key, item) => {
    if (typeof item !== 'symbol') return item;
    const written = item.description ?? '';
    const value = written.startsWith('"') ? valueOf(written) : Number(written);
    return Object.is(value, -0) ? '-0' : goFormat(value);
  });
}

/** The same with its numbers, -0 among them. */
export function plainNumbers(spelled: unknown): unknown {
  return mapped(spelled, (_holder, _key, item) => (typeof item === 'symbol' ? Number(item.description) : item));
}

/** The value with its numbers, and how they were spelled. */
export function readSpelled(value: unknown): { readonly value: unknown; readonly notes: JsonNotes } {
  const spellings = new Map<object, Map<string | number, string>>();
  const replaced = new Map<object, NonNullable<ReturnType<JsonNotes['replaced']['get']>>>();
  const found = mapped(value, (_holder, key, item, copy) => {
    if (typeof item !== 'symbol') return item;
    const written = item.description ?? '';
    if (/^[{[]/.test(written)) {
      const { value: inside, notes } = readJsonNotes(Buffer.from(written));
      for (const [holder, each] of notes.spellings) spellings.set(holder, new Map(each));
      for (const [holder, each] of notes.replaced) replaced.set(holder, each);
      return inside;
    }
    if (!written.startsWith('"')) noteSpelling(spellings, copy, key, written);
    return valueOf(written);
  });
  return { value: found, notes: { spellings, replaced } };
}

function noteSpelling(
  spellings: Map<object, Map<string | number, string>>,
  holder: object,
  key: string | number,
  written: string,
): void {
  const known = spellings.get(holder);
  if (known === undefined) spellings.set(holder, new Map([[key, written]]));
  else known.set(key, written);
}

/** Prints a value as JSON, with what was written where there are symbols. */
export function printSpelled(value: unknown, print: (value: unknown) => string): string {
  const written: string[] = [];
  const marked = mapped(value, (_holder, _key, item) =>
    typeof item === 'symbol' ? `${MARK}${written.push(item.description ?? '') - 1}` : item,
  );
  return print(marked).replaceAll(/"\\u0000written:(\d+)"/g, (_all, at: string) =>
    htmlEscaped(written[Number(at)] ?? ''),
  );
}

type Change = (holder: object, key: string | number, item: unknown, copy: object) => unknown;

/** A copy with each member changed that is no object or list itself. */
function mapped(value: unknown, change: Change): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) {
    const copy: unknown[] = [];
    for (const [index, item] of (value as unknown[]).entries())
      copy.push(isComposed(item) ? mapped(item, change) : change(value, index, item, copy));
    return copy;
  }
  const copy: JsonObject = {};
  for (const [key, item] of Object.entries(value) as [string, unknown][])
    setOwn(copy, key, isComposed(item) ? mapped(item, change) : change(value, key, item, copy));
  return copy;
}

function isComposed(value: unknown): value is object {
  return value !== null && typeof value === 'object';
}

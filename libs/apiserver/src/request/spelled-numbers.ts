import { goFormat, setOwn } from '@capstan/meta';
import type { JsonNotes, JsonObject } from '@capstan/meta';

/** What stands for a spelled number in a text until it is printed; no text of a client has it. */
const MARK = '\u0000number:';

/**
 * A value in which numbers that are not written like integers (`3.0`, `1e2`) are symbols: patches carry those along like
 * any other value, so that what comes of them can be read as the text it would be.
 */
export function spelledOut(value: unknown, { spellings }: JsonNotes, isKept = anySpelling): unknown {
  return mapped(value, (holder, key, item) => {
    const spelling = spellings.get(holder)?.get(key);
    return spelling === undefined || !isKept(spelling) ? item : Symbol(spelling);
  });
}

const anySpelling = (_spelling: string): boolean => true;

/** Whether a number is a float to the real server once it has been read, and not only looks like one. */
export function isFloatSpelling(spelling: string): boolean {
  return spelling !== '-0';
}

/** The same with the texts Go prints of its floats in their place. */
export function goNumbers(spelled: unknown): unknown {
  return mapped(spelled, (_holder, _key, item) => {
    if (typeof item !== 'symbol') return item;
    const value = Number(item.description);
    return Object.is(value, -0) ? '-0' : goFormat(value);
  });
}

/** The value with its numbers, and how they were spelled. */
export function readSpelled(value: unknown): { readonly value: unknown; readonly notes: JsonNotes } {
  const spellings = new Map<object, Map<string | number, string>>();
  const found = mapped(value, (_holder, key, item, copy) => {
    if (typeof item !== 'symbol') return item;
    const spelling = item.description ?? '';
    const known = spellings.get(copy);
    if (known === undefined) spellings.set(copy, new Map([[key, spelling]]));
    else known.set(key, spelling);
    // Adding zero turns -0 into 0.
    return Number(spelling) + 0;
  });
  return { value: found, notes: { spellings, replaced: new Map() } };
}

/** Prints a value as JSON, its numbers as they were spelled. */
export function printSpelled(value: unknown, print: (value: unknown) => string): string {
  const marked = mapped(value, (_holder, _key, item) =>
    typeof item === 'symbol' ? `${MARK}${item.description ?? ''}` : item,
  );
  return print(marked).replaceAll(/"\\u0000number:([^"]*)"/g, '$1');
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

function isComposed(value: unknown): boolean {
  return value !== null && typeof value === 'object';
}

import type { Findings } from '../exchange/client.js';
import { headTextOf, readPlainHead } from './request-head.js';
import type { PlainHead } from './request-head.js';

/** A head, and what was found out about requests with it. */
export interface KnownHead extends PlainHead {
  readonly text: string;
  /** Undefined where it is not remembered. */
  readonly findings: Findings | undefined;
}

/** A power of two. */
const PLACES = 1024;
/** Longer ones are read again each time. */
const MAX_KNOWN_LENGTH = 2048;

/**
 * Reads heads, and remembers those that come again: programs ask for the same objects again and again, in the same
 * words. What two heads of the same bytes mean is the same, and so is what follows from it.
 */
export class HeadReader {
  /** By their marks: of two at one place the one that came twice last is known. */
  readonly #known: (KnownHead | undefined)[] = Array.from({ length: PLACES });
  /** Marks of those that came once: to keep one that never comes again costs more than to read it. */
  readonly #seen = new Int32Array(PLACES);

  /** The head that begins at the first byte; undefined unless it is beyond doubt. */
  read(bytes: Buffer): KnownHead | undefined {
    const text = headTextOf(bytes);
    if (text === undefined) return undefined;
    const mark = markOf(text);
    const place = mark & (PLACES - 1);
    const known = this.#known[place];
    if (known !== undefined && known.text === text) return known;
    const read = readPlainHead(text);
    if (read === undefined) return undefined;
    const { method, target, fields, end } = read;
    const isKept = this.#seen[place] === mark && text.length <= MAX_KNOWN_LENGTH;
    const head: KnownHead = { method, target, fields, end, text, findings: isKept ? {} : undefined };
    if (isKept) this.#known[place] = head;
    this.#seen[place] = mark;
    return head;
  }
}

/** A number that differs where the first lines do, mostly. */
function markOf(text: string): number {
  let mark = text.length;
  for (let at = 0, code = text.charCodeAt(at); code > 0x0d; code = text.charCodeAt((at += 1)))
    mark = Math.imul(mark ^ code, 0x01_00_01_93);
  return mark ^ (mark >>> 15);
}

import type { Findings } from '../exchange/client.js';
import { headTextOf, readPlainHead } from './request-head.js';
import type { PlainHead } from './request-head.js';

/** A head, and what was found out about requests with it. */
export interface KnownHead extends PlainHead {
  readonly findings: Findings;
}

const MAX_RECENT = 256;
/** Longer ones are read anew each time. */
const MAX_KNOWN_LENGTH = 2048;

/**
 * Reads heads, and remembers those of late: programs ask for the same objects again and again, in the same words. What
 * two heads of the same bytes mean is the same, and so is what follows from it.
 */
export class HeadReader {
  #recent = new Map<string, KnownHead>();
  /** Forgotten all at once when the recent ones are too many, unless they were asked for meanwhile. */
  #older = new Map<string, KnownHead>();

  /** The head that begins at the first byte; undefined unless it is beyond doubt. */
  read(bytes: Buffer): KnownHead | undefined {
    const text = headTextOf(bytes);
    if (text === undefined) return undefined;
    const recent = this.#recent.get(text);
    if (recent !== undefined) return recent;
    const known = this.#older.get(text) ?? headFrom(text);
    if (known !== undefined && text.length <= MAX_KNOWN_LENGTH) this.#remember(text, known);
    return known;
  }

  #remember(text: string, head: KnownHead): void {
    if (this.#recent.size >= MAX_RECENT) {
      this.#older = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(text, head);
  }
}

function headFrom(text: string): KnownHead | undefined {
  const head = readPlainHead(text);
  return head === undefined ? undefined : { ...head, findings: {} };
}

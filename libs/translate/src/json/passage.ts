import { NOTHING, Output } from './output.js';
import type { Verdict } from './shape.js';

/** The way of bytes from a window to the output, past elements that may have to be left out. */
export class Passage {
  readonly output = new Output();
  /** Depth of the filtered element under way; -1 for none. */
  filteredDepth = -1;
  #bytes: Buffer = NOTHING;
  /** The first byte that has not gone out. */
  #from = 0;

  /** Nothing changed so far, and nothing is held back. */
  get isIdle(): boolean {
    return this.#from === 0 && this.output.isIdle;
  }

  /** Held back is what separates elements, and none has begun. */
  get isBetween(): boolean {
    return this.filteredDepth < 0 && this.output.isHolding;
  }

  /** So many bytes are to be walked through. */
  begin(bytes: Buffer, length: number): void {
    this.#bytes = bytes;
    this.#from = 0;
    this.output.expect(length);
  }

  /** Sends everything up to here on its way. */
  flush(upTo: number): void {
    this.output.copy(this.#bytes, this.#from, upTo);
    this.#from = upTo;
  }

  /** Sends other bytes instead of some. */
  replace(from: number, to: number, bytes: Uint8Array): void {
    this.flush(from);
    this.output.write(bytes);
    this.#from = to;
  }

  /** An element of a filtered list may begin: the separator before it belongs to it. */
  separate(at: number, isFirst: boolean): void {
    if (this.filteredDepth >= 0) return;
    this.flush(at);
    this.output.resume();
    if (isFirst) this.output.beginList();
    this.output.hold();
  }

  /** A filtered element begins, unless it is within another. */
  beginElement(at: number, depth: number): void {
    if (this.filteredDepth >= 0) return;
    if (depth === 0) {
      // A document of a stream: the line end before it belonged to the one before.
      this.flush(at);
      this.output.resume();
      this.output.hold();
    }
    this.filteredDepth = depth;
  }

  /** The verdict on the element, from the string that begins here. */
  decide(at: number, verdict: Verdict): void {
    if (verdict === undefined || this.filteredDepth < 0 || !this.output.isHolding) return;
    this.flush(at);
    if (verdict === 'keep') this.output.keep(true);
    else this.output.drop();
  }

  /** The element is over: one without a verdict is kept. */
  endElement(end: number): void {
    this.flush(end);
    this.output.keep(true);
    // In a stream the line end goes with the document; in a list the next separator begins with the comma.
    if (this.filteredDepth > 0) this.output.resume();
    this.filteredDepth = -1;
  }

  /** A container is over: what separated an element that did not come goes out. */
  endList(at: number): void {
    if (!this.isBetween) return;
    this.flush(at);
    this.output.keep(false);
  }

  /** The body is over. An element that is cut off before its verdict may be a hidden one. */
  endBody(): void {
    if (this.filteredDepth >= 0 && this.output.isHolding) this.output.drop();
    else this.output.keep(false);
  }
}

import { Output } from './output.js';
import { readText, writeText } from './text.js';
import type { Place, Shape } from './shape.js';
import { compile } from './shape.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const COMMA = 0x2c;
const COLON = 0x3a;
const LARGEST_SPACE = 0x20;
/** Escaped, each character of a name takes up to six bytes. */
const NAME_LIMIT = 6 * 64;

/** What the next byte belongs to. */
type Step = 'value' | 'key' | 'colon' | 'after' | 'text' | 'name' | 'plain' | 'skip' | 'skipped-text';

/**
 * Changes strings of JSON documents at certain places and copies everything else byte for byte, however the bytes are
 * cut into chunks. Knows where it is, not whether the document is right: that is for whoever reads it.
 * Several documents after another are read as such, so it takes watch streams too.
 */
export class JsonRewriter {
  readonly #root: Place;
  readonly #output = new Output();
  readonly #places: Place[] = [];
  readonly #lists: boolean[] = [];
  #step: Step = 'value';
  /** What a plain string is followed by. */
  #next: Step = 'after';
  #place: Place;
  /** Containers open within what is skipped. */
  #skipDepth = 0;
  #isEscaped = false;
  #hasEscapes = false;
  /** The beginning of a string that is read, from earlier chunks. */
  #parts: Uint8Array[] = [];
  #partsSize = 0;
  /** Depth of the judged element under way; -1 for none. */
  #judgedDepth = -1;
  #chunk: Uint8Array = new Uint8Array(0);
  /** The first byte of the chunk that has not gone out. */
  #from = 0;

  constructor(shape: Shape) {
    this.#root = compile(shape);
    this.#place = this.#root;
  }

  /** The most bytes that were ever held back. */
  get peak(): number {
    return this.#output.peak;
  }

  /** Takes bytes and gives those that are ready. */
  push(chunk: Uint8Array): Uint8Array[] {
    this.#chunk = chunk;
    this.#from = 0;
    let at = 0;
    while (at < chunk.length) at = this.#advance(at);
    this.#endChunk();
    return this.#output.take();
  }

  /** The end of the stream: gives what is left, as it came. */
  end(): Uint8Array[] {
    if (this.#holdsString) this.#release();
    this.#output.keep(true);
    return this.#output.take();
  }

  #advance(at: number): number {
    switch (this.#step) {
      case 'value':
        return this.#value(at);
      case 'key':
        return this.#key(at);
      case 'colon':
        return this.#colon(at);
      case 'after':
        return this.#after(at);
      case 'text':
        return this.#text(at);
      case 'name':
        return this.#name(at);
      case 'plain':
        return this.#plain(at);
      case 'skip':
        return this.#skip(at);
      case 'skipped-text':
        return this.#skippedText(at);
    }
  }

  /** Bytes of a string wait for its end; of a name that stays as it is only a copy does. */
  get #holdsString(): boolean {
    return this.#step === 'text' || (this.#step === 'name' && this.#place.keys !== undefined);
  }

  #endChunk(): void {
    const { length } = this.#chunk;
    if (this.#holdsString) this.#put(length);
    else {
      if (this.#step === 'name') this.#remember(length);
      this.#flush(length);
    }
  }

  // -- values

  #value(at: number): number {
    const byte = this.#chunk[at] as number;
    const place = this.#place;
    if (byte <= LARGEST_SPACE) return at + 1;
    this.#beginElement(at, byte);
    if (byte === QUOTE) {
      this.#isEscaped = false;
      this.#hasEscapes = false;
      if (!place.readsText) return this.#beginPlain('after', at);
      this.#flush(at);
      this.#step = 'text';
      return at + 1;
    }
    if (byte === OPEN_OBJECT || byte === OPEN_LIST) return this.#open(at, byte === OPEN_LIST);
    if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) return this.#close(at);
    // A number, true, false or null: it ends where the next thing begins.
    this.#step = 'after';
    return at + 1;
  }

  #open(at: number, isList: boolean): number {
    const place = this.#place;
    if (place.isUntouched) {
      this.#skipDepth = 1;
      this.#step = 'skip';
      return at + 1;
    }
    this.#places.push(place);
    this.#lists.push(isList);
    if (!isList) {
      this.#step = 'key';
      return at + 1;
    }
    this.#place = place.items;
    this.#step = 'value';
    if (place.items.isJudged && this.#judgedDepth < 0) this.#separate(at + 1, true);
    return at + 1;
  }

  #close(at: number): number {
    const depth = this.#lists.length;
    if (depth === 0) {
      this.#step = 'after';
      return at + 1;
    }
    // The separators of an element that did not come.
    if (this.#judgedDepth < 0 && this.#output.isHolding) {
      this.#flush(at);
      this.#output.keep(false);
    }
    this.#places.pop();
    this.#lists.pop();
    this.#ended(at + 1);
    return at + 1;
  }

  /** A value is over; the byte after it is given. */
  #ended(end: number): void {
    this.#step = 'after';
    if (this.#judgedDepth === this.#lists.length) this.#endElement(end);
  }

  #after(at: number): number {
    const { length } = this.#chunk;
    for (let index = at; index < length; index += 1) {
      const byte = this.#chunk[index] as number;
      if (byte === COMMA) return this.#comma(index);
      if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) return this.#close(index);
      if (this.#lists.length === 0 && (byte === OPEN_OBJECT || byte === OPEN_LIST || byte === QUOTE)) {
        this.#place = this.#root;
        this.#step = 'value';
        return index;
      }
    }
    return length;
  }

  #comma(at: number): number {
    const depth = this.#lists.length;
    if (depth === 0) return at + 1;
    if (this.#lists[depth - 1] !== true) {
      this.#step = 'key';
      return at + 1;
    }
    this.#place = (this.#places[depth - 1] as Place).items;
    this.#step = 'value';
    if (this.#place.isJudged && this.#judgedDepth < 0) this.#separate(at, false);
    return at + 1;
  }

  // -- strings

  #beginPlain(next: Step, at: number): number {
    this.#next = next;
    this.#step = 'plain';
    this.#isEscaped = false;
    return at + 1;
  }

  /** A string that nobody reads. */
  #plain(at: number): number {
    const end = this.#findQuote(at);
    if (end < 0) return this.#chunk.length;
    if (this.#next === 'after') this.#ended(end + 1);
    else this.#step = this.#next;
    return end + 1;
  }

  /** The closing quote, or -1 when it is not in this chunk. */
  #findQuote(at: number): number {
    const chunk = this.#chunk;
    const { length } = chunk;
    let index = at;
    if (this.#isEscaped && index < length) {
      this.#isEscaped = false;
      index += 1;
    }
    while (index < length) {
      const byte = chunk[index] as number;
      if (byte === QUOTE) return index;
      if (byte === BACKSLASH) {
        this.#hasEscapes = true;
        index += 1;
        if (index === length) this.#isEscaped = true;
      }
      index += 1;
    }
    return -1;
  }

  /** A string that is read: held back until its end, unless it is longer than anything that is looked for. */
  #text(at: number): number {
    const place = this.#place;
    const end = this.#findQuote(at);
    const upTo = end < 0 ? this.#chunk.length : end + 1;
    if (this.#partsSize + upTo - this.#from > place.textLimit) {
      this.#release();
      if (end < 0) this.#next = 'after';
      this.#step = 'plain';
      if (end >= 0) this.#ended(end + 1);
      return upTo;
    }
    if (end < 0) return upTo;
    const raw = this.#collect(upTo);
    const text = readText(raw, this.#hasEscapes);
    const changed = text === undefined ? undefined : place.text?.(text);
    if (text !== undefined && place.judge !== undefined) this.#judge(place.judge(text));
    this.#output.emit(changed === undefined || changed === text ? raw : writeText(changed));
    this.#ended(upTo);
    return upTo;
  }

  // -- keys

  #key(at: number): number {
    const byte = this.#chunk[at] as number;
    if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) return this.#close(at);
    if (byte !== QUOTE) return at + 1;
    const place = this.#places[this.#places.length - 1] as Place;
    this.#hasEscapes = false;
    if (place.members.size === 0 && place.keys === undefined) {
      this.#place = place.others;
      return this.#beginPlain('colon', at);
    }
    this.#place = place;
    this.#isEscaped = false;
    if (place.keys !== undefined) this.#flush(at);
    this.#nameFrom = at;
    this.#step = 'name';
    return at + 1;
  }

  /** Where the name begins in this chunk, its quote included. */
  #nameFrom = 0;

  #name(at: number): number {
    const place = this.#place;
    const end = this.#findQuote(at);
    if (end < 0) return this.#chunk.length;
    this.#step = 'colon';
    if (place.keys !== undefined) return this.#changedName(place, end + 1);
    this.#place = this.#member(place, end + 1);
    return end + 1;
  }

  #changedName(place: Place, upTo: number): number {
    const raw = this.#collect(upTo);
    const name = readText(raw, this.#hasEscapes);
    const changed = name === undefined ? undefined : place.keys?.(name);
    this.#output.emit(changed === undefined || changed === name ? raw : writeText(changed));
    this.#place = (name === undefined ? undefined : place.members.get(name)) ?? place.others;
    return upTo;
  }

  /** The place of the member whose name has just ended. Most names are told apart by their length. */
  #member(place: Place, upTo: number): Place {
    const start = this.#nameFrom;
    const isWhole = this.#partsSize === 0;
    const size = upTo - start - 2;
    if (isWhole && !this.#hasEscapes && place.lengths[size] !== 1) return place.others;
    const raw = isWhole ? this.#chunk.subarray(start, upTo) : this.#joined(this.#chunk.subarray(0, upTo));
    this.#parts = [];
    this.#partsSize = 0;
    const name = readText(raw, this.#hasEscapes);
    return (name === undefined ? undefined : place.members.get(name)) ?? place.others;
  }

  /** Keeps a copy of the name for the next chunk; its bytes go out meanwhile. */
  #remember(upTo: number): void {
    const start = this.#partsSize === 0 ? this.#nameFrom : 0;
    if (this.#partsSize < NAME_LIMIT) this.#parts.push(this.#chunk.slice(start, upTo));
    this.#partsSize += upTo - start;
  }

  #colon(at: number): number {
    if (this.#chunk[at] === COLON) this.#step = 'value';
    return at + 1;
  }

  // -- what nobody looks into

  #skip(at: number): number {
    const chunk = this.#chunk;
    const { length } = chunk;
    let depth = this.#skipDepth;
    let index = at;
    while (index < length) {
      const byte = chunk[index] as number;
      index += 1;
      if (byte === QUOTE) {
        const end = this.#findQuote(index);
        if (end < 0) {
          this.#skipDepth = depth;
          this.#step = 'skipped-text';
          return length;
        }
        index = end + 1;
      } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth += 1;
      else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
        depth -= 1;
        if (depth === 0) {
          this.#ended(index);
          return index;
        }
      }
    }
    this.#skipDepth = depth;
    return index;
  }

  #skippedText(at: number): number {
    const end = this.#findQuote(at);
    if (end < 0) return this.#chunk.length;
    this.#step = 'skip';
    return end + 1;
  }

  // -- elements that may be left out

  /** An element of a judged list may begin: what separates it from the one before belongs to it. */
  #separate(at: number, isFirst: boolean): void {
    this.#flush(at);
    this.#output.resume();
    if (isFirst) this.#output.beginList();
    this.#output.hold();
  }

  #beginElement(at: number, byte: number): void {
    if (!this.#place.isJudged || this.#judgedDepth >= 0 || byte === CLOSE_LIST) return;
    const depth = this.#lists.length;
    if (depth === 0) {
      // A document of a stream: the line end before it belonged to the one before.
      this.#flush(at);
      this.#output.resume();
      this.#output.hold();
    }
    this.#judgedDepth = depth;
  }

  #judge(verdict: 'keep' | 'drop' | undefined): void {
    if (verdict === undefined || this.#judgedDepth < 0 || !this.#output.isHolding) return;
    if (verdict === 'keep') this.#output.keep(true);
    else this.#output.drop();
  }

  #endElement(end: number): void {
    this.#flush(end);
    this.#output.keep(true);
    // In a stream the line end goes with the document; in a list the next separator begins with the comma.
    if (this.#lists.length > 0) this.#output.resume();
    this.#judgedDepth = -1;
  }

  // -- bytes

  /** Sends the chunk up to here on its way. */
  #flush(upTo: number): void {
    if (upTo <= this.#from) return;
    this.#output.emit(this.#chunk.subarray(this.#from, upTo));
    this.#from = upTo;
  }

  /** Keeps the beginning of a string for the next chunk. */
  #put(upTo: number): void {
    if (upTo <= this.#from) return;
    this.#parts.push(this.#chunk.subarray(this.#from, upTo));
    this.#partsSize += upTo - this.#from;
    this.#from = upTo;
    this.#output.note(this.#partsSize);
  }

  /** The whole of a string that was held back. */
  #collect(upTo: number): Uint8Array {
    const last = this.#chunk.subarray(this.#from, upTo);
    this.#from = upTo;
    if (this.#partsSize === 0) return last;
    const whole = this.#joined(last);
    this.#parts = [];
    this.#partsSize = 0;
    return whole;
  }

  #joined(last: Uint8Array): Uint8Array {
    return Buffer.concat([...this.#parts, last]);
  }

  /** Lets a string go that is too long to be looked at. */
  #release(): void {
    for (const part of this.#parts) this.#output.emit(part);
    this.#parts = [];
    this.#partsSize = 0;
  }
}

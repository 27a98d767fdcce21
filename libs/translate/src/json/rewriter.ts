import type { BodyRewriter } from '../body.js';
import { attempted, isNameAt, quoted, textAt } from './names.js';
import { NOTHING } from './output.js';
import { Passage } from './passage.js';
import type { Place, RewriterObserver, Shape } from './shape.js';
import { compile } from './shape.js';
import { readText } from './text.js';
import { giveWindow, HAS_BACKSLASH, nextToken, takeWindow } from './window.js';
import type { Window } from './window.js';

const QUOTE = 0x22;
const OPEN_OBJECT = 0x7b;
const OPEN_LIST = 0x5b;
const COMMA = 0x2c;
/** Escaped, each character of a name takes up to six bytes. */
const NAME_LIMIT = 6 * 64;

/**
 * Changes strings of JSON documents at certain places and copies everything else byte for byte, however the bytes are
 * cut into chunks. Tracks its place only; whether the document is valid is for its reader to check.
 * Several documents after another are read as such, so it takes watch streams too.
 */
export class JsonRewriter implements BodyRewriter {
  readonly keepsNothing = true;
  readonly #root: Place;
  readonly #passage = new Passage();
  /** Containers that are open, and whether each is a list and at which element. */
  readonly #places: Place[] = [];
  readonly #counts: number[] = [];
  /** The place of the value that comes next or is under way. */
  #place: Place;
  #expectsKey = false;
  /** Containers open within what is skipped. */
  #skipDepth = 0;
  /** The end of a string that nobody reads is to come: of a key, or of a value. */
  #passing: 'key' | 'value' | undefined;
  /** How the bytes to come begin, for the scanner. */
  #carry = 0;
  /** A string that is read and whose end is to come, from its quote on. */
  #tail: Buffer = NOTHING;
  #window!: Window;
  /** A window that grew for the string whose end is to come. */
  #grown: Window | undefined;
  #hasBackslash = false;
  readonly #observer: RewriterObserver | undefined;

  constructor(shape: Shape, observer?: RewriterObserver) {
    this.#observer = observer;
    this.#root = compile(shape);
    this.#place = this.#root;
  }

  get peak(): number {
    return this.#passage.output.peak;
  }

  push(chunk: Uint8Array): Uint8Array[] {
    const out: Uint8Array[] = [];
    if (chunk.length === 0) return out;
    const window = this.#grown ?? takeWindow();
    this.#window = window;
    try {
      for (let at = 0; at < chunk.length;) at += this.#advance(chunk, at, out);
    } finally {
      // A long string would make one window after another grow.
      this.#grown = window.isGrown && this.#tail.length > 0 ? window : undefined;
      if (this.#grown === undefined) giveWindow(window);
    }
    return out;
  }

  end(): Uint8Array[] {
    const { output } = this.#passage;
    output.copy(this.#tail, 0, this.#tail.length);
    this.#tail = NOTHING;
    this.#passage.endBody();
    const last = output.take(0);
    return last === undefined ? [] : [last];
  }

  /** Takes as much of the chunk as the window holds. */
  #advance(chunk: Uint8Array, at: number, out: Uint8Array[]): number {
    const window = this.#window;
    const tail = this.#tail;
    window.reserve(tail.length + 1024);
    const size = Math.min(chunk.length - at, window.capacity - tail.length);
    const length = tail.length + size;
    const part = size === chunk.length ? chunk : chunk.subarray(at, at + size);
    if (tail.length > 0) window.bytes.set(tail, 0);
    window.bytes.set(part, tail.length);
    this.#carry = window.scan(length, tail.length > 0 ? 0 : this.#carry);
    this.#hasBackslash = (this.#carry & HAS_BACKSLASH) !== 0;
    this.#passage.begin(window.bytes, length);
    const end = this.#walk(length);
    this.#tail = NOTHING;
    if (end === length && this.#passage.isIdle) {
      // Nothing changed: the bytes go as they came.
      if (tail.length > 0) out.push(tail);
      out.push(part);
      return size;
    }
    this.#passage.flush(end);
    if (end < length) this.#tail = Buffer.from(window.bytes.subarray(end, length));
    const ready = this.#passage.output.take(this.#tail.length);
    if (ready !== undefined) out.push(ready);
    return size;
  }

  /** Goes from token to token; gives where a string begins that is to be read whole, or the length. */
  #walk(length: number): number {
    const { bytes, words } = this.#window;
    let at = this.#resume(length);
    while (at < length) {
      at = nextToken(words, at, length);
      if (at === length) break;
      const byte = bytes[at] as number;
      if (byte === QUOTE) {
        const close = nextToken(words, at + 1, length);
        if (close === length && this.#waits(at, length)) return at;
        at = this.#expectsKey ? this.#key(at, close, length) : this.#text(at, close, length);
      } else if (byte === COMMA) {
        this.#comma(at);
        at += 1;
      } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) at = this.#open(at, byte === OPEN_LIST, length);
      else {
        this.#close(at);
        at += 1;
      }
    }
    return length;
  }

  /** What was under way when the bytes before ended. */
  #resume(length: number): number {
    if (this.#skipDepth > 0) return this.#skip(0, length);
    if (this.#passing === undefined) return 0;
    const close = nextToken(this.#window.words, 0, length);
    if (close === length) return length;
    if (this.#passing === 'value') this.#ended(close + 1);
    this.#passing = undefined;
    return close + 1;
  }

  /** Whether a string that does not end here is held back until it does. */
  #waits(at: number, length: number): boolean {
    if (this.#expectsKey) {
      const place = this.#places[this.#places.length - 1] as Place;
      return (place.members.size > 0 || place.readsKeys) && length - at <= NAME_LIMIT;
    }
    return this.#valuePlace().readsText && length - at <= this.#valuePlace().textLimit;
  }

  #valuePlace(): Place {
    return this.#places.length === 0 ? this.#root : this.#place;
  }

  // -- keys

  #key(at: number, close: number, length: number): number {
    const place = this.#places[this.#places.length - 1] as Place;
    this.#expectsKey = false;
    if (close === length) {
      this.#place = place.others;
      this.#passing = 'key';
      return length;
    }
    this.#place = place.readsKeys ? this.#readKey(place, at, close + 1) : this.#member(place, at + 1, close);
    return close + 1;
  }

  #member(place: Place, from: number, to: number): Place {
    const { bytes } = this.#window;
    if (this.#hasBackslash && place.members.size > 0 && this.#window.hasBackslash(from, to)) {
      const name = readText(bytes, from - 1, to + 1);
      return (name === undefined ? undefined : place.members.get(name)) ?? place.others;
    }
    const candidates = place.byLength[to - from];
    if (candidates === undefined) return place.others;
    for (const candidate of candidates) if (isNameAt(bytes, from, candidate)) return candidate.place;
    return place.others;
  }

  #readKey(place: Place, from: number, to: number): Place {
    const name = readText(this.#window.bytes, from, to);
    if (place.decideByKey !== undefined && this.#passage.isBetween) {
      this.#passage.beginElement(from, this.#places.length);
      this.#passage.decide(from, name === undefined ? 'keep' : (place.decideByKey(name) ?? 'keep'));
    }
    if (name === undefined) return place.others;
    const { keys } = place;
    const changed = keys === undefined ? name : attempted(() => keys(name), this.#observer);
    if (changed !== name) this.#passage.replace(from, to, quoted(changed));
    return place.members.get(name) ?? place.others;
  }

  // -- values

  #text(at: number, close: number, length: number): number {
    const place = this.#valuePlace();
    this.#place = place;
    if (place.isFiltered) this.#passage.beginElement(at, this.#places.length);
    if (close === length) {
      this.#passing = 'value';
      return length;
    }
    const end = close + 1;
    if (place.readsText && end - at <= place.textLimit) this.#read(place, at, end);
    this.#ended(end);
    return end;
  }

  #read(place: Place, from: number, to: number): void {
    const last = place.last?.[to - from];
    if (last !== undefined && isNameAt(this.#window.bytes, from + 1, last)) {
      if (last.changed !== undefined) this.#passage.replace(from, to, last.changed);
      return;
    }
    const text = readText(this.#window.bytes, from, to);
    if (text === undefined) return;
    if (place.isNoted) this.#observer?.noted(text);
    if (place.decide !== undefined) this.#passage.decide(from, place.decide(text));
    if (place.choose !== undefined) this.#choose(place, place.choose(text));
    const changed = place.text === undefined ? undefined : textAt(place, { size: to - from, text }, this.#observer);
    if (changed !== undefined) this.#passage.replace(from, to, changed);
  }

  /** Gives the container that a text is about the shape that the text selects. */
  #choose({ chooseUp }: Place, chosen: Shape | undefined): void {
    const around = this.#places.length - chooseUp;
    if (chosen !== undefined && around >= 0) this.#places[around] = compile(chosen);
  }

  #open(at: number, isList: boolean, length: number): number {
    const place = this.#valuePlace();
    this.#place = place;
    if (place.isFiltered) this.#passage.beginElement(at, this.#places.length);
    if (place.isUntouched || this.#passage.output.isDropping) {
      this.#skipDepth = 1;
      return this.#skip(at + 1, length);
    }
    if (place.isOnlyAboutApi) {
      const end = this.#window.endWithoutApi(at + 1, length);
      if (end >= 0) {
        this.#ended(end);
        return end;
      }
    }
    this.#places.push(place);
    this.#counts.push(isList ? 0 : -1);
    this.#expectsKey = !isList;
    if (isList) this.#place = place.sequence[0] ?? place.items;
    const isFiltering = isList ? this.#place.isFiltered : place.decideByKey !== undefined;
    if (isFiltering) this.#passage.separate(at + 1, true);
    return at + 1;
  }

  #skip(at: number, length: number): number {
    const end = this.#window.skip(at, length, this.#skipDepth);
    if (end < 0) {
      this.#skipDepth = -1 - end;
      return length;
    }
    this.#skipDepth = 0;
    this.#ended(end);
    return end;
  }

  #close(at: number): void {
    if (this.#places.length === 0) return;
    this.#passage.endList(at);
    this.#places.pop();
    this.#counts.pop();
    this.#expectsKey = false;
    this.#ended(at + 1);
  }

  /** A value is over; the byte after it is given. */
  #ended(end: number): void {
    if (this.#passage.filteredDepth === this.#places.length) this.#passage.endElement(end);
  }

  #comma(at: number): void {
    const last = this.#places.length - 1;
    if (last < 0) return;
    const place = this.#places[last] as Place;
    const count = this.#counts[last] as number;
    this.#expectsKey = count < 0;
    if (count >= 0) {
      this.#counts[last] = count + 1;
      this.#place = place.sequence[count + 1] ?? place.items;
    }
    const isFiltering = count < 0 ? place.decideByKey !== undefined : this.#place.isFiltered;
    if (isFiltering) this.#passage.separate(at, false);
  }
}

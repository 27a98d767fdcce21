/** The exact JSON reader: byte by byte, iterative, with the grammar, numbers and messages of the API server's decoder. */
import { ByteScanner } from './byte-scanner.js';
import { maxJsonDepth, maxTextDepth } from './depth.js';
import type { JsonSyntaxError } from './errors.js';
import { PathFollower } from './path-follower.js';
import { setOwn } from './set-own.js';

/** A key that occurred twice in one object; the last occurrence won. */
export interface DuplicateField {
  /** As in `spec.containers[0].name`. */
  readonly path: string;
}

/** What a text contains beyond its value, by the object or array it is in and the key or index there. */
export interface JsonNotes {
  /** Numbers whose value does not show how they were written: with a point, with an exponent, beyond int64. */
  readonly spellings: ReadonlyMap<object, ReadonlyMap<string | number, string>>;
  /** The values that a later one of the same key took the place of, in their order. */
  readonly replaced: ReadonlyMap<object, ReadonlyMap<string | number, readonly ReplacedValue[]>>;
}

/** What else can be recorded of a text while it is read. */
export interface JsonTextNotes extends JsonNotes {
  /** Texts with half a surrogate pair, or bytes that are no text, as they were written, quotes included. */
  readonly texts: ReadonlyMap<object, ReadonlyMap<string | number, string>>;
  /** Objects with keys that have bytes that are no text. */
  readonly oddKeys: ReadonlySet<object>;
  /** Where objects and arrays are in the bytes. */
  readonly spans: ReadonlyMap<object, ByteSpan>;
}

/** From the first byte to behind the last. */
export interface ByteSpan {
  readonly start: number;
  readonly end: number;
}

/** A value that gave way to a later one. */
export interface ReplacedValue {
  readonly value: unknown;
  /** How a number was written where its value does not show it. */
  readonly spelling: string | undefined;
}

/** What reading gave. */
export interface ExactResult {
  value: unknown;
  duplicates: DuplicateField[];
  hasBigInt: boolean;
  /** How deep objects and arrays nest. */
  depth: number;
  notes: JsonTextNotes;
  /** The first number no float64 holds; it reads as an infinity. */
  beyondFloat: JsonSyntaxError | undefined;
}

interface Frame {
  readonly array: unknown[] | undefined;
  readonly object: Record<string, unknown> | undefined;
  readonly start: number;
  key: string;
  /** Where it is; looked up only when a key in it repeats. */
  place: Place | undefined;
}

/** A path without its text: repeats of one path are distinguished from others in constant time, however long the path. */
class Place {
  isReported = false;
  readonly #children = new Map<string | number, Place>();

  child(step: string | number): Place {
    let child = this.#children.get(step);
    if (child === undefined) this.#children.set(step, (child = new Place()));
    return child;
  }
}

/** The server stops collecting strict errors here. */
const maxDuplicates = 100;

type Notes<T> = Map<object, Map<string | number, T>>;

function note<T>(notes: Notes<T>, holder: object, key: string | number, value: T): void {
  const ofHolder = notes.get(holder);
  if (ofHolder === undefined) notes.set(holder, new Map([[key, value]]));
  else ofHolder.set(key, value);
}

class ExactReader {
  readonly #scanner: ByteScanner;
  readonly #maxDepth: number;
  readonly #stack: Frame[] = [];
  #deepest = 0;
  readonly #duplicatePaths = new Set<string>();
  readonly #spellings: Notes<string> = new Map();
  readonly #texts: Notes<string> = new Map();
  readonly #oddKeys = new Set<object>();
  readonly #spans = new Map<object, ByteSpan>();
  readonly #replaced: Notes<ReplacedValue[]> = new Map();

  /** Follows every container and key, as it is met. */
  readonly #follower: PathFollower | undefined;

  constructor(bytes: Uint8Array, maxDepth: number, follower?: PathFollower) {
    this.#follower = follower;
    this.#scanner = new ByteScanner(bytes);
    this.#maxDepth = maxDepth;
  }

  read(): ExactResult {
    let value: unknown;
    for (;;) {
      const opened = this.#begin();
      if (opened !== undefined) {
        if (!this.#closesAtOnce(opened)) continue;
        value = this.#close(opened);
      } else {
        value = this.#scanner.literal();
      }
      // Hand finished values upwards until something needs another value.
      for (;;) {
        const frame = this.#stack.at(-1);
        if (frame === undefined) return this.#finish(value);
        this.#hold(frame, value);
        if (!this.#endOfContainer(frame)) break;
        value = this.#close(frame);
      }
    }
  }

  /** Behind a closing bracket: what it closed. */
  #close({ array, object, start }: Frame): unknown {
    this.#stack.pop();
    this.#follower?.close();
    const value = array ?? object;
    if (value !== undefined) this.#spans.set(value, { start, end: this.#scanner.offset });
    return value;
  }

  /** Puts a value into its container. */
  #hold(frame: Frame, value: unknown): void {
    const { array, object, key } = frame;
    const { spelling, writtenText } = this.#scanner;
    const holder = array ?? object ?? frame;
    if (spelling !== undefined) note(this.#spellings, holder, array?.length ?? key, spelling);
    if (writtenText !== undefined) note(this.#texts, holder, array?.length ?? key, writtenText);
    this.#scanner.spelling = undefined;
    this.#scanner.writtenText = undefined;
    if (array !== undefined) array.push(value);
    else if (object !== undefined) setOwn(object, key, value);
  }

  /** Opens a container when one starts here. */
  #begin(): Frame | undefined {
    this.#scanner.skipSpace();
    const byte = this.#scanner.peek();
    if (byte !== 0x7b && byte !== 0x5b) return undefined;
    const start = this.#scanner.offset;
    const frame: Frame =
      byte === 0x7b
        ? { array: undefined, object: {}, start, key: '', place: undefined }
        : { array: [], object: undefined, start, key: '', place: undefined };
    if (this.#follower !== undefined) this.#follower.open(this.#lastStep());
    this.#stack.push(frame);
    if (this.#stack.length > this.#deepest) this.#deepest = this.#stack.length;
    if (this.#stack.length > this.#maxDepth) this.#scanner.fail('exceeded max depth');
    this.#scanner.advance();
    return frame;
  }

  /** After an opening bracket: true when the container is empty; for an object reads the first key otherwise. */
  #closesAtOnce(frame: Frame): boolean {
    this.#scanner.skipSpace();
    if (this.#scanner.peek() === (frame.object === undefined ? 0x5d : 0x7d)) {
      this.#scanner.advance();
      return true;
    }
    if (frame.object !== undefined) this.#key(frame, frame.object);
    return false;
  }

  /** After a value: true when the container closed, false when another value follows. */
  #endOfContainer(frame: Frame): boolean {
    this.#scanner.skipSpace();
    const byte = this.#scanner.peek();
    const object = frame.object;
    if (byte === 0x2c) {
      this.#scanner.advance();
      if (object !== undefined) {
        this.#scanner.skipSpace();
        this.#key(frame, object);
      }
      return false;
    }
    if (byte === (object === undefined ? 0x5d : 0x7d)) {
      this.#scanner.advance();
      return true;
    }
    return this.#scanner.fail(object === undefined ? 'after array element' : 'after object key:value pair');
  }

  #key(frame: Frame, object: Record<string, unknown>): void {
    if (this.#scanner.peek() !== 0x22) this.#scanner.fail('looking for beginning of object key string');
    frame.key = this.#scanner.key();
    if (this.#scanner.isOddKey) this.#oddKeys.add(object);
    this.#scanner.skipSpace();
    if (this.#scanner.peek() !== 0x3a) this.#scanner.fail('after object key');
    this.#scanner.advance();
    this.#follower?.key(this.#lastStep());
    if (Object.hasOwn(object, frame.key)) this.#noteDuplicate(object, frame.key);
  }

  #noteDuplicate(object: Record<string, unknown>, key: string): void {
    const spelling = this.#spellings.get(object)?.get(key);
    this.#spellings.get(object)?.delete(key);
    this.#texts.get(object)?.delete(key);
    const earlier = this.#replaced.get(object)?.get(key);
    const replaced = { value: object[key], spelling };
    if (earlier === undefined) note(this.#replaced, object, key, [replaced]);
    else earlier.push(replaced);
    if (this.#duplicatePaths.size >= maxDuplicates) return;
    const place = this.#placeOf(this.#stack.length - 1).child(key);
    if (place.isReported) return;
    place.isReported = true;
    this.#duplicatePaths.add(this.#path());
  }

  /** The place of an open container; found once for each, as what is around it stays as it is while it is open. */
  #placeOf(depth: number): Place {
    let known = depth;
    while (known > 0 && this.#stack[known]?.place === undefined) known--;
    let place = (this.#frame(known).place ??= new Place());
    for (let at = known + 1; at <= depth; at++) {
      place = place.child(stepOf(this.#frame(at - 1)));
      this.#frame(at).place = place;
    }
    return place;
  }

  #frame(depth: number): Frame {
    return this.#stack[depth] as Frame;
  }

  /** The last step of the path to where the reader is, as paths are written; empty at the root. */
  #lastStep(): string {
    const depth = this.#stack.length - 1;
    const frame = this.#stack[depth];
    return frame === undefined ? '' : writtenStep(frame, depth);
  }

  #path(): string {
    let path = '';
    this.#stack.forEach((frame, depth) => {
      path += writtenStep(frame, depth);
    });
    return path;
  }

  #finish(value: unknown): ExactResult {
    this.#scanner.skipSpace();
    if (this.#scanner.peek() !== -1) this.#scanner.fail('after top-level value');
    const notes = {
      spellings: this.#spellings,
      texts: this.#texts,
      oddKeys: this.#oddKeys,
      spans: this.#spans,
      replaced: this.#replaced,
    };
    const { hasBigInt, numberError: beyondFloat } = this.#scanner;
    const duplicates = [...this.#duplicatePaths].map((path) => ({ path }));
    return { value, duplicates, hasBigInt, depth: this.#deepest, notes, beyondFloat };
  }
}

function stepOf({ array, key }: Frame): string | number {
  return array === undefined ? key : array.length;
}

function writtenStep({ array, key }: Frame, depth: number): string {
  if (array !== undefined) return `[${array.length}]`;
  return depth === 0 ? key : `.${key}`;
}

/** Which of the paths a text has, in the order and as often as their keys are met; the text is one that can be read. */
export function metKeyPaths(bytes: Uint8Array, paths: readonly string[]): string[] {
  const follower = new PathFollower(paths);
  new ExactReader(bytes, maxTextDepth, follower).read();
  return follower.met;
}

/** Reads JSON bytes exactly; throws {@link JsonSyntaxError}. */
export function readExactly(bytes: Uint8Array, maxDepth: number = maxJsonDepth): ExactResult {
  return new ExactReader(bytes, maxDepth).read();
}

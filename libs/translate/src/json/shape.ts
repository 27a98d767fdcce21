/** What becomes of a string at its place; the very same string means that its bytes stay. */
export type TextChange = (text: string) => string;

/** What becomes of an element of a list, once something in it tells. */
export type Verdict = 'keep' | 'drop' | undefined;

/** What is done at one place of a document and below it. A place may turn out to hold anything: an object, a list, a string. */
export interface Shape {
  /** When it is a string. */
  text?: TextChange | undefined;
  /** Longest string in bytes, as written, that is held back to be looked at; a longer one passes. */
  textLimit?: number | undefined;
  /** When it is an object: its members by name. */
  members?: ReadonlyMap<string, Shape> | undefined;
  /** All its other members. Default: left alone. */
  others?: Shape | undefined;
  /** When it is an object whose keys carry groups. */
  keys?: TextChange | undefined;
  /** When it is a list. Default: left alone. */
  items?: Shape | undefined;
  /** It is an element that may have to be left out: it is held back until a judge below it has spoken. */
  judged?: boolean | undefined;
  /** Speaks, when it is a string, of the judged element around it. */
  judge?: ((text: string) => Verdict) | undefined;
}

/** Left alone, whatever it holds. */
export const UNTOUCHED: Shape = Object.freeze({});

/** Bytes of one string that may be held back. A group and version has at most 317, each written with up to six. */
export const TEXT_LIMIT = 2048;

/** A shape made ready for the scanner: what every step asks for is there. */
export interface Place {
  readonly isUntouched: boolean;
  readonly text: TextChange | undefined;
  readonly judge: Shape['judge'];
  /** The string must be read. */
  readonly readsText: boolean;
  readonly textLimit: number;
  readonly members: ReadonlyMap<string, Place>;
  /** Lengths of the names of members, by number: keys of any other length need no look. */
  readonly lengths: Uint8Array;
  readonly others: Place;
  readonly keys: TextChange | undefined;
  readonly items: Place;
  readonly isJudged: boolean;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Longest member name that shapes may speak of. */
const LONGEST_NAME = 63;

const compiled = new WeakMap<Shape, Place>();

/** Makes a shape ready; shapes may refer to themselves. */
export function compile(shape: Shape): Place {
  const known = compiled.get(shape);
  if (known !== undefined) return known;
  const place = {} as Mutable<Place>;
  compiled.set(shape, place);
  const lengths = new Uint8Array(LONGEST_NAME + 1);
  const members = new Map<string, Place>();
  place.isUntouched = Object.keys(shape).length === 0;
  place.text = shape.text;
  place.judge = shape.judge;
  place.readsText = shape.text !== undefined || shape.judge !== undefined;
  place.textLimit = shape.textLimit ?? TEXT_LIMIT;
  place.members = members;
  place.lengths = lengths;
  place.keys = shape.keys;
  place.isJudged = shape.judged === true;
  for (const [name, member] of shape.members ?? []) {
    lengths[name.length] = 1;
    members.set(name, compile(member));
  }
  place.others = compile(shape.others ?? UNTOUCHED);
  place.items = compile(shape.items ?? UNTOUCHED);
  return place;
}

/** Members by name, for shapes written by hand. */
export function members(of: Readonly<Record<string, Shape>>): ReadonlyMap<string, Shape> {
  return new Map(Object.entries(of));
}

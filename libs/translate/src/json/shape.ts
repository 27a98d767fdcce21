/** What becomes of a string at its place; the very same string means that its bytes stay. */
export type TextChange = (text: string) => string;

/** Whether an element of a list is kept or dropped; undefined while that is not known. */
export type Verdict = 'keep' | 'drop' | undefined;

/** What is done at one place of a document and below it. A place may turn out to hold anything: an object, a list, a string. */
export interface Shape {
  /** When it is a string. Must always give the same for the same: what it gave is remembered. */
  text?: TextChange | undefined;
  /** Longest string in bytes, as written, that is held back to be looked at; a longer one passes. */
  textLimit?: number | undefined;
  /** When it is an object: its members by name. */
  members?: ReadonlyMap<string, Shape> | undefined;
  /** All its other members. Default: left alone. */
  others?: Shape | undefined;
  /** When it is an object whose keys carry groups. */
  keys?: TextChange | undefined;
  /** When it is an object some of whose members may have to be left out: the verdict by key. */
  decideByKey?: ((key: string) => Verdict) | undefined;
  /** When it is a list. Default: left alone. */
  items?: Shape | undefined;
  /** When it is a list whose first elements are known one by one; `items` is for the rest. */
  sequence?: readonly Shape[] | undefined;
  /** It is an element that may have to be left out: held back until a `decide` below it gives a verdict. */
  filtered?: boolean | undefined;
  /** When it is a string: the verdict on the filtered element around it. */
  decide?: ((text: string) => Verdict) | undefined;
  /** When it is a string that identifies the object around it: its shape from here on, or undefined to keep it. */
  choose?: ((text: string) => Shape | undefined) | undefined;
  /** Which container `choose` is about: 1 is the one around the string, 2 the one around that. Default 1. */
  chooseUp?: number | undefined;
  /** When it is a string: it is reported to the observer of the rewriter. */
  isNoted?: boolean | undefined;
}

/** Follows what a rewriter reads. */
export interface RewriterObserver {
  /** A string at a place that is noted. */
  noted(text: string): void;
  /** A place refuses its text: gives what it becomes all the same, or throws. */
  refused(error: unknown, again: () => string): string;
}

/** Left alone, whatever it holds. */
export const UNTOUCHED: Shape = Object.freeze({});

/** Bytes of one string that may be held back. A group and version has at most 317, each written with up to six. */
export const TEXT_LIMIT = 2048;

/** A member by its name, as bytes. */
export interface Member {
  readonly name: Uint8Array;
  readonly place: Place;
}

/** A text as bytes, and what it becomes: undefined where it stays. */
export interface Remembered {
  readonly name: Uint8Array;
  readonly changed: Uint8Array | undefined;
}

/** A shape made ready for the walk: what every step asks for is there. */
export interface Place {
  readonly isUntouched: boolean;
  /** A container there is looked at only under names that begin like `apiVersion` and `apiGroup`. */
  readonly isOnlyAboutApi: boolean;
  readonly text: TextChange | undefined;
  /** What texts became, as bytes between quotes; undefined for those that stay. */
  readonly changed: Map<string, Uint8Array | undefined>;
  /** The last text of each length, where that is all that a string is read for. */
  readonly last: (Remembered | undefined)[] | undefined;
  readonly decide: Shape['decide'];
  readonly choose: Shape['choose'];
  readonly chooseUp: number;
  readonly isNoted: boolean;
  /** The string must be read. */
  readonly readsText: boolean;
  readonly textLimit: number;
  readonly members: ReadonlyMap<string, Place>;
  /** Members by the length of their names, which separates most keys. */
  readonly byLength: readonly (readonly Member[] | undefined)[];
  readonly others: Place;
  readonly keys: TextChange | undefined;
  readonly decideByKey: Shape['decideByKey'];
  /** Keys must be read, not only compared. */
  readonly readsKeys: boolean;
  readonly items: Place;
  readonly sequence: readonly Place[];
  readonly isFiltered: boolean;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

const encoder = new TextEncoder();
const compiled = new WeakMap<Shape, Place>();

/** Makes a shape ready; shapes may refer to themselves. */
export function compile(shape: Shape): Place {
  const known = compiled.get(shape);
  if (known !== undefined) return known;
  const place = {} as Mutable<Place>;
  compiled.set(shape, place);
  const byLength: Member[][] = [];
  const members = new Map<string, Place>();
  place.isUntouched = Object.keys(shape).length === 0;
  place.isOnlyAboutApi = isOnlyAboutApi(shape);
  place.text = shape.text;
  place.changed = new Map();
  place.last = [shape.decide, shape.choose, shape.isNoted].every((reader) => reader === undefined) ? [] : undefined;
  place.decide = shape.decide;
  place.choose = shape.choose;
  place.chooseUp = shape.chooseUp ?? 1;
  place.isNoted = shape.isNoted === true;
  place.readsText = [shape.text, shape.decide, shape.choose, shape.isNoted].some((reader) => reader !== undefined);
  place.textLimit = shape.textLimit ?? TEXT_LIMIT;
  place.members = members;
  place.byLength = byLength;
  place.keys = shape.keys;
  place.decideByKey = shape.decideByKey;
  place.readsKeys = [shape.keys, shape.decideByKey].some((reader) => reader !== undefined);
  place.isFiltered = shape.filtered === true;
  for (const [name, member] of shape.members ?? []) {
    const bytes = encoder.encode(name);
    const inner = compile(member);
    members.set(name, inner);
    (byLength[bytes.length] ??= []).push({ name: bytes, place: inner });
  }
  place.others = compile(shape.others ?? UNTOUCHED);
  place.items = compile(shape.items ?? UNTOUCHED);
  place.sequence = (shape.sequence ?? []).map(compile);
  return place;
}

/** Whether nothing below a shape matters but what stands under names that begin as the scanner looks for them. */
function isOnlyAboutApi(shape: Shape, seen = new Set<Shape>()): boolean {
  if (seen.has(shape)) return true;
  seen.add(shape);
  const { text, decide, choose, keys, decideByKey, filtered, isNoted, others, items, sequence = [] } = shape;
  if ([text, decide, choose, keys, decideByKey, filtered, isNoted].some((reader) => reader !== undefined)) return false;
  for (const [name, member] of shape.members ?? [])
    if (!name.startsWith('ap') && !isOnlyAboutApi(member, seen)) return false;
  return [others, items, ...sequence].every((below) => below === undefined || isOnlyAboutApi(below, seen));
}

/** Members by name, for shapes written by hand. */
export function members(of: Readonly<Record<string, Shape>>): ReadonlyMap<string, Shape> {
  return new Map(Object.entries(of));
}

/** Labels and annotations: several maps in Machine API that are one in Cluster API. */
import { setOwn } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import type { Path, Step } from '../engine/path.js';
import { claimPath, getAt, isRecord, setAt, stepInto } from '../engine/path.js';
import { isEmpty } from '../engine/record-rules.js';
import type { Claim, Scope, Side } from '../engine/rule.js';
import { addError, addWarning } from '../engine/rule.js';
import type { MachineContext, MachineRule } from './platform.js';

/** A map of texts. */
export type Texts = Readonly<Record<string, unknown>>;

/** Two pure functions that need not be each other's reverse: what would not come back is put aside by the rule. */
export interface TextConversion<F> {
  toClusterApi(places: readonly Texts[], facts: F): Texts;
  /** As many maps as there are places. */
  toMachineApi(texts: Texts, facts: F, places: number): readonly Texts[];
  /** Entries that say how far the programs of an API are, or that another rule reads: neither converted nor kept. */
  isPassing?(side: Side, key: string): boolean;
  /** Why an entry of the side cannot be one of the other side: it would get or lose its effect there. */
  refusal?(side: Side, key: string, value: unknown): string | undefined;
}

/** Where the maps are, and what is known apart from them. */
export interface TextPlaces<F> {
  /** Of Machine API, the first goes before on the way back; a later one wins on the way there. */
  readonly left: readonly Path[];
  /** Of Cluster API. */
  readonly right: Path;
  readonly facts: (scope: Scope<MachineContext>) => F;
  /** Entries of Cluster API that no object of Machine API can stand for, with the reason. */
  readonly refused?: Readonly<Record<string, string>>;
  /** Entries of either side that are neither converted nor kept here. */
  readonly dropped?: (key: string, scope: Scope<MachineContext>) => boolean;
}

function isEqual(a: Texts, b: Texts): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && a[key] === b[key]);
}

function readMap(scope: Scope<MachineContext>, path: Path): Texts {
  const found = getAt(scope.source, path);
  if (found === undefined) return {};
  if (!isRecord(found)) {
    addError(scope, path, 'must be an object');
    return {};
  }
  for (const key of Object.keys(found))
    if (typeof found[key] !== 'string') addError({ ...scope, at: keyStep(scope, path, key) }, [], 'must be a string');
  return found;
}

function keyStep(scope: Scope<MachineContext>, path: Path, key: string): Step {
  return { before: stepInto(scope.at, path), kind: 'key', name: key };
}

/** Writes into a map of the target that other rules write into as well. */
function write(target: JsonObject, path: Path, texts: Texts): void {
  const keys = Object.keys(texts);
  if (keys.length === 0) return;
  const there = getAt(target, path);
  const map: JsonObject = isRecord(there) ? there : {};
  if (map !== there) setAt(target, path, map);
  for (const key of keys) setOwn(map, key, texts[key]);
}

/** What was put aside, with the changes that were made on the other side since. */
function merged(kept: Texts, before: Texts, after: Texts): Texts {
  const made: Record<string, unknown> = { ...kept };
  for (const key of Object.keys(before)) if (!Object.hasOwn(after, key)) delete made[key];
  for (const key of Object.keys(after)) if (before[key] !== after[key]) setOwn(made, key, after[key]);
  return made;
}

/** Runs one conversion in its places. */
class TextRule<F> {
  readonly #conversion: TextConversion<F>;
  readonly #places: TextPlaces<F>;

  constructor(conversion: TextConversion<F>, places: TextPlaces<F>) {
    this.#conversion = conversion;
    this.#places = places;
  }

  convert(scope: Scope<MachineContext>): void {
    if (scope.run.from === scope.run.to) this.#normalise(scope);
    else if (scope.run.to === 'right') this.#forward(scope);
    else this.#backward(scope);
  }

  #there(maps: readonly Texts[], facts: F): Texts {
    return this.#conversion.toClusterApi(maps, facts);
  }

  #back(map: Texts, facts: F): readonly Texts[] {
    return this.#conversion.toMachineApi(map, facts, this.#places.left.length);
  }

  /** The map at a path without what is passing. */
  #read(scope: Scope<MachineContext>, path: Path): Texts {
    const map = readMap(scope, path);
    const { from } = scope.run;
    const { dropped } = this.#places;
    const conversion = this.#conversion;
    if (conversion.isPassing === undefined && dropped === undefined) return map;
    const made: Record<string, unknown> = {};
    let isWhole = true;
    for (const key of Object.keys(map)) {
      if (conversion.isPassing?.(from, key) === true || dropped?.(key, scope) === true) isWhole = false;
      else setOwn(made, key, map[key]);
    }
    return isWhole ? map : made;
  }

  #forward(scope: Scope<MachineContext>): void {
    const { facts: factsOf, left, right } = this.#places;
    const facts = factsOf(scope);
    const maps = left.map((path) => this.#read(scope, path));
    const made = this.#there(maps, facts);
    const kept = getAt(scope.restored, right);
    const result = isRecord(kept) ? merged(kept, this.#there(this.#back(kept, facts), facts), made) : made;
    write(scope.target, right, result);
    const returned = this.#back(result, facts);
    // All or none of them: what one place has determines the other.
    const comesBack = maps.every((map, at) => isEqual(map, returned[at] ?? {}));
    for (let at = 0; at < maps.length; at++) {
      const [path, map] = [left[at] as Path, maps[at] as Texts];
      this.#reportProblems(scope, path, map, maps.slice(at + 1));
      if (scope.run.aside !== undefined && !comesBack) setAt(scope.run.aside, path, map);
    }
  }

  #reportProblems(scope: Scope<MachineContext>, path: Path, map: Texts, over: readonly Texts[]): void {
    const conversion = this.#conversion;
    const others = over.filter((each) => !isEmpty(each));
    if (conversion.refusal === undefined && others.length === 0) return;
    for (const key of Object.keys(map)) {
      const reason = conversion.refusal?.('left', key, map[key]);
      if (reason !== undefined) addError({ ...scope, at: keyStep(scope, path, key) }, [], reason, 'EffectDiffers');
      const isHidden = others.some((each) => Object.hasOwn(each, key) && each[key] !== map[key]);
      if (isHidden) addWarning({ ...scope, at: keyStep(scope, path, key) }, [], 'is hidden by the one for nodes');
    }
  }

  #backward(scope: Scope<MachineContext>): void {
    const { facts: factsOf, left, refused = {}, right } = this.#places;
    const facts = factsOf(scope);
    const map = this.#read(scope, right);
    for (const key of Object.keys(refused)) {
      if (Object.hasOwn(map, key))
        addError({ ...scope, at: keyStep(scope, right, key) }, [], refused[key] ?? '', 'Unsupported');
    }
    for (const key of Object.keys(map)) {
      const reason = this.#conversion.refusal?.('right', key, map[key]);
      if (reason !== undefined) addError({ ...scope, at: keyStep(scope, right, key) }, [], reason, 'EffectDiffers');
    }
    const made = this.#back(map, facts);
    const result = this.#withRestored(scope, made, facts);
    result.forEach((each, at) => write(scope.target, left[at] as Path, each));
    if (scope.run.aside !== undefined && !isEqual(this.#there(result, facts), map)) setAt(scope.run.aside, right, map);
  }

  #withRestored(scope: Scope<MachineContext>, made: readonly Texts[], facts: F): readonly Texts[] {
    const found = this.#places.left.map((path) => getAt(scope.restored, path));
    if (found.every((each) => each === undefined)) return made;
    const kept = found.map((each, at) => (isRecord(each) ? each : (made[at] ?? {})));
    const before = this.#back(this.#there(kept, facts), facts);
    return kept.map((own, at) => merged(own, before[at] ?? {}, made[at] ?? {}));
  }

  /** All of it comes back, save what is passing. */
  #normalise(scope: Scope<MachineContext>): void {
    const { left, right } = this.#places;
    for (const path of scope.run.from === 'left' ? left : [right]) write(scope.target, path, this.#read(scope, path));
  }
}

/** A rule about labels or annotations: lossless from either side. */
export function texts<F>(conversion: TextConversion<F>, places: TextPlaces<F>): MachineRule {
  const rule = new TextRule(conversion, places);
  const claim = (path: Path): Claim => ({ path: `${claimPath(path)}{}`, fate: 'mapped', isKept: true });
  return {
    claims: { left: places.left.map(claim), right: [claim(places.right)] },
    convert: (scope) => rule.convert(scope),
  };
}

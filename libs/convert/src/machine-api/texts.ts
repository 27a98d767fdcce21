/** Labels and annotations: several maps in Machine API that are one in Cluster API. */
import { setOwn, stringifyJson } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import type { Path, Step } from '../engine/path.js';
import { claimPath, getAt, isRecord, setAt, stepInto } from '../engine/path.js';
import type { Claim, Scope } from '../engine/rule.js';
import { addError, addWarning } from '../engine/rule.js';
import type { MachineContext, MachineRule } from './platform.js';

/** A map of texts. */
export type Texts = Readonly<Record<string, unknown>>;

/** Two pure functions that need not be each other's reverse: what would not come back is put aside by the rule. */
export interface TextConversion<F> {
  toClusterApi(places: readonly Texts[], facts: F): Texts;
  /** As many maps as there are places. */
  toMachineApi(texts: Texts, facts: F, places: number): readonly Texts[];
  /** Whether two values of a Cluster API entry mean the same; equal ones when not given. */
  isSame?(key: string, a: unknown, b: unknown): boolean;
  /** Entries of Cluster API that are none of this conversion's, and are dropped in silence. */
  isOthers?(key: string): boolean;
  /** An entry of Machine API that its programs write anew in a moment, and that is not kept. */
  readonly fleeting?: string;
}

/** Where the maps are, and what is known beside them. */
export interface TextPlaces<F> {
  /** Of Machine API, the first goes before on the way back; a later one wins on the way there. */
  readonly left: readonly Path[];
  /** Of Cluster API. */
  readonly right: Path;
  readonly facts: (scope: Scope<MachineContext>) => F;
  /** Entries of Cluster API that no object of Machine API can stand for, with the reason. */
  readonly refused?: Readonly<Record<string, string>>;
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
function merged(kept: readonly Texts[], before: readonly Texts[], after: readonly Texts[]): Texts[] {
  return kept.map((own, at) => {
    const made: Record<string, unknown> = { ...own };
    const [was, is] = [before[at] ?? {}, after[at] ?? {}];
    for (const key of Object.keys(was)) if (!Object.hasOwn(is, key)) delete made[key];
    for (const key of Object.keys(is)) if (was[key] !== is[key]) setOwn(made, key, is[key]);
    return made;
  });
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

  #readLeft(scope: Scope<MachineContext>, path: Path): Texts {
    const { fleeting } = this.#conversion;
    const map = readMap(scope, path);
    if (fleeting === undefined || !Object.hasOwn(map, fleeting)) return map;
    const { [fleeting]: _, ...rest } = map;
    return rest;
  }

  #forward(scope: Scope<MachineContext>): void {
    const { facts: factsOf, left, right } = this.#places;
    const facts = factsOf(scope);
    const maps = left.map((path) => this.#readLeft(scope, path));
    const made = this.#there(maps, facts);
    write(scope.target, right, made);
    const { aside } = scope.run;
    const returned = this.#back(made, facts);
    // All or none of them: what one place has tells what was meant for the other.
    const comesBack = maps.every((map, at) => isEqual(map, returned[at] ?? {}));
    maps.forEach((map, at) => {
      const path = left[at] as Path;
      warnOfHidden(scope, path, map, maps.slice(at + 1));
      if (aside !== undefined && !comesBack) setAt(aside, path, map);
    });
  }

  #restored(scope: Scope<MachineContext>, otherwise: readonly Texts[]): Texts[] | undefined {
    const found = this.#places.left.map((path) => getAt(scope.restored, path));
    if (found.every((each) => each === undefined)) return undefined;
    return found.map((each, at) => (isRecord(each) ? each : (otherwise[at] ?? {})));
  }

  #backward(scope: Scope<MachineContext>): void {
    const { facts: factsOf, left, right } = this.#places;
    const facts = factsOf(scope);
    const map = readMap(scope, right);
    const made = this.#back(map, facts);
    const kept = this.#restored(scope, made);
    const result = kept === undefined ? made : merged(kept, this.#back(this.#there(kept, facts), facts), made);
    result.forEach((each, at) => write(scope.target, left[at] as Path, each));
    this.#tellLosses(scope, map, this.#there(result, facts));
  }

  /** What would not come back again. */
  #tellLosses(scope: Scope<MachineContext>, map: Texts, again: Texts): void {
    const { refused = {}, right } = this.#places;
    for (const key of Object.keys(map)) {
      const reason = refused[key];
      if (reason !== undefined) addError({ ...scope, at: keyStep(scope, right, key) }, [], reason);
      if (this.#conversion.isOthers?.(key) === true) continue;
      if (map[key] === again[key] || this.#conversion.isSame?.(key, map[key], again[key]) === true) continue;
      const becomes = again[key] === undefined ? 'is dropped' : `will be ${stringifyJson(again[key])}`;
      addWarning({ ...scope, at: keyStep(scope, right, key) }, [], `${becomes}: Machine API has no place for it`);
    }
  }

  #normalise(scope: Scope<MachineContext>): void {
    const { facts: factsOf, left, right } = this.#places;
    if (scope.run.from === 'left') {
      for (const path of left) write(scope.target, path, this.#readLeft(scope, path));
      return;
    }
    const facts = factsOf(scope);
    write(scope.target, right, this.#there(this.#back(readMap(scope, right), facts), facts));
  }
}

/** Of entries of one name in several places only the last gets there. */
function warnOfHidden(scope: Scope<MachineContext>, path: Path, map: Texts, over: readonly Texts[]): void {
  if (over.length === 0) return;
  for (const key of Object.keys(map)) {
    const isHidden = over.some((each) => Object.hasOwn(each, key) && each[key] !== map[key]);
    if (isHidden) addWarning({ ...scope, at: keyStep(scope, path, key) }, [], 'is hidden by the one for nodes');
  }
}

/** A rule about labels or annotations: lossless from the left, and told where it is not from the right. */
export function texts<F>(conversion: TextConversion<F>, places: TextPlaces<F>): MachineRule {
  const rule = new TextRule(conversion, places);
  const claim = (path: Path): Claim => ({ path: `${claimPath(path)}{}`, fate: 'mapped', isKept: true });
  return {
    claims: { left: places.left.map(claim), right: [{ path: `${claimPath(places.right)}{}`, fate: 'mapped' }] },
    convert: (scope) => rule.convert(scope),
  };
}

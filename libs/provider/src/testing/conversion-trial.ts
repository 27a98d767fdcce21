import {
  absent,
  Choices,
  lawViolations,
  objectMaker,
  parseFieldList,
  roundTripViolations,
  totalityGaps,
  withoutEmpty,
} from '@capstan/convert';
import type { Claim, FieldList, LeafMaker, PartChooser, Side, TwoWayMap } from '@capstan/convert';
import { providerFields, providerMap, isZeroValue } from '@capstan/convert/machine-api';
import type { MachineContext, MachinePlatform } from '@capstan/convert/machine-api';
import { deepEqual } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import { must } from './conformance-subject.js';
import { checkWholeTotality, WholeObjects } from './conversion-whole.js';

/** What the conversion of a platform is tried with. */
export interface ConversionExamples {
  /** With an infrastructure cluster that fits the values that `makers` make. */
  readonly context: MachineContext;
  /**
   * Values of leaves that cannot be anything: ids, enums, values of the infrastructure cluster. Paths are those of
   * `providerFields`: `spec.providerSpec.value.…` on the left, `machine.spec.…` and `infrastructure.spec.…` on the right.
   */
  readonly makers: Readonly<Record<Side, LeafMaker>>;
  /** Records without which nothing converts, and so are nearly always there; paths as above. */
  readonly required?: readonly string[];
  /** Lists and records that are there, or not, as others are; `undefined` leaves them to the rest. Paths as above. */
  readonly parts?: Readonly<Partial<Record<Side, PartChooser>>>;
  /** Fields that provider specs of the control plane must have besides: its load balancers. */
  readonly controlPlane?: JsonObject;
  /** Leaves that cannot be in an object that converts, with the reason; paths as above. Counted, and held to be so. */
  readonly unconvertible?: Readonly<Record<string, string>>;
}

/** How seldom a field that is always an error is made: else hardly an object would convert. */
const REFUSED_ONE_IN = 600;
/** How many objects of a trial are also looked through for leaves that are lost, which takes a hundred times longer. */
const LOSS_ONE_IN = 40;
/** How seldom a record that nothing converts without is left to chance. */
const REQUIRED_NOT_ONE_IN = 20;
/** The records that hold all others. */
const frames = ['spec', 'spec.providerSpec', 'spec.providerSpec.value', 'infrastructure', 'infrastructure.spec'];
/** Of the objects, how many must convert at least, for the others say nothing of round trips. */
const CONVERTED_AT_LEAST = 0.2;

function covers(claim: string, path: string): boolean {
  if (!path.startsWith(claim)) return false;
  const next = path[claim.length];
  return next === undefined || next === '.' || next === '[' || next === '{';
}

function isRecord(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The leaves of a schema, and the maps in it. */
interface Leaves {
  readonly paths: ReadonlySet<string>;
  /** Each up to its `{}`. */
  readonly maps: ReadonlySet<string>;
}

function leavesOf(fields: FieldList): Leaves {
  const paths = new Set(parseFieldList(fields).map(({ path }) => path));
  const maps = [...paths].flatMap((path) => [...path.matchAll(/\{\}/g)].map(({ index }) => path.slice(0, index)));
  return { paths, maps: new Set(maps) };
}

/** The leaves of a value by their paths in the field list. */
function leafPaths(value: unknown, known: Leaves, path = ''): string[] {
  if (known.paths.has(path)) return [path];
  if (Array.isArray(value)) return value.flatMap((item) => leafPaths(item, known, `${path}[]`));
  if (!isRecord(value)) return [];
  const isMap = known.maps.has(path);
  return Object.entries(value).flatMap(([name, inner]) => {
    const named = path === '' ? name : `${path}.${name}`;
    return leafPaths(inner, known, isMap ? `${path}{}` : named);
  });
}

/** Where two values differ, as claims write it, and what the first one has there. */
function differences(a: unknown, b: unknown, path = ''): { readonly path: string; readonly was: unknown }[] {
  if (deepEqual(a, b)) return [];
  if (Array.isArray(a) && Array.isArray(b) && a.length === b.length)
    return a.flatMap((item, at) => differences(item, b[at], `${path}[]`));
  // A record that is there on one side only differs in each of its fields.
  if (isRecord(a) && b === undefined) return differences(a, {}, path);
  if (isRecord(b) && a === undefined) return differences({}, b, path);
  if (!isRecord(a) || !isRecord(b)) return [{ path, was: a }];
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].flatMap((name) => differences(a[name], b[name], path === '' ? name : `${path}.${name}`));
}

/** How many objects are made at most to have one with a certain field. */
const ATTEMPTS = 300;
const NUMBERS = 1000;

/** Numbers that are the same in every run. */
export function numbersOf(seed: number): number[] {
  // Neighbours must not be alike in their first numbers.
  let state = Math.imul(seed ^ 0x9e37_79b9, 0x85eb_ca6b) >>> 0;
  return Array.from({ length: NUMBERS }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 16;
  });
}

/** Random objects of one side, there and back. */
export class ConversionTrial {
  readonly #platform: MachinePlatform;
  readonly #examples: ConversionExamples;
  readonly #side: Side;
  readonly #map: TwoWayMap<MachineContext>;
  readonly #claims: readonly Claim[];
  /** What becomes of each path that was asked for: there are many objects, and few paths. */
  readonly #fates = new Map<string, string | undefined>();
  readonly #leaves: Leaves;
  readonly #required: ReadonlySet<string>;
  readonly #whole: WholeObjects;
  readonly #make: (choices: Choices) => JsonObject;
  readonly #made = new Set<string>();
  readonly #converted = new Set<string>();
  /** A field that is refused, and to be made all the same. */
  #wanted: string | undefined;
  #count = 0;
  #good = 0;

  constructor(platform: MachinePlatform, examples: ConversionExamples, side: Side) {
    this.#platform = platform;
    this.#examples = examples;
    this.#side = side;
    this.#map = providerMap(platform);
    this.#claims = this.#map.claims[side];
    const fields: FieldList = providerFields(platform)[side];
    this.#leaves = leavesOf(fields);
    this.#required = new Set([...frames, ...(examples.required ?? [])]);
    this.#whole = new WholeObjects(platform, examples);
    this.#make = objectMaker(
      fields,
      (path, choices) => this.#leaf(path, choices),
      (path, choices) => this.#part(path, choices),
    );
  }

  #fateOf(path: string): string | undefined {
    if (!this.#fates.has(path)) this.#fates.set(path, this.#claims.find((claim) => covers(claim.path, path))?.fate);
    return this.#fates.get(path);
  }

  /** Most of what is refused, be it a leaf or all that is in a list: else hardly an object would convert. */
  #isLeftOut(path: string, choices: Choices): boolean {
    if (this.#fateOf(path) !== 'unsupported') return false;
    const isWanted = this.#wanted !== undefined && covers(path, this.#wanted);
    return !isWanted && choices.below(REFUSED_ONE_IN) > 0;
  }

  #part(path: string, choices: Choices): boolean | undefined {
    if (this.#isLeftOut(path, choices)) return false;
    const own = this.#examples.parts?.[this.#side]?.(path, choices);
    if (own !== undefined) return own;
    return this.#required.has(path) && choices.below(REQUIRED_NOT_ONE_IN) < REQUIRED_NOT_ONE_IN - 1 ? true : undefined;
  }

  #leaf(path: string, choices: Choices): unknown {
    if (this.#isLeftOut(path, choices)) return absent;
    const { kind, apiVersions } = this.#platform.providerSpec;
    if (path === 'spec.providerSpec.value.kind') return kind;
    if (path === 'spec.providerSpec.value.apiVersion') return apiVersions[choices.below(apiVersions.length)];
    return this.#examples.makers[this.#side](path, choices);
  }

  /** The object that the numbers make. */
  objectOf(numbers: readonly number[]): JsonObject {
    return this.#make(new Choices(numbers));
  }

  /** Tries the object that the numbers make; throws when it breaks a law. */
  run(numbers: readonly number[]): void {
    const object = this.objectOf(numbers);
    const { context } = this.#examples;
    const outcome = this.#map.convert(this.#side, object, context);
    const paths = leafPaths(object, this.#leaves);
    for (const path of paths) this.#made.add(path);
    this.#count += 1;
    if (outcome.errors.length === 0) {
      this.#good += 1;
      for (const path of paths) this.#converted.add(path);
    }
    const laws = this.#count % LOSS_ONE_IN === 0 ? lawViolations : roundTripViolations;
    const found = laws(this.#map, this.#side, object, context);
    must(found.length === 0, `${found.join('\n')}\nfor ${JSON.stringify(object)}`);
    if (outcome.errors.length > 0) return;
    this.#checkForm(
      object,
      outcome.warnings.map(({ path }) => path),
    );
    if (this.#side === 'left' && outcome.warnings.length === 0) {
      const normal = this.#map.normalise('left', object, context);
      this.#whole.check((object['spec'] ?? {}) as JsonObject, (normal['spec'] ?? {}) as JsonObject);
    }
  }

  /** What comes back may differ from what was given only where the platform declares it. */
  #checkForm(object: JsonObject, warned: readonly string[]): void {
    const normal = this.#map.normalise(this.#side, object, this.#examples.context);
    const declared = this.#platform.equivalences.map(({ path, side }) =>
      side === 'machine-api' ? `spec.providerSpec.value.${path}` : `infrastructure.spec.${path}`,
    );
    const changed = differences(withoutEmpty(object), withoutEmpty(normal)).filter(({ path, was }) => {
      const fate = this.#fateOf(path);
      return (
        !(fate === 'unsupported' && isZeroValue(was)) &&
        // The CRD of a Machine has no empty texts.
        !(path.startsWith('machine.spec.') && was === '') &&
        fate !== 'constant' &&
        fate !== 'derived' &&
        !declared.some((each) => covers(each, path) || covers(path, each)) &&
        !warned.some((each) => covers(each.replaceAll(/\[\d+\]/g, '[]'), path))
      );
    });
    const paths = changed.map(({ path }) => path).join(', ');
    must(changed.length === 0, `comes back in another form: ${paths}\nfor ${JSON.stringify(object)}`);
  }

  /** Tries objects that have the field, which chance did not make. */
  #seek(path: string): void {
    const { count, good } = { count: this.#count, good: this.#good };
    this.#wanted = path;
    for (let seed = 1; seed <= ATTEMPTS && !this.#made.has(path); seed++) this.run(numbersOf(seed));
    this.#wanted = undefined;
    // The number of objects tried does not show how many convert.
    [this.#count, this.#good] = [count, good];
  }

  /** Checks that the objects together were enough: every field set, and set in one that converts. */
  finish(): void {
    const leaves = [...this.#leaves.paths];
    for (const path of leaves) if (!this.#made.has(path) && this.#fateOf(path) === 'unsupported') this.#seek(path);
    const never = leaves.filter((path) => !this.#made.has(path));
    must(never.length === 0, `never set: ${never.join(', ')}`);
    const { unconvertible = {} } = this.#examples;
    const refused = leaves.filter(
      (path) => !this.#converted.has(path) && this.#fateOf(path) !== 'unsupported' && !(path in unconvertible),
    );
    must(refused.length === 0, `never set in an object that converts: ${refused.join(', ')}`);
    must(this.#side === 'right' || this.#whole.controlPlanes > 0, 'no set of control plane machines converts');
    const share = this.#good / this.#count;
    must(share >= CONVERTED_AT_LEAST, `only ${this.#good} of ${this.#count} objects convert`);
  }
}

/** Fails unless every field of both sides has one rule, and every rule a field. */
export function checkTotality(platform: MachinePlatform): void {
  const gaps = totalityGaps(providerMap(platform).claims, providerFields(platform));
  for (const side of ['left', 'right'] as const) {
    const { missing, stale, unequal } = gaps[side];
    must(missing.length === 0, `${side}: no rule speaks of ${missing.join(', ')}`);
    must(stale.length === 0, `${side}: rules for fields that are not there: ${stale.join(', ')}`);
    must(unequal.length === 0, `${side}: copied, though the other side has it otherwise: ${unequal.join(', ')}`);
  }
  checkWholeTotality(platform);
}

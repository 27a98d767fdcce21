/** A whole declaration: rules over one pair of objects, run in either direction. */
import { parseJson, stringifyJson } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import type { Path, PathLike } from './path.js';
import { formatStep, getAt, isRecord, parsePath } from './path.js';
import { RuleList, isEmpty } from './record-rules.js';
import type { Claim, Issue, Rule, Run, Scope, Side } from './rule.js';
import { addError, addWarning, otherSide } from './rule.js';
import type { ClaimTree } from './unknown-fields.js';
import { claimTree, unknownFields } from './unknown-fields.js';

/** What a run gives. With errors the value is what could be made, and must not be used. */
export interface Outcome {
  readonly value: JsonObject;
  readonly errors: readonly Issue[];
  readonly warnings: readonly Issue[];
}

/** Where fields are kept that the other side has no place for. */
export interface Preservation {
  /** The side whose fields are kept, in an annotation of the other side's object. */
  readonly side: Side;
  readonly annotation: string;
  /** `sparse`: only what has no place. `whole`: the whole object without its metadata. */
  readonly content: 'sparse' | 'whole';
  /** Where the annotations of the other side's object are; `metadata.annotations` by default. */
  readonly annotations?: PathLike;
}

/** A declaration. */
export interface MapDeclaration<C> {
  readonly rules: readonly Rule<C>[];
  /** At most one for each side. */
  readonly preserve?: Preservation | readonly Preservation[];
  /** What a field is that no rule declares; an error by default. */
  readonly unknown?: 'error' | 'warning';
}

/** A preservation, its path read. */
interface Kept extends Preservation {
  readonly path: Path;
}

interface Restored {
  readonly data: unknown;
  /** Annotations of the source without the one that held the data; `undefined` where none held any. */
  readonly annotations?: JsonObject;
  readonly problem?: string;
}

/** One declaration that runs both ways. Sources are never changed; the value may share parts with the source. */
export class TwoWayMap<C = unknown> {
  readonly claims: Readonly<Record<Side, readonly Claim[]>>;
  readonly #rules: RuleList<C>;
  readonly #preserve: Readonly<Partial<Record<Side, Kept>>>;
  readonly #unknown: 'error' | 'warning';
  readonly #known: Readonly<Record<Side, ClaimTree>>;

  constructor(declaration: MapDeclaration<C>) {
    this.#rules = new RuleList(declaration.rules);
    this.#preserve = preservations(declaration.preserve);
    this.#unknown = declaration.unknown ?? 'error';
    const claimsOf = (side: Side): readonly Claim[] => declaration.rules.flatMap((rule) => rule.claims[side]);
    this.claims = { left: claimsOf('left'), right: claimsOf('right') };
    this.#checkKept();
    this.#known = { left: claimTree(this.claims.left), right: claimTree(this.claims.right) };
  }

  /** What has to be put aside needs a place: found out now, not with the first object that has it. */
  #checkKept(): void {
    for (const side of ['left', 'right'] as const) {
      const homeless = this.claims[side].find((claim) => claim.fate === 'preserved' || claim.isKept === true);
      if (homeless === undefined || this.#preserve[side] !== undefined) continue;
      throw new RangeError(
        `${homeless.path} of the ${side} side must be preserved, and the map has no annotation for it`,
      );
    }
  }

  /** From left to right. */
  forward(source: JsonObject, context: C, root?: JsonObject): Outcome {
    return this.convert('left', source, context, root);
  }

  /** From right to left. */
  backward(source: JsonObject, context: C, root?: JsonObject): Outcome {
    return this.convert('right', source, context, root);
  }

  /** From the side named to the other one. `root` is what rules see of the whole, where the source is a part of it. */
  convert(from: Side, source: JsonObject, context: C, root: JsonObject = source): Outcome {
    const to = otherSide(from);
    const [keeps, brings] = [this.#preserve[from], this.#preserve[to]];
    const restored = brings === undefined ? undefined : restore(source, brings);
    const run: Run<C> = {
      from,
      to,
      context,
      root,
      errors: [],
      warnings: [],
      hasRestored: restored?.data !== undefined,
      aside: keeps === undefined ? undefined : {},
    };
    const scope: Scope<C> = { run, source, target: {}, restored: restored?.data, at: undefined };
    this.#rules.run(scope);
    this.#reportUnknown(scope);
    if (brings !== undefined && restored !== undefined) dropRestored(scope, brings, restored);
    if (keeps !== undefined) keep(scope, keeps);
    return { value: scope.target, errors: run.errors, warnings: run.warnings };
  }

  /** The form in which an object of a side comes back from the other one. */
  normalise(side: Side, source: JsonObject, context: C): JsonObject {
    const run: Run<C> = {
      from: side,
      to: side,
      context,
      root: source,
      errors: [],
      warnings: [],
      hasRestored: false,
      aside: undefined,
    };
    const target: JsonObject = {};
    this.#rules.run({ run, source, target, restored: undefined, at: undefined });
    return target;
  }

  /** The object without the data an earlier run left in its annotations. */
  withoutPreserved(side: Side, object: JsonObject): JsonObject {
    const left = this.#preserve[otherSide(side)];
    if (left === undefined) return object;
    const restored = restore(object, left);
    if (restored.annotations === undefined) return object;
    const copy = { ...object };
    replaceAnnotations(copy, left.path, restored.annotations);
    return copy;
  }

  #reportUnknown(scope: Scope<C>): void {
    const { errors } = scope.run;
    for (const { at, isEmpty: isLeftOut, message } of unknownFields(this.#known[scope.run.from], scope.source)) {
      // Most rules say themselves what they cannot read.
      const path = formatStep(at);
      const add = this.#unknown === 'error' && isLeftOut !== true ? addError : addWarning;
      if (!errors.some((each) => each.path === path)) add({ ...scope, at }, [], message, 'UnknownField');
    }
  }
}

function preservations(declared: MapDeclaration<unknown>['preserve']): Readonly<Partial<Record<Side, Kept>>> {
  const made: Partial<Record<Side, Kept>> = {};
  for (const each of declared === undefined ? [] : 'side' in declared ? [declared] : declared) {
    if (made[each.side] !== undefined) throw new RangeError(`fields of the ${each.side} side are kept in two places`);
    made[each.side] = { ...each, path: parsePath(each.annotations ?? 'metadata.annotations') };
  }
  return made;
}

/** What was restored does not go on to the target. */
function dropRestored<C>(scope: Scope<C>, kept: Kept, { annotations, problem }: Restored): void {
  if (annotations === undefined) return;
  const path = [...kept.path, kept.annotation];
  if (problem !== undefined) addError(scope, path, problem);
  if (getAt(scope.target, path) !== undefined) {
    replaceAnnotations(scope.target, kept.path, annotations);
  }
}

function restore(source: JsonObject, { annotation, path }: Kept): Restored {
  const annotations = getAt(source, path);
  if (!isRecord(annotations) || !Object.hasOwn(annotations, annotation)) return { data: undefined };
  const { [annotation]: text, ...others } = annotations;
  try {
    const data = typeof text === 'string' ? parseJson(text).value : undefined;
    if (isRecord(data)) return { data, annotations: others };
    return { data: undefined, annotations: others, problem: 'must hold a JSON object' };
  } catch (error) {
    return { data: undefined, annotations: others, problem: String((error as Error).message) };
  }
}

/** Copies what is on the way: it may belong to the source. */
function replaceAnnotations(target: JsonObject, path: Path, annotations: JsonObject): void {
  let current = target;
  for (const name of path.slice(0, -1)) {
    const copy: JsonObject = { ...(current[name] as JsonObject | undefined) };
    current[name] = copy;
    current = copy;
  }
  const last = path.at(-1) as string;
  if (Object.keys(annotations).length > 0) current[last] = annotations;
  else delete current[last];
}

function keep<C>(scope: Scope<C>, kept: Kept): void {
  const data = kept.content === 'whole' ? withoutMetadata(scope.source) : (scope.run.aside ?? {});
  if (isEmpty(data)) return;
  const before = getAt(scope.target, kept.path) as JsonObject | undefined;
  replaceAnnotations(scope.target, kept.path, { ...before, [kept.annotation]: stringifyJson(data) });
}

function withoutMetadata({ metadata: _metadata, ...whole }: JsonObject): JsonObject {
  return whole;
}

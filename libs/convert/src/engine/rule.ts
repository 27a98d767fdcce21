/** What a two-way map is made of. */
import type { JsonObject } from '@capstan/meta';
import type { Path, Step } from './path.js';
import { formatStep, getAt, namesOf, setAt, stepInto } from './path.js';

/** A map has a left and a right side. Forward reads the left one and writes the right one. */
export type Side = 'left' | 'right';

/** The side across. */
export function otherSide(side: Side): Side {
  return side === 'left' ? 'right' : 'left';
}

/** Why a field is not converted as it is: for programs, where the message is for people. */
export type IssueCode =
  /** The other API has no place for the field, or knows no such value. */
  | 'Unsupported'
  /** Of another type or form, missing, or at odds with another field. */
  | 'Invalid'
  /** No field of the object. */
  | 'UnknownField'
  /** The infrastructure cluster has another value. */
  | 'ClusterMismatch'
  /** Cannot be read or compared without the infrastructure cluster. */
  | 'ClusterUnknown'
  /** Has an effect in one of the APIs only. */
  | 'EffectDiffers'
  /** A server of the other API would refuse it. */
  | 'RefusedByServer'
  /** Reaches no node in Cluster API as its manager is configured. */
  | 'NotPropagated'
  /** Is not kept, which changes nothing for the machine. */
  | 'NotKept'
  /** Is state of this one object, which no conversion carries over. */
  | 'ObjectState';

/** Something to say about a field of the source. */
export interface Issue {
  readonly code: IssueCode;
  /** As messages show it: `spec.taints[0].key`. */
  readonly path: string;
  /** The same, name by name. */
  readonly names: readonly string[];
  readonly message: string;
}

/** What becomes of a field. */
export type Fate = 'mapped' | 'constant' | 'derived' | 'unsupported' | 'warned' | 'preserved';

/** A field, or everything below it, that a rule answers for. `[]` stands for items of a list, `{}` for keys of a map. */
export interface Claim {
  readonly path: string;
  readonly fate: Fate;
  /** Set where the value is copied as it is: the field of the other side, which must have the same shape. */
  readonly copiedTo?: string;
  /** Set where the value may have to be put aside, because the other side cannot hold all of it. */
  readonly isKept?: true;
}

/** What one run of a map gathers. */
export interface Run<C> {
  readonly from: Side;
  /** Equal to `from` when the source is only brought into its normal form. */
  readonly to: Side;
  readonly context: C;
  /** The whole source. */
  readonly root: JsonObject;
  readonly errors: Issue[];
  readonly warnings: Issue[];
  /** Whether the source brought data that an earlier run the other way put aside. */
  readonly hasRestored: boolean;
  /** Where fields go that the other side has no place for; absent when nothing can be put aside. */
  readonly aside: JsonObject | undefined;
}

/** The records a rule reads and writes. */
export interface Scope<C> {
  readonly run: Run<C>;
  readonly source: JsonObject;
  readonly target: JsonObject;
  /** What an earlier run put aside for the target record. */
  readonly restored: unknown;
  readonly at: Step | undefined;
}

/** One line of a declaration; runs both ways. */
export interface Rule<C = unknown> {
  readonly claims: Readonly<Record<Side, readonly Claim[]>>;
  /** Whether it does anything on a way: those that do not are not asked. All do when not given. */
  readonly acts?: (from: Side, to: Side) => boolean;
  /** Reads its fields of the source and writes those of the target, in the direction of `scope.run`. */
  readonly convert: (scope: Scope<C>) => void;
}

/** Adds an error about a field of the source. */
export function addError<C>(scope: Scope<C>, path: Path, message: string, code: IssueCode = 'Invalid'): void {
  const at = stepInto(scope.at, path);
  scope.run.errors.push({ code, path: formatStep(at), names: namesOf(at), message });
}

/** Adds a warning about a field of the source. */
export function addWarning<C>(scope: Scope<C>, path: Path, message: string, code: IssueCode = 'NotKept'): void {
  const at = stepInto(scope.at, path);
  scope.run.warnings.push({ code, path: formatStep(at), names: namesOf(at), message });
}

/** A field on its way, as a codec sees it. */
export class Field<C> {
  #scope: Scope<C>;
  readonly #sourcePath: Path;
  readonly #targetPath: Path;

  constructor(scope: Scope<C>, sourcePath: Path, targetPath: Path) {
    this.#scope = scope;
    this.#sourcePath = sourcePath;
    this.#targetPath = targetPath;
  }

  /** The same field of another record: codecs keep none, so that a rule needs but one. */
  in(scope: Scope<C>): this {
    this.#scope = scope;
    return this;
  }

  get context(): C {
    return this.#scope.run.context;
  }

  /** The whole source. */
  get root(): JsonObject {
    return this.#scope.run.root;
  }

  /** The record of the source that holds the field. */
  get record(): JsonObject {
    return this.#scope.source;
  }

  get hasRestored(): boolean {
    return this.#scope.run.hasRestored;
  }

  /** The field of the target, as an earlier run the other way put it aside. */
  restored(): unknown {
    return getAt(this.#scope.restored, this.#targetPath);
  }

  /** Puts a value of the source aside, for the way back. */
  preserve(value: unknown): void {
    const { aside } = this.#scope.run;
    if (aside !== undefined) setAt(aside, namesOf(stepInto(this.#scope.at, this.#sourcePath)), value);
  }

  error(message: string, code?: IssueCode): void {
    addError(this.#scope, this.#sourcePath, message, code);
  }

  warn(message: string, code?: IssueCode): void {
    addWarning(this.#scope, this.#sourcePath, message, code);
  }
}

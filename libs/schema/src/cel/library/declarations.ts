/** Functions as the checker and the compiler know them. */
import type { CelType } from '../types/types.js';
import type { CelValue } from '../values/values.js';

/** What an overload does. Arguments beyond the overload's own are undefined; errors never arrive. */
export type Implementation = (a: CelValue, b: CelValue, c: CelValue, d: CelValue) => CelValue;

/** One signature of a function. */
export interface Overload {
  readonly id: string;
  /** The receiver first, if there is one. */
  readonly args: readonly CelType[];
  readonly result: CelType;
  readonly member: boolean;
  /** Names of the type parameters in the signature. */
  readonly params: readonly string[];
  readonly run?: Implementation;
}

/** A function: one implementation for all signatures, or one each. */
export interface FunctionDeclaration {
  readonly name: string;
  readonly overloads: readonly Overload[];
  /** The one implementation, which looks at its arguments itself. */
  readonly run?: Implementation;
  /** Whether the one implementation takes such a first argument at all. */
  readonly accepts?: (first: CelValue) => boolean;
  /** Overloads check their arguments themselves, so that a mismatch has no signature in its message. */
  readonly unguarded?: boolean;
}

/** All functions by name. */
export type Functions = ReadonlyMap<string, FunctionDeclaration>;

/** What an expression may refer to. */
export interface Declarations {
  readonly variables: ReadonlyMap<string, CelType>;
  readonly functions: Functions;
  /** Names of types: `int`, `google.protobuf.Duration`. */
  readonly typeNames: ReadonlyMap<string, CelType>;
  /** Object types that may be constructed, by name. */
  readonly structs?: ((name: string) => CelType | undefined) | undefined;
}

function collect(type: CelType, into: Set<string>): void {
  if (type.kind === 'param') into.add(type.name);
  for (const param of type.params) collect(param, into);
}

function withParams(signature: Omit<Overload, 'params'>, run: Implementation | undefined): Overload {
  const params = new Set<string>();
  for (const arg of signature.args) collect(arg, params);
  collect(signature.result, params);
  const base = { ...signature, params: [...params] };
  return run === undefined ? base : { ...base, run };
}

/** A signature called as `f(a, b)`. */
export function global(id: string, args: readonly CelType[], result: CelType, run?: Implementation): Overload {
  return withParams({ member: false, id, args, result }, run);
}

/** A signature called as `a.f(b)`. */
export function method(id: string, args: readonly CelType[], result: CelType, run?: Implementation): Overload {
  return withParams({ member: true, id, args, result }, run);
}

/** Merges libraries: overloads of one name accumulate in the order given. */
export function mergeFunctions(...libraries: readonly (readonly FunctionDeclaration[])[]): Functions {
  const functions = new Map<string, FunctionDeclaration>();
  for (const declaration of libraries.flat()) {
    const known = functions.get(declaration.name);
    const merged = known && {
      ...known,
      ...declaration,
      overloads: [...known.overloads, ...declaration.overloads],
    };
    functions.set(declaration.name, merged ?? declaration);
  }
  return functions;
}

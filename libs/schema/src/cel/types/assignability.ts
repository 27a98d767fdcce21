/** Unification of types with type parameters, undone when an attempt fails. */
import { CelType, dynType, errorType, isOptional, listType, mapType, sameType, typeOfType } from './types.js';

interface Change {
  readonly name: string;
  readonly before: CelType | undefined;
}

function isDynOrError(type: CelType): boolean {
  return type.kind === 'dyn' || type.kind === 'error';
}

/** Kinds the server lets null stand for. */
function isNullable(type: CelType): boolean {
  const { kind } = type;
  return kind === 'null' || kind === 'opaque' || kind === 'object' || kind === 'duration' || kind === 'timestamp';
}

/** Whether a is b or less specific than b. */
function isLessSpecific(a: CelType, b: CelType): boolean {
  if (a.kind === 'dyn' || a.kind === 'param') return true;
  if (b.kind === 'dyn' || b.kind === 'param' || a.kind !== b.kind) return false;
  if (a.kind === 'type') return true;
  if (a.kind !== 'opaque' && a.kind !== 'list' && a.kind !== 'map') return sameType(a, b);
  return (
    a.name === b.name &&
    a.params.length === b.params.length &&
    a.params.every((param, i) => isLessSpecific(param, b.params[i] ?? errorType))
  );
}

/** The more general of two types that unify. */
export function mostGeneral(a: CelType, b: CelType): CelType {
  return isLessSpecific(a, b) ? a : b;
}

/** What the type parameters stand for so far. */
export class Substitution {
  readonly #bound = new Map<string, CelType>();
  readonly #changes: Change[] = [];
  #fresh = 0;

  /** A parameter nobody else uses. */
  newParam(): CelType {
    return new CelType('param', `_var${this.#fresh++}`);
  }

  /** Whether a value of type a may stand where b is asked; parameters are bound on success only. */
  assignable(a: CelType, b: CelType): boolean {
    const mark = this.#changes.length;
    if (this.#assign(a, b)) return true;
    this.#undo(mark);
    return false;
  }

  /** The same for all types of two lists at once. */
  allAssignable(a: readonly CelType[], b: readonly CelType[]): boolean {
    if (a.length !== b.length) return false;
    const mark = this.#changes.length;
    if (this.#assignAll(a, b)) return true;
    this.#undo(mark);
    return false;
  }

  /** Replaces bound parameters; unbound ones become dyn when asked to. */
  resolve(type: CelType, unboundToDyn: boolean): CelType {
    if (type.kind === 'param') {
      const bound = this.#bound.get(type.name);
      if (bound !== undefined) return this.resolve(bound, unboundToDyn);
      return unboundToDyn ? dynType : type;
    }
    if (type.params.length === 0) return type;
    const params = type.params.map((param) => this.resolve(param, unboundToDyn));
    // Declared types keep their identity and with it their hints.
    if (params.every((param, i) => param === type.params[i])) return type;
    return rebuild(type, params);
  }

  #bind(name: string, type: CelType): void {
    this.#changes.push({ name, before: this.#bound.get(name) });
    this.#bound.set(name, type);
  }

  #undo(mark: number): void {
    while (this.#changes.length > mark) {
      const { name, before } = this.#changes.pop() as Change;
      if (before === undefined) this.#bound.delete(name);
      else this.#bound.set(name, before);
    }
  }

  #assignAll(a: readonly CelType[], b: readonly CelType[]): boolean {
    if (a.length !== b.length) return false;
    for (let at = 0; at < a.length; at++) {
      if (!this.#assign(a[at] as CelType, b[at] as CelType)) return false;
    }
    return true;
  }

  #assign(a: CelType, b: CelType): boolean {
    if (b.kind === 'param') {
      const outcome = this.#tryBind(a, b);
      if (outcome !== 'unbound') return outcome === 'yes';
    }
    if (a.kind === 'param') return this.#tryBind(b, a) === 'yes';
    if (a === b || isDynOrError(a) || isDynOrError(b)) return true;
    if (a.kind === 'null') return isNullable(b);
    if (b.kind === 'null') return isNullable(a);
    if (a.kind !== b.kind) return false;
    if (a.kind === 'type') return true;
    return a.name === b.name && this.#assignAll(a.params, b.params);
  }

  /** Takes `param` for `type`: fits, clashes with what it is bound to, or could not be bound at all. */
  #tryBind(type: CelType, param: CelType): 'yes' | 'no' | 'unbound' {
    if (sameType(type, param)) return 'yes';
    const bound = this.#bound.get(param.name);
    if (bound !== undefined) {
      if (sameType(type, bound)) return 'yes';
      if (!this.#assign(type, bound)) return 'no';
      const general = mostGeneral(type, bound);
      if (this.#isFree(param, general)) this.#bind(param.name, general);
      return 'yes';
    }
    if (!this.#isFree(param, type)) return 'unbound';
    this.#bind(param.name, type);
    return 'yes';
  }

  /** Whether the parameter does not occur within the type. */
  #isFree(param: CelType, within: CelType): boolean {
    if (sameType(param, within)) return false;
    if (within.kind === 'param') {
      const bound = this.#bound.get(within.name);
      return bound === undefined || this.#isFree(param, bound);
    }
    return within.params.every((inner) => this.#isFree(param, inner));
  }
}

function rebuild(type: CelType, params: readonly CelType[]): CelType {
  const [first = errorType, second = errorType] = params;
  if (type.kind === 'list') return listType(first, type.hints);
  if (type.kind === 'map') return mapType(first, second, type.hints);
  if (type.kind === 'type') return typeOfType(first);
  return new CelType(type.kind, type.name, params);
}

/** The type inside an optional, or the type itself. */
export function unwrapOptional(type: CelType): CelType {
  return isOptional(type) ? (type.params[0] ?? dynType) : type;
}

/** The type with parameters replaced by fresh ones. */
export function instantiate(type: CelType, fresh: ReadonlyMap<string, CelType>): CelType {
  if (type.kind === 'param') return fresh.get(type.name) ?? type;
  if (type.params.length === 0 || fresh.size === 0) return type;
  const params = type.params.map((param) => instantiate(param, fresh));
  return new CelType(type.kind, type.name, params, { hints: type.hints });
}

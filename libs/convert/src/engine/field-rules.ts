/** Rules about single fields. */
import { deepEqual, stringifyJson } from '@capstan/meta';
import type { Codec } from './codec.js';
import type { Path, PathLike } from './path.js';
import { claimPath, getAt, parsePath, setAt } from './path.js';
import type { Claim, Fate, Rule, Scope, Side } from './rule.js';
import { Field, addError, addWarning } from './rule.js';

/** The path of a field, which the record itself is not. */
function fieldPath(path: PathLike): Path {
  const names = parsePath(path);
  if (names.length === 0) throw new RangeError('a field has a name');
  return names;
}

/** What a person will read must be there. */
function checkReason(path: PathLike, reason: string): void {
  if (reason.trim() === '')
    throw new RangeError(`${claimPath(parsePath(path))} is not converted, and no reason is given`);
}

/** A field here is a field there, in another place or form. Without a codec the value is copied as it is. */
export function move<C = unknown>(left: PathLike, right: PathLike, codec?: Codec<C>): Rule<C> {
  const paths = { left: fieldPath(left), right: fieldPath(right) };
  const claim = (side: Side, other: Side): Claim => {
    const path = claimPath(paths[side]);
    return {
      path,
      fate: 'mapped',
      ...(codec === undefined || codec.keepsShape === true ? { copiedTo: claimPath(paths[other]) } : {}),
      ...(codec?.keeps?.includes(side) === true ? { isKept: true } : {}),
    };
  };
  const claims = { left: [claim('left', 'right')], right: [claim('right', 'left')] };
  return { claims, convert: codec === undefined ? copy(paths) : recode(paths, codec) };
}

type FieldPaths = Readonly<Record<Side, Path>>;

function copy<C>({ left, right }: FieldPaths): Rule<C>['convert'] {
  return ({ run, source, target }) => {
    const value = getAt(source, run.from === 'left' ? left : right);
    if (value !== undefined) setAt(target, run.to === 'left' ? left : right, value);
  };
}

function recode<C>({ left, right }: FieldPaths, codec: Codec<C>): Rule<C>['convert'] {
  // One field for either way, which serves all records: codecs keep none.
  const forward = oneWay(left, right, codec.forward, codec.keepsAbsence === true);
  const backward = oneWay(right, left, codec.backward, codec.keepsAbsence === true);
  const normal = (scope: Scope<C>, side: Side): void => {
    const path = side === 'left' ? left : right;
    const value = getAt(scope.source, path);
    const apply = codec.normal?.[side];
    const written = apply === undefined ? value : apply(value, new Field(scope, path, path));
    if (written !== undefined) setAt(scope.target, path, written);
  };
  return (scope) => {
    const { from, to } = scope.run;
    if (from === to) normal(scope, from);
    else if (to === 'right') forward(scope);
    else backward(scope);
  };
}

function oneWay<C>(from: Path, to: Path, apply: Codec<C>['forward'], isSkipped: boolean): Rule<C>['convert'] {
  let field: Field<C> | undefined;
  return (scope) => {
    const value = getAt(scope.source, from);
    if (value === undefined && isSkipped) return;
    field = field === undefined ? new Field(scope, from, to) : field.in(scope);
    const written = apply(value, field);
    if (written !== undefined) setAt(scope.target, to, written);
  };
}

/** A field of the same name and place on both sides. */
export function same<C = unknown>(path: PathLike, codec?: Codec<C>): Rule<C> {
  return move(path, path, codec);
}

/** A field in the same record under another name. */
export function rename<C = unknown>(left: string, right: string, codec?: Codec<C>): Rule<C> {
  return move([left], [right], codec);
}

/** A rule about a field that only one side has; `write` gives the value when that side is the target. */
function oneSided<C>(
  side: Side,
  path: PathLike,
  fate: Fate,
  parts: {
    readonly read?: (value: unknown, scope: Scope<C>, path: Path) => void;
    readonly write?: (scope: Scope<C>, path: Path) => unknown;
    /** What the side's own value looks like after there and back. */
    readonly normal?: (value: unknown, scope: Scope<C>, path: Path) => unknown;
  },
): Rule<C> {
  const steps = fieldPath(path);
  const claims: Record<Side, readonly Claim[]> = { left: [], right: [] };
  claims[side] = [{ path: claimPath(steps), fate }];
  const convert = (scope: Scope<C>): void => {
    const { from, to } = scope.run;
    let written: unknown;
    if (from === side) {
      const value = getAt(scope.source, steps);
      if (to !== side && value !== undefined) parts.read?.(value, scope, steps);
      if (to === side) written = parts.normal === undefined ? value : parts.normal(value, scope, steps);
    } else {
      written = parts.write?.(scope, steps);
    }
    if (to === side && written !== undefined) setAt(scope.target, steps, written);
  };
  const acts = (from: Side, to: Side): boolean => {
    if (from === side) return to === side || parts.read !== undefined;
    return to === side && parts.write !== undefined;
  };
  return { claims, convert, acts };
}

/** A field that always has this one value on its side; another one is an error, or a warning where it cannot matter. */
export function constant<C = unknown>(
  side: Side,
  path: PathLike,
  value: unknown,
  otherwise: 'error' | 'warning' = 'error',
): Rule<C> {
  if (value === undefined || value === null)
    throw new RangeError(`${claimPath(parsePath(path))} needs a value to be constant`);
  const complain = otherwise === 'error' ? addError : addWarning;
  const code = otherwise === 'error' ? 'Unsupported' : 'NotKept';
  return oneSided<C>(side, path, 'constant', {
    read: (found, scope, steps) => {
      if (deepEqual(found, value)) return;
      complain(scope, steps, `must be ${stringifyJson(value)}, and is ${stringifyJson(found)}`, code);
    },
    write: () => value,
    normal: () => value,
  });
}

/** What a run knows when it derives a field. */
export interface Derivation<C> {
  readonly context: C;
  readonly root: Readonly<Record<string, unknown>>;
}

/**
 * A field that follows from the context or from the rest of the source. A source with another value is an error or,
 * where the field carries no intent, a warning.
 */
export function derived<C>(
  side: Side,
  path: PathLike,
  derive: (from: Derivation<C>) => unknown,
  otherwise: 'error' | 'warning' = 'error',
): Rule<C> {
  return oneSided<C>(side, path, 'derived', {
    read: (found, scope, steps) => {
      const expected = derive(scope.run);
      if (deepEqual(found, expected)) return;
      const wanted = expected === undefined ? 'absent' : stringifyJson(expected);
      const message = `is ${stringifyJson(found)}, which cannot be kept: it will be ${wanted}`;
      if (otherwise === 'error') addError(scope, steps, message, 'Unsupported');
      else addWarning(scope, steps, message);
    },
    write: (scope) => derive(scope.run),
    normal: (_found, scope) => derive(scope.run),
  });
}

/** A field the other side cannot express: an error when it is set. */
export function unsupported<C = unknown>(side: Side, path: PathLike, reason: string): Rule<C> {
  checkReason(path, reason);
  return oneSided<C>(side, path, 'unsupported', {
    read: (_value, scope, steps) => addError(scope, steps, reason, 'Unsupported'),
  });
}

/** A field that is dropped, with a warning that gives the reason. */
export function warned<C = unknown>(side: Side, path: PathLike, reason: string): Rule<C> {
  checkReason(path, reason);
  return oneSided<C>(side, path, 'warned', {
    read: (_value, scope, steps) => addWarning(scope, steps, reason),
  });
}

/** A field the other side has no place for: put aside on the way there, taken back on the way home. */
export function preserved<C = unknown>(side: Side, path: PathLike): Rule<C> {
  return oneSided<C>(side, path, 'preserved', {
    read: (value, scope, steps) => new Field(scope, steps, steps).preserve(value),
    write: (scope, steps) => getAt(scope.restored, steps),
  });
}

/** A value that a side always carries, if only empty, because its type has no way to leave it out. */
export function always<C = unknown>(side: Side, path: PathLike, empty: (from: Derivation<C>) => unknown): Rule<C> {
  const steps = parsePath(path);
  return {
    claims: { left: [], right: [] },
    convert: (scope) => {
      if (scope.run.to !== side || getAt(scope.target, steps) !== undefined) return;
      setAt(scope.target, steps, empty(scope.run));
    },
  };
}

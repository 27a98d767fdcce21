/** Rules about fields that only mean something together. */
import type { PathLike } from './path.js';
import { claimPath, getAt, parsePath, setAt } from './path.js';
import type { Claim, Rule, Scope, Side } from './rule.js';
import { Field } from './rule.js';

/** Turns the values of one side into those of the other, each in the order of its paths; `undefined` is absent. */
export type JointConversion<C> = (values: readonly unknown[], fields: readonly Field<C>[]) => readonly unknown[];

/** Several fields here that are several fields there. */
export interface JointDeclaration<C> {
  readonly left: readonly PathLike[];
  readonly right: readonly PathLike[];
  readonly forward: JointConversion<C>;
  readonly backward: JointConversion<C>;
  /** The values of a side in the form in which they come back from the other one; themselves when not given. */
  readonly normal?: Readonly<Partial<Record<Side, JointConversion<C>>>>;
}

/**
 * Fields that have to be read together: one defines what another means. Fields give errors and warnings the path of the
 * value at the same place.
 */
export function together<C = unknown>(declaration: JointDeclaration<C>): Rule<C> {
  const paths = { left: declaration.left.map(parsePath), right: declaration.right.map(parsePath) };
  if (paths.left.length === 0 || paths.right.length === 0) {
    throw new RangeError('fields that are converted together are at least one on each side');
  }
  const claimsOf = (side: Side): Claim[] => paths[side].map((path) => ({ path: claimPath(path), fate: 'mapped' }));
  const conversionOf = (from: Side, to: Side): JointConversion<C> | undefined => {
    if (from === to) return declaration.normal?.[from];
    return to === 'right' ? declaration.forward : declaration.backward;
  };
  const made: Partial<Record<Side, readonly Field<C>[]>> = {};
  const fieldsOf = (scope: Scope<C>): readonly Field<C>[] => {
    const { from, to } = scope.run;
    const known = from === to ? undefined : made[from];
    if (known !== undefined) {
      for (const field of known) field.in(scope);
      return known;
    }
    const fields = paths[from].map((path, at) => new Field(scope, path, paths[to][at] ?? []));
    if (from !== to) made[from] = fields;
    return fields;
  };
  const convert = (scope: Scope<C>): void => {
    const { from, to } = scope.run;
    const values = paths[from].map((path) => getAt(scope.source, path));
    const converted = conversionOf(from, to)?.(values, fieldsOf(scope)) ?? values;
    for (let at = 0; at < converted.length; at++) {
      const path = paths[to][at];
      if (converted[at] !== undefined && path !== undefined) setAt(scope.target, path, converted[at]);
    }
  };
  return { claims: { left: claimsOf('left'), right: claimsOf('right') }, convert };
}

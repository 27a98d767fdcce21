/** Pieces of compiled code and what those who make them need of each other. */
import { resolveCode } from './attributes.js';
import type { Attribute } from './attributes.js';
import type { CelNode } from '../syntax/ast.js';
import type { Functions } from '../library/declarations.js';
import type { Code } from '../values/frame.js';
import type { CelValue } from '../values/values.js';

/** A constant that cannot be: the program is refused. */
export class PlanError extends Error {}

/** A piece of compiled code, with what is known about it beforehand. */
export interface Plan {
  readonly code: Code;
  /** Its value, when that does not depend on anything. */
  readonly constant?: { readonly value: CelValue };
  /** A path that further steps may extend. */
  readonly attribute?: Attribute;
}

/** A binding whose value was not needed yet. */
export const pending = Symbol('pending');

/** The plan of a constant. */
export function constantPlan(value: CelValue): Plan {
  return { code: () => value, constant: { value } };
}

/** Code that yields the value without charging for the start of a path, as branches and indexes are evaluated. */
export function uncharged(plan: Plan): Code {
  return plan.attribute === undefined ? plan.code : resolveCode(plan.attribute);
}

/** What plans of calls and loops are made with. */
export interface PlanContext {
  readonly functions: Functions;
  plan(node: CelNode): Plan;
  code(node: CelNode): Code;
  /** Makes a name known while planning; gives its slot. */
  declare(name: string, lazy?: Code): number;
  /** Plans something in a scope of its own. */
  scoped<T>(plan: () => T): T;
}

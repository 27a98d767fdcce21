/** Turns a checked tree into closures. */
import { goText } from '../values/go-text.js';
import { setOwn } from '@capstan/meta';
import { attributeCode, keyComplaint, rawObject, unschemaed } from './attributes.js';
import type { Attribute, Qualifier } from './attributes.js';
import type { CallNode, CelNode, FoldNode, ListNode, MapNode, SelectNode, StructNode } from '../syntax/ast.js';
import { CelMap } from '../values/collections.js';
import { DataMap, fromData, misplaced } from '../values/data.js';
import type { Functions } from '../library/declarations.js';
import { rawOf } from '../values/equality.js';
import type { Code, Frame } from '../values/frame.js';
import { constantPlan, pending, PlanError, uncharged } from './plan.js';
import type { Plan, PlanContext } from './plan.js';
import { planFold } from './folds.js';
import { planCall } from './calls.js';
import { dynType } from '../types/types.js';
import type { CelType } from '../types/types.js';
import { CelBytes, CelError, CelOptional, CelTypeValue, isError } from '../values/values.js';
import type { CelValue } from '../values/values.js';

interface Local {
  readonly name: string;
  readonly slot: number;
  /** Computes the value at first use. */
  readonly lazy?: Code;
  readonly outer: Local | undefined;
}

class AttributePlan implements Plan {
  readonly attribute: Attribute;
  #code: Code | undefined;
  constructor(attribute: Attribute) {
    this.attribute = attribute;
  }
  /** Built on demand: the steps of a longer path need none of their own. */
  get code(): Code {
    this.#code ??= attributeCode(this.attribute);
    return this.#code;
  }
}

/** Plans one expression. */
export class Planner implements PlanContext {
  readonly functions: Functions;
  /** Variables in the order of their places in the frame. */
  readonly variables: string[] = [];
  slots = 0;
  readonly #declared: ReadonlyMap<string, CelType>;
  #local: Local | undefined;

  constructor(functions: Functions, declared: ReadonlyMap<string, CelType>) {
    this.functions = functions;
    this.#declared = declared;
  }

  /** Makes a name known while planning; gives its slot. */
  declare(name: string, lazy?: Code): number {
    const slot = this.slots++;
    const base = { name, slot, outer: this.#local };
    this.#local = lazy === undefined ? base : { ...base, lazy };
    return slot;
  }

  /** Plans something in a scope of its own. */
  scoped<T>(plan: () => T): T {
    const outer = this.#local;
    const result = plan();
    this.#local = outer;
    return result;
  }

  plan(node: CelNode): Plan {
    switch (node.kind) {
      case 'literal':
        return constantPlan(node.value);
      case 'ident':
        return this.#name(node.name.startsWith('.') ? node.name.slice(1) : node.name, node.type);
      case 'select':
        return this.#select(node);
      case 'call':
        return this.#call(node);
      case 'list':
        return this.#list(node);
      case 'map':
        return this.#map(node);
      case 'struct':
        return this.#struct(node);
      case 'fold':
        return this.#fold(node);
    }
  }

  code(node: CelNode): Code {
    return this.plan(node).code;
  }

  #fold(node: FoldNode): Plan {
    return { code: planFold(node, this) };
  }

  #name(name: string, type: CelType = dynType): Plan {
    for (let local = this.#local; local !== undefined; local = local.outer) {
      if (local.name === name) return localPlan(local);
    }
    const declared = this.#declared.get(name);
    if (declared === undefined) return constantPlan(new CelTypeValue(type.params[0]?.name ?? name));
    let place = this.variables.indexOf(name);
    if (place === -1) place = this.variables.push(name) - 1;
    return variablePlan(name, place, declared);
  }

  #attributeOf(node: CelNode): Attribute {
    const plan = this.plan(node);
    return plan.attribute ?? { root: plan.code, qualifiers: [] };
  }

  /** A path with one more step. */
  #extend(operand: CelNode, qualifier: Qualifier): Plan {
    const attribute = this.#attributeOf(operand);
    return new AttributePlan({ ...attribute, qualifiers: [...attribute.qualifiers, qualifier] });
  }

  #select(node: SelectNode): Plan {
    if (node.resolved !== undefined) return this.#name(node.resolved, node.type);
    const { field: key, test } = node;
    const declared = node.operand.type?.kind === 'object' ? node.operand.type.fields.get(key) : undefined;
    const known = declared && { property: declared.property, type: declared.type };
    return this.#extend(node.operand, { key, optional: false, test, ...known });
  }

  #call(node: CallNode): Plan {
    const [first, second] = node.args;
    if (first !== undefined && second !== undefined) {
      if (node.fn === '_[_]' || node.fn === '_[?_]' || node.fn === '_?._') {
        const key = this.plan(second);
        const step = { optional: node.fn !== '_[_]', test: false };
        if (key.constant !== undefined) {
          const complaint = keyComplaint(key.constant.value, false);
          if (complaint !== undefined) throw new PlanError(complaint.message);
          return this.#extend(first, { ...step, key: key.constant.value });
        }
        return this.#extend(first, { ...step, code: keyCode(key) });
      }
      if (node.fn === '_?_:_') return this.#conditional(node);
    }
    return planCall(node, this);
  }

  #conditional(node: CallNode): Plan {
    const [condition, yes, no] = node.args.map((arg) => this.plan(arg)) as [Plan, Plan, Plan];
    const root = choice(condition.code, branch(yes), branch(no));
    return new AttributePlan({ root, branches: { test: condition.code, yes, no }, qualifiers: [] });
  }

  #list(node: ListNode): Plan {
    const plans = node.elements.map((element) => this.plan(element));
    if (plans.every((plan) => plan.constant !== undefined)) {
      return constantPlan(plans.map((plan) => plan.constant?.value));
    }
    const codes = plans.map((plan) => plan.code);
    const { optional } = node;
    const code: Code = (frame) => {
      const value = buildList(frame, codes, optional);
      frame.cost += 10;
      return value;
    };
    return { code };
  }

  #map(node: MapNode): Plan {
    const keys = node.entries.map((entry) => this.plan(entry.key));
    const values = node.entries.map((entry) => this.plan(entry.value));
    const build: Code = (frame) => {
      const value = buildMap(frame, node, keys, values);
      frame.cost += 30;
      return value;
    };
    const isConstant = [...keys, ...values].every((plan) => plan.constant !== undefined);
    // Bytes as a key end an evaluation, and may not end the planning.
    if (!isConstant || keys.some((plan) => plan.constant?.value instanceof CelBytes)) return { code: build };
    return constantPlan(build({ vars: [], slots: [], cost: 0, limit: 0 }));
  }

  #struct(node: StructNode): Plan {
    const codes = node.fields.map((field) => this.code(field.value));
    const code: Code = (frame) => {
      const value = buildStruct(frame, node, codes);
      frame.cost += 40;
      return value;
    };
    return { code };
  }
}

/** What is no path is made into one, through which optionals do not pass as they are. */
function branch(plan: Plan): Code {
  const code = uncharged(plan);
  return plan.attribute === undefined ? (frame) => unschemaed(code(frame)) : code;
}

function choice(test: Code, then: Code, otherwise: Code): Code {
  return (frame) => {
    const value = test(frame);
    if (value === true) return then(frame);
    if (value === false) return otherwise(frame);
    return isError(value) ? value : new CelError('no such overload');
  };
}

/** Computes a key, or what is wrong with it: data that a path leads to is shown as it stands. */
function keyCode(plan: Plan): Code {
  const { branches, qualifiers = [] } = plan.attribute ?? {};
  if (branches !== undefined && qualifiers.length === 0)
    return choice(branches.test, keyCode(branches.yes), keyCode(branches.no));
  const code = uncharged(plan);
  const isPath = plan.attribute !== undefined;
  return (frame) => {
    const key = code(frame);
    return isError(key) ? key : (keyComplaint(key, isPath) ?? key);
  };
}

function localPlan({ slot, lazy }: Local): Plan {
  const read: Code =
    lazy === undefined
      ? (frame) => frame.slots[slot]
      : (frame) => {
          if (frame.slots[slot] === pending) frame.slots[slot] = lazy(frame);
          return frame.slots[slot];
        };
  const root: Code = (frame) => unschemaed(read(frame));
  const rawRoot = (frame: Frame): unknown => rawObject(read(frame));
  return new AttributePlan({ root, rawRoot, qualifiers: [] });
}

function variablePlan(name: string, place: number, type: CelType): Plan {
  const absent = new CelError(`no such attribute(s): ${name}`);
  const root: Code = (frame) => {
    const raw = frame.vars[place];
    return raw === undefined ? absent : unschemaed(fromData(raw, type));
  };
  const rawRoot = (frame: Frame): unknown => {
    const raw = frame.vars[place];
    if (raw === undefined) return absent;
    return raw instanceof DataMap ? raw.raw : (misplaced(raw) ?? raw);
  };
  const isRaw = type.kind === 'object' && type.hints.computed !== true;
  return new AttributePlan(isRaw ? { root, rawRoot, qualifiers: [] } : { root, qualifiers: [] });
}

function buildList(frame: Frame, codes: readonly Code[], optional: readonly boolean[]): CelValue {
  const items: CelValue[] = [];
  for (let at = 0; at < codes.length; at++) {
    const value = (codes[at] as Code)(frame);
    if (isError(value)) return value;
    if (optional[at] !== true) items.push(value);
    else if (!(value instanceof CelOptional)) {
      return new CelError(`cannot initialize optional list element from non-optional value ${goText(value)}`);
    } else if (value.present) items.push(value.value);
  }
  return items;
}

function buildMap(frame: Frame, node: MapNode, keys: readonly Plan[], values: readonly Plan[]): CelValue {
  const map = new CelMap();
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at]?.code(frame);
    if (isError(key)) return key;
    const value = values[at]?.code(frame);
    if (isError(value)) return value;
    if (node.entries[at]?.optional !== true) map.set(key, value);
    else if (!(value instanceof CelOptional)) {
      return new CelError(`cannot initialize optional entry '${goText(key)}' from non-optional value ${goText(value)}`);
    } else if (value.present) map.set(key, value.value);
    else map.delete(key);
  }
  return map;
}

function buildStruct(frame: Frame, node: StructNode, codes: readonly Code[]): CelValue {
  const type = node.type ?? dynType;
  const raw: Record<string, unknown> = {};
  for (const [at, { field, optional }] of node.fields.entries()) {
    const value = codes[at]?.(frame);
    if (isError(value)) return value;
    const absent = optional && value instanceof CelOptional && !value.present;
    const given = optional && value instanceof CelOptional ? value.value : value;
    if (!absent) setOwn(raw, type.fields.get(field)?.property ?? field, rawOf(given));
  }
  return new DataMap(raw, type);
}

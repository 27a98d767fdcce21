/** What an expression may cost at worst, estimated before it ever runs: the server refuses rules that may cost too much. */
import type { CallNode, CelNode, FoldNode, ListNode, MapNode, SelectNode } from '../syntax/ast.js';
import { callEstimate } from './calls.js';
import type { CallEstimate, EstimateNode } from './calls.js';
import { addRange, fixed, multiplyRange, scaleRange, union, unknownSize } from './ranges.js';
import type { CostRange, SizeEstimator, SizeRange } from './ranges.js';
import { isScalar, literalSize } from './sizes.js';
import { dynType } from '../types/types.js';

/** Sizes of what a list or map holds. */
interface EntrySize {
  readonly kind: 'list' | 'map';
  readonly key: SizeRange;
  readonly value: SizeRange;
}

interface LocalVariable {
  readonly path: readonly string[];
  readonly size: SizeRange | undefined;
  readonly entry: EntrySize | undefined;
}

/** What a call is applied to, and what that costs. */
interface Operands {
  readonly target: EstimateNode | undefined;
  readonly args: readonly EstimateNode[];
  readonly costs: readonly CostRange[];
}

const none: CostRange = { min: 0, max: 0 };
const one = fixed(1);

function unionEntries(a: EntrySize | undefined, b: EntrySize | undefined): EntrySize | undefined {
  return a && b && { kind: a.kind, key: union(a.key, b.key), value: union(a.value, b.value) };
}

class Estimator {
  readonly #sizes: SizeEstimator;
  readonly #paths = new Map<CelNode, readonly string[]>();
  readonly #computed = new Map<CelNode, SizeRange>();
  readonly #entries = new Map<CelNode, EntrySize>();
  readonly #locals = new Map<string, LocalVariable[]>();

  constructor(sizes: SizeEstimator) {
    this.#sizes = sizes;
  }

  cost(node: CelNode): CostRange {
    switch (node.kind) {
      case 'literal':
        return none;
      case 'ident':
        return this.#ident(node, node.name);
      case 'select':
        return node.resolved === undefined ? this.#select(node) : this.#ident(node, node.resolved);
      case 'call':
        return this.#call(node);
      case 'list':
        return this.#list(node);
      case 'map':
        return this.#map(node);
      case 'struct':
        return node.fields.reduce((sum, field) => addRange(sum, this.cost(field.value)), fixed(40));
      case 'fold':
        return node.macro === 'bind' ? this.#bind(node) : this.#fold(node);
    }
  }

  #local(name: string): LocalVariable | undefined {
    return this.#locals.get(name)?.at(-1);
  }

  #push(name: string, local: LocalVariable): void {
    const stack = this.#locals.get(name);
    if (stack === undefined) this.#locals.set(name, [local]);
    else stack.push(local);
  }

  #pop(name: string): void {
    this.#locals.get(name)?.pop();
  }

  #path(node: CelNode): readonly string[] {
    const local = node.kind === 'ident' ? this.#local(node.name) : undefined;
    return local?.path ?? this.#paths.get(node) ?? [];
  }

  #size(node: CelNode): SizeRange | undefined {
    const known = this.#computed.get(node) ?? literalSize(node);
    if (known !== undefined) return known;
    const path = this.#path(node);
    const estimate = path.length === 0 ? undefined : this.#sizes(path);
    if (estimate !== undefined) {
      this.#computed.set(node, estimate);
      return estimate;
    }
    if (isScalar(node.type ?? dynType)) return one;
    return node.kind === 'ident' ? this.#local(node.name)?.size : undefined;
  }

  #entry(node: CelNode): EntrySize | undefined {
    return this.#entries.get(node) ?? (node.kind === 'ident' ? this.#local(node.name)?.entry : undefined);
  }

  #setSize(node: CelNode, size: SizeRange | undefined): void {
    if (size !== undefined) this.#computed.set(node, size);
  }

  #setEntry(node: CelNode, entry: EntrySize | undefined): void {
    if (entry !== undefined) this.#entries.set(node, entry);
  }

  #ident(node: CelNode, name: string): CostRange {
    this.#paths.set(node, this.#local(name)?.path ?? [name]);
    return one;
  }

  #select(node: SelectNode): CostRange {
    const operand = this.cost(node.operand);
    // A test of presence is free.
    if (node.test) return operand;
    this.#paths.set(node, [...this.#path(node.operand), node.field]);
    const kind = node.operand.type?.kind;
    return kind === 'map' || kind === 'object' || kind === 'param' ? addRange(operand, one) : operand;
  }

  /** What the libraries' estimates look at. */
  #describe(node: CelNode): EstimateNode {
    const path = this.#path(node);
    const size = this.#size(node);
    const hidden = path[0] === '@result';
    return {
      node,
      type: node.type ?? dynType,
      path: hidden ? [] : path,
      size,
      sizeAt: this.#sizes,
    };
  }

  /** Forgetting the type keeps what is known of the value. */
  #dyn(node: CallNode, value: CelNode): CostRange {
    const cost = this.cost(value);
    this.#setSize(node, this.#size(value));
    this.#setEntry(node, this.#entry(value));
    return addRange(one, cost);
  }

  #call(node: CallNode): CostRange {
    const [first] = node.args;
    if (node.fn === 'dyn' && first !== undefined) return this.#dyn(node, first);
    const costs: CostRange[] = [];
    const args: EstimateNode[] = [];
    for (const arg of node.args) {
      costs.push(this.cost(arg));
      args.push(this.#describe(arg));
    }
    const receiver = node.target === undefined ? none : this.cost(node.target);
    const target = node.target && this.#describe(node.target);
    const estimates = (node.overloads ?? []).map(
      (id) => [id, this.#overload(node, id, { target, args, costs })] as const,
    );
    return addRange(receiver, this.#merged(node, estimates));
  }

  /** All overloads that may be meant together. */
  #merged(node: CallNode, estimates: readonly (readonly [string, CallEstimate])[]): CostRange {
    let total: CostRange | undefined;
    let size: SizeRange | undefined;
    for (const [overload, estimate] of estimates) {
      total = total === undefined ? estimate.cost : union(total, estimate.cost);
      if (estimate.size !== undefined) size = size === undefined ? estimate.size : union(size, estimate.size);
      size = this.#indexed(node, overload, size) ?? this.#size(node);
    }
    this.#setSize(node, size);
    return total ?? none;
  }

  /** An index leads into the container's items or values. */
  #indexed(node: CallNode, overload: string, size: SizeRange | undefined): SizeRange | undefined {
    const [container] = node.args;
    if (container === undefined || (overload !== 'index_list' && overload !== 'index_map')) return size;
    this.#paths.set(node, [...this.#path(container), overload === 'index_list' ? '@items' : '@values']);
    return this.#entry(container)?.value ?? this.#size(node);
  }

  #overload(node: CallNode, overload: string, { target, args, costs }: Operands): CallEstimate {
    const [a = none, b = none, c = none] = costs;
    if (overload === 'logical_and' || overload === 'logical_or') {
      return { cost: { min: a.min, max: addRange(a, b).max } };
    }
    if (overload === 'conditional') {
      const [, yes, no] = node.args as [CelNode, CelNode, CelNode];
      this.#setEntry(node, unionEntries(this.#entry(yes), this.#entry(no)));
      const size = union(this.#size(yes) ?? unknownSize, this.#size(no) ?? unknownSize);
      return { cost: addRange(a, union(b, c)), size };
    }
    if (overload.startsWith('add_') && node.args.length === 2) {
      const [left, right] = node.args as [CelNode, CelNode];
      this.#setEntry(node, unionEntries(this.#entry(left), this.#entry(right)));
    }
    const { cost, size } = callEstimate(node.fn, overload, target, args);
    const total = costs.reduce(addRange, cost);
    return size === undefined ? { cost: total } : { cost: total, size };
  }

  #spread(nodes: readonly CelNode[]): SizeRange {
    if (nodes.length === 0) return none;
    return nodes.map((node) => this.#size(node) ?? unknownSize).reduce(union);
  }

  #list(node: ListNode): CostRange {
    let total = fixed(10);
    for (const element of node.elements) total = addRange(total, this.cost(element));
    this.#setEntry(node, { kind: 'list', key: one, value: this.#spread(node.elements) });
    return total;
  }

  #map(node: MapNode): CostRange {
    let total = fixed(30);
    for (const { key, value } of node.entries) total = addRange(addRange(total, this.cost(key)), this.cost(value));
    const key = this.#spread(node.entries.map((entry) => entry.key));
    this.#setEntry(node, {
      kind: 'map',
      key,
      value: this.#spread(node.entries.map((entry) => entry.value)),
    });
    return total;
  }

  #bind(node: FoldNode): CostRange {
    const setup = addRange(this.cost(node.range), this.cost(node.init));
    const local = {
      path: this.#path(node.init),
      size: this.#size(node.init),
      entry: this.#entry(node.init),
    };
    this.#push(node.accuVar, local);
    const total = addRange(setup, this.cost(node.result));
    this.#pop(node.accuVar);
    this.#setSize(node, this.#size(node.result));
    this.#setEntry(node, this.#entry(node.result));
    return total;
  }

  /** Declares an iteration variable: a key, a value, or what a single variable runs over. */
  #iterate(name: string, range: CelNode, role: 'key' | 'value' | 'single'): void {
    const entry = this.#entry(range);
    const isList = (entry?.kind ?? range.type?.kind) === 'list';
    const takesKey = role === 'key' || (role === 'single' && !isList);
    const step = takesKey ? (isList ? '@indices' : '@keys') : isList ? '@items' : '@values';
    const size = takesKey ? entry?.key : entry?.value;
    this.#push(name, { path: [...this.#path(range), step], size, entry: undefined });
  }

  #fold(node: FoldNode): CostRange {
    let total = addRange(this.cost(node.range), this.cost(node.init));
    const accu = {
      path: this.#path(node.init),
      size: this.#size(node.init),
      entry: this.#entry(node.init),
    };
    this.#push(node.accuVar, accu);
    const two = node.iterVar2 !== '';
    this.#iterate(node.iterVar, node.range, two ? 'key' : 'single');
    if (two) this.#iterate(node.iterVar2, node.range, 'value');
    const condition = this.cost(node.condition);
    const step = this.cost(node.step);
    this.#pop(node.iterVar);
    if (two) this.#pop(node.iterVar2);
    total = addRange(total, this.cost(node.result));
    this.#pop(node.accuVar);
    const turns = this.#size(node.range) ?? unknownSize;
    total = addRange(total, multiplyRange(turns, addRange(step, condition)));
    if (node.init.kind === 'literal') this.#setSize(node, this.#size(node.init));
    else if (node.init.kind === 'list' || node.init.kind === 'map') {
      this.#setSize(node, turns);
      this.#setEntry(node, this.#entry(node.step));
    }
    return total;
  }
}

/** The range of what a checked expression may cost, given the sizes of its data. */
export function estimateCost(node: CelNode, sizes: SizeEstimator = () => undefined): CostRange {
  return scaleRange(new Estimator(sizes).cost(node), 1);
}

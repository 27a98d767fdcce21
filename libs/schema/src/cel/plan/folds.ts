/** Loops of the macros. What each turn costs follows from what the macro expands to. */
import type { CallNode, CelNode, FoldNode } from '../syntax/ast.js';
import { goText } from '../values/go-text.js';
import { CelMap, isList, isMap, listAt, listSize, mapFind, mapKeys } from '../values/collections.js';
import { DataMap } from '../values/data.js';
import type { CelList } from '../values/collections.js';
import { checkCost } from '../values/frame.js';
import type { Code, Frame } from '../values/frame.js';
import { noOverload } from '../values/order.js';
import { pending } from './plan.js';
import type { PlanContext } from './plan.js';
import { CelError, goTypeOf, isError } from '../values/values.js';
import type { CelValue } from '../values/values.js';

/** One turn; false ends the loop. */
type Turn = (frame: Frame) => boolean;

interface Loop {
  readonly range: Code;
  readonly slot: number;
  /** -1 when there is only one variable. */
  readonly slot2: number;
}

function iterateList(frame: Frame, list: CelList, loop: Loop, turn: Turn): void {
  const size = listSize(list);
  const { slot, slot2 } = loop;
  for (let at = 0; at < size; at++) {
    frame.slots[slot2 === -1 ? slot : slot2] = listAt(list, at);
    if (slot2 !== -1) frame.slots[slot] = at;
    if (!turn(frame)) return;
    checkCost(frame);
  }
}

/** Runs the turns; an error when the range cannot be iterated. */
function iterate(frame: Frame, range: CelValue, loop: Loop, turn: Turn): CelError | undefined {
  if (isError(range)) return range;
  if (isList(range)) {
    iterateList(frame, range, loop, turn);
    return undefined;
  }
  if (!isMap(range)) {
    const name = goTypeOf(range);
    if (loop.slot2 !== -1) return new CelError(`unsupported comprehension range type: ${name}`);
    return new CelError(`got '${name}', expected iterable type`);
  }
  for (const key of mapKeys(range)) {
    frame.slots[loop.slot] = key;
    if (loop.slot2 !== -1) frame.slots[loop.slot2] = mapFind(range, key);
    if (!turn(frame)) return undefined;
    checkCost(frame);
  }
  return undefined;
}

/** Plans a fold by the loop of its macro. */
export function planFold(node: FoldNode, planner: PlanContext): Code {
  const range = planner.code(node.range);
  if (node.macro === 'bind') return bind(node, planner);
  return planner.scoped(() => {
    const slot = planner.declare(node.iterVar);
    const loop = { range, slot, slot2: node.iterVar2 === '' ? -1 : planner.declare(node.iterVar2) };
    if (node.macro === 'existsOne') return existsOne(loop, planner.code(predicateOf(node)));
    if (node.macro === 'transform') return transform(node, loop, planner);
    return quantifier(node.macro === 'exists', loop, planner.code(predicateOf(node)));
  });
}

function bind(node: FoldNode, planner: PlanContext): Code {
  const init = planner.code(node.init);
  return planner.scoped(() => {
    const slot = planner.declare(node.accuVar, init);
    const result = planner.code(node.result);
    return (frame) => {
      frame.slots[slot] = pending;
      return result(frame);
    };
  });
}

function predicateOf(node: FoldNode): CelNode {
  const { args } = node.step as CallNode;
  return (node.macro === 'existsOne' ? args[0] : args[1]) as CelNode;
}

/** `all` and `exists`: like a chain of `&&` or `||` over the elements. */
function quantifier(decisive: boolean, loop: Loop, predicate: Code): Code {
  // Asking whether to go on reads the result, and negates it for exists.
  const asking = decisive ? 3 : 2;
  return (frame) => {
    let accu: CelValue = !decisive;
    const failed = iterate(frame, loop.range(frame), loop, () => {
      frame.cost += asking;
      if (accu === decisive) return false;
      frame.cost++;
      const value = predicate(frame);
      if (value === decisive) accu = decisive;
      else if (value !== !decisive && typeof accu === 'boolean') accu = isError(value) ? value : noOverload;
      return true;
    });
    if (failed !== undefined) return failed;
    frame.cost++;
    return accu;
  };
}

function existsOne(loop: Loop, predicate: Code): Code {
  return (frame) => {
    let count = 0;
    let error: CelError | undefined;
    const failed = iterate(frame, loop.range(frame), loop, () => {
      const value = predicate(frame);
      if (value === true) {
        count++;
        frame.cost += 2;
      } else if (value !== false) error = isError(value) ? value : noOverload;
      return true;
    });
    if (failed !== undefined) return failed;
    frame.cost += 2;
    return error ?? count === 1;
  };
}

/** What a turn adds to the list or map; an error it gives ends up as the result. */
type Grow = (frame: Frame, failed: CelError | undefined) => CelError | undefined;

function transform(node: FoldNode, loop: Loop, planner: PlanContext): Code {
  const step = node.step as CallNode;
  const filtered = step.fn === '_?_:_';
  const filter = filtered ? planner.code(step.args[0] as CelNode) : undefined;
  const grown = (filtered ? step.args[1] : step) as CallNode;
  const start = grown.fn === '_+_' ? listGrower(grown, planner) : mapGrower(grown, planner);
  return (frame) => {
    const { grow, result } = start();
    let error: CelError | undefined;
    const failed = iterate(frame, loop.range(frame), loop, () => {
      const wanted = filter === undefined ? true : filter(frame);
      if (wanted === true) error = grow(frame, error);
      else if (wanted !== false) error = isError(wanted) ? wanted : noOverload;
      return true;
    });
    if (failed !== undefined) return failed;
    frame.cost++;
    return error ?? result;
  };
}

interface Grower {
  readonly grow: Grow;
  readonly result: CelValue;
}

/** `@result + [value]`: both sides are evaluated and charged even after an error. */
function listGrower(step: CallNode, planner: PlanContext): () => Grower {
  const added = step.args[1] as CelNode;
  const element = added.kind === 'list' ? (added.elements[0] as CelNode) : added;
  const plan = planner.plan(element);
  // What has been gathered is looked at first; it is paid for, too, where the element ends everything.
  const charge = 1 + (plan.constant === undefined ? 10 : 0);
  return () => {
    const result: CelValue[] = [];
    const grow: Grow = (frame, failed) => {
      frame.cost++;
      const value = plan.code(frame);
      frame.cost += charge;
      if (failed !== undefined) return failed;
      if (isError(value)) return value;
      result.push(value);
      return undefined;
    };
    return { grow, result };
  };
}

function insert(map: CelMap, key: CelValue, value: CelValue): CelError | undefined {
  if (map.get(key) !== undefined) return new CelError(`insert failed: key ${goText(key)} already exists`);
  map.set(key, value);
  return undefined;
}

/** `cel.@mapInsert(@result, key, value)` or with a map of entries for the pair. */
function mapGrower(step: CallNode, planner: PlanContext): () => Grower {
  const codes = step.args.slice(1).map((arg) => planner.code(arg));
  const [first, second] = codes as [Code, Code | undefined];
  return () => {
    const result = new CelMap();
    const pair: Grow = (frame, failed) => {
      frame.cost++;
      if (failed !== undefined) return failed;
      const key = first(frame);
      if (isError(key)) return key;
      const value = second?.(frame);
      frame.cost++;
      return isError(value) ? value : insert(result, key, value);
    };
    const entries: Grow = (frame, failed) => {
      frame.cost++;
      const added = first(frame);
      frame.cost++;
      if (failed !== undefined) return failed;
      if (isError(added)) return added;
      if (!isMap(added) || added instanceof DataMap) return noOverload;
      for (const key of mapKeys(added)) {
        const error = insert(result, key, mapFind(added, key));
        if (error !== undefined) return error;
      }
      return undefined;
    };
    return { grow: second === undefined ? entries : pair, result };
  };
}

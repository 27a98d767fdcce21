/** Macros: what `has`, `all`, `map` and their kin expand to. */
import type { CallNode, CelNode, FoldMacro, FoldNode, IdentNode, ListNode } from './ast.js';
import type { CelIssue } from './issues.js';

/** Hidden from expressions, which cannot write an `@`. */
const accu = '@result';
const oldAccu = '__result__';
const unused = '#unused';

interface Builder {
  /** The place of the macro call, which all its nodes get. */
  readonly at: number;
}

type Expander = (call: CallNode, target: CelNode, args: readonly CelNode[]) => CelNode | CelIssue | undefined;

function literal(b: Builder, value: unknown): CelNode {
  return { kind: 'literal', at: b.at, value };
}

function ident(b: Builder, name: string): IdentNode {
  return { kind: 'ident', at: b.at, name };
}

function list(b: Builder, ...elements: CelNode[]): ListNode {
  return { kind: 'list', at: b.at, elements, optional: [] };
}

function call(b: Builder, fn: string, ...args: CelNode[]): CallNode {
  return { kind: 'call', at: b.at, fn, target: undefined, args };
}

function member(b: Builder, fn: string, target: CelNode, ...args: CelNode[]): CallNode {
  return { kind: 'call', at: b.at, fn, target, args };
}

interface FoldParts {
  range: CelNode;
  vars: readonly string[];
  init: CelNode;
  condition: CelNode;
  step: CelNode;
  result: CelNode;
}

function fold(b: Builder, macro: FoldMacro, parts: FoldParts, accuVar = accu): FoldNode {
  const { range, vars, init, condition, step, result } = parts;
  const [iterVar = unused, iterVar2 = ''] = vars;
  return {
    kind: 'fold',
    at: b.at,
    macro,
    range,
    iterVar,
    iterVar2,
    accuVar,
    init,
    condition,
    step,
    result,
  };
}

function issue(node: CelNode | undefined, message: string): CelIssue {
  return { offset: node?.at ?? -1, message };
}

/** A copy the checker may annotate apart from the original. */
function copy(node: CelNode): CelNode {
  switch (node.kind) {
    case 'literal':
    case 'ident':
      return { ...node };
    case 'select':
      return { ...node, operand: copy(node.operand) };
    case 'call':
      return {
        ...node,
        target: node.target === undefined ? undefined : copy(node.target),
        args: node.args.map(copy),
      };
    case 'list':
      return { ...node, elements: node.elements.map(copy) };
    case 'map':
      return {
        ...node,
        entries: node.entries.map((e) => ({ ...e, key: copy(e.key), value: copy(e.value) })),
      };
    case 'struct':
      return { ...node, fields: node.fields.map((f) => ({ ...f, value: copy(f.value) })) };
    case 'fold':
      return {
        ...node,
        range: copy(node.range),
        init: copy(node.init),
        condition: copy(node.condition),
        step: copy(node.step),
        result: copy(node.result),
      };
  }
}

/** The names of the iteration variables, or what is wrong with them. */
function variables(nodes: readonly CelNode[], notSimple: string): string[] | CelIssue {
  const names: string[] = [];
  for (const node of nodes) {
    if (node.kind !== 'ident') return issue(node, notSimple);
    if (names.includes(node.name)) return issue(node, `duplicate variable name: ${node.name}`);
    names.push(node.name);
  }
  const taken = names.findIndex((name) => name === oldAccu);
  return taken === -1 ? names : issue(nodes[taken], 'iteration variable overwrites accumulator variable');
}

const notAName = 'argument must be a simple name';

function quantifier(kind: 'all' | 'exists' | 'existsOne', count: number): Expander {
  return (b, range, args) => {
    const vars = variables(args.slice(0, count), notAName);
    const predicate = args[count];
    if (!Array.isArray(vars) || predicate === undefined) return vars as CelIssue;
    const result = ident(b, accu);
    if (kind === 'all') {
      const condition = call(b, '@not_strictly_false', ident(b, accu));
      const step = call(b, '_&&_', ident(b, accu), predicate);
      return fold(b, kind, { range, vars, init: literal(b, true), condition, step, result });
    }
    if (kind === 'exists') {
      const condition = call(b, '@not_strictly_false', call(b, '!_', ident(b, accu)));
      const step = call(b, '_||_', ident(b, accu), predicate);
      return fold(b, kind, { range, vars, init: literal(b, false), condition, step, result });
    }
    const more = call(b, '_+_', ident(b, accu), literal(b, 1));
    const step = call(b, '_?_:_', predicate, more, ident(b, accu));
    const once = call(b, '_==_', ident(b, accu), literal(b, 1));
    return fold(b, kind, {
      range,
      vars,
      init: literal(b, 0),
      condition: literal(b, true),
      step,
      result: once,
    });
  };
}

/** Folds that grow a list or a map, with a filter when the arguments have one more. */
function transform(count: number, notSimple: string, init: 'list' | 'map' | 'entries'): Expander {
  return (b, range, args) => {
    const vars = variables(args.slice(0, count), notSimple);
    if (!Array.isArray(vars)) return vars;
    const filter = args.length === count + 2 ? args[count] : undefined;
    const value = args.at(-1) as CelNode;
    const grown =
      init === 'list'
        ? call(b, '_+_', ident(b, accu), list(b, value))
        : init === 'map'
          ? call(b, 'cel.@mapInsert', ident(b, accu), ident(b, vars[0] ?? ''), value)
          : call(b, 'cel.@mapInsert', ident(b, accu), value);
    const step = filter === undefined ? grown : call(b, '_?_:_', filter, grown, ident(b, accu));
    const empty: CelNode = init === 'list' ? list(b) : { kind: 'map', at: b.at, entries: [] };
    return fold(b, 'transform', {
      range,
      vars,
      init: empty,
      condition: literal(b, true),
      step,
      result: ident(b, accu),
    });
  };
}

const filterMacro: Expander = (b, range, args) => {
  const vars = variables(args.slice(0, 1), 'argument is not an identifier');
  const [item, filter] = args;
  if (!Array.isArray(vars) || item === undefined || filter === undefined) return vars as CelIssue;
  const step = call(b, '_?_:_', filter, call(b, '_+_', ident(b, accu), list(b, item)), ident(b, accu));
  const parts = {
    range,
    vars,
    init: list(b),
    condition: literal(b, true),
    step,
    result: ident(b, accu),
  };
  return fold(b, 'transform', parts);
};

function bind(b: Builder, name: string, init: CelNode, result: CelNode): FoldNode {
  const parts = {
    range: list(b),
    vars: [unused],
    init,
    condition: literal(b, false),
    step: ident(b, name),
    result,
  };
  return fold(b, 'bind', parts, name);
}

function optional(macro: string): Expander {
  return (b, target, args) => {
    const [name, body] = args;
    if (name?.kind !== 'ident' || body === undefined) {
      return issue(name, `${macro}() variable name must be a simple identifier`);
    }
    const bound = bind(b, name.name, member(b, 'value', copy(target)), body);
    const some = macro === 'optMap' ? call(b, 'optional.of', bound) : bound;
    return call(b, '_?_:_', member(b, 'hasValue', target), some, call(b, 'optional.none'));
  };
}

const sortBy: Expander = (b, target, args) => {
  if (target.kind === 'literal' || target.kind === 'map' || target.kind === 'struct') {
    const message = 'sortBy can only be applied to a list, identifier, comprehension, call or select expression';
    return issue(target, message);
  }
  const input = '@__sortBy_input__';
  const keys = transform(1, 'argument is not an identifier', 'list')(b as CallNode, ident(b, input), args);
  if (keys === undefined || !('kind' in keys)) return keys;
  return bind(b, input, target, member(b, '@sortByAssociatedKeys', ident(b, input), keys));
};

const celBind: Expander = (b, target, args) => {
  if (target.kind !== 'ident' || target.name !== 'cel') return undefined;
  const [name, init, body] = args;
  if (name?.kind !== 'ident' || init === undefined || body === undefined) {
    return issue(name, 'cel.bind() variable names must be simple identifiers');
  }
  return bind(b, name.name, init, body);
};

const receivers = new Map<string, Expander>([
  ['all/2', quantifier('all', 1)],
  ['exists/2', quantifier('exists', 1)],
  ['exists_one/2', quantifier('existsOne', 1)],
  ['map/2', transform(1, 'argument is not an identifier', 'list')],
  ['map/3', transform(1, 'argument is not an identifier', 'list')],
  ['filter/2', filterMacro],
  ['all/3', quantifier('all', 2)],
  ['exists/3', quantifier('exists', 2)],
  ['existsOne/3', quantifier('existsOne', 2)],
  ['exists_one/3', quantifier('existsOne', 2)],
  ['transformList/3', transform(2, notAName, 'list')],
  ['transformList/4', transform(2, notAName, 'list')],
  ['transformMap/3', transform(2, notAName, 'map')],
  ['transformMap/4', transform(2, notAName, 'map')],
  ['transformMapEntry/3', transform(2, notAName, 'entries')],
  ['transformMapEntry/4', transform(2, notAName, 'entries')],
  ['optMap/2', optional('optMap')],
  ['optFlatMap/2', optional('optFlatMap')],
  ['sortBy/2', sortBy],
]);

/** What a call stands for if it is a macro's, an issue if it misuses one, undefined if it is a plain call. */
export function expandMacro(node: CallNode, options: { readonly bindings?: boolean }): CelNode | CelIssue | undefined {
  const { target, args, fn } = node;
  if (target === undefined) {
    if (fn !== 'has' || args.length !== 1) return undefined;
    const [arg] = args;
    if (arg?.kind !== 'select') return issue(arg, 'invalid argument to has() macro');
    return { kind: 'select', at: node.at, operand: arg.operand, field: arg.field, test: true };
  }
  if (options.bindings === true && fn === 'bind' && args.length === 3) return celBind(node, target, args);
  return receivers.get(`${fn}/${args.length}`)?.(node, target, args);
}

/**
 * What a rule may come to for objects of the requirement: true, false, an error, or several of these. Only presence of
 * members, enumerations and constants count; whatever else a rule looks at may come to anything.
 */
import { type CallNode, type CelNode, type FoldNode, type SelectNode, childrenOf } from '@capstan/schema';
import { ANYTHING, combine, EITHER, ERROR, FALSE, negated, TRUE } from './outcomes.js';
import { type Presence, type Seen, isStrange, itemOf, memberOf, presenceOf } from './presence.js';

type Constant = bigint | boolean | string | readonly Constant[];

/** What an expression may come to. For an expression that is no condition, outcomes record only whether it may be an error. */
interface Value {
  readonly outcomes: number;
  readonly constant?: Constant | undefined;
  readonly seen?: Seen | undefined;
  /** The way there from a variable, by which choices of presence are found. */
  readonly path?: string | undefined;
}

/** Variables, and which of the members that may be missing are there. */
export interface Scope {
  readonly variables: ReadonlyMap<string, Value>;
  readonly present: ReadonlyMap<string, boolean>;
}

const anything: Value = { outcomes: ANYTHING };
/** More members than this are not tried in all combinations. */
const MOST_CHOICES = 8;

function known(constant: Constant): Value {
  return { outcomes: constant === false ? FALSE : TRUE, constant };
}

/** Conditions are true or false, what has no type may be anything, and the rest is never used as a condition. */
function outcomesOfType(type: string): number {
  return type === 'boolean' ? EITHER : type === '' ? ANYTHING : TRUE;
}

/** A variable that has a value of these nodes. */
function variable(seen: Seen, name: string): Value {
  return { outcomes: outcomesOfType(seen.live.type), seen, path: name };
}

/** The scope of a rule of a node. Of values that may be of another type too little is known. */
export function scopeOf(seen: Seen): Scope {
  return { variables: new Map([['self', isStrange(seen) ? anything : variable(seen, 'self')]]), present: new Map() };
}

function mayFail({ outcomes }: Value): number {
  return outcomes & ERROR;
}

function isCondition({ constant }: Value): boolean {
  return constant === undefined || typeof constant === 'boolean';
}

function constantOf(node: CelNode): Constant | undefined {
  if (node.kind !== 'literal') return undefined;
  const { value } = node;
  if (typeof value === 'boolean' || typeof value === 'string' || typeof value === 'bigint') return value;
  return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : undefined;
}

function isSame(a: Constant, b: Constant): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return a === b;
  return a.length === b.length && a.every((item, at) => isSame(item as Constant, b[at] as Constant));
}

/** The texts a value may be, where they are listed and nothing else is filled in. */
function textsOf({ seen }: Value): readonly string[] | undefined {
  if (seen === undefined || seen.required.type !== 'string' || seen.live.type !== 'string') return undefined;
  if (seen.live.default !== undefined || seen.required.format !== '' || seen.live.format !== '') return undefined;
  const { enum: listed } = seen.required;
  return listed?.every((value) => typeof value === 'string') === true ? (listed as readonly string[]) : undefined;
}

function equality(a: Value, b: Value): Value {
  const failing = mayFail(a) | mayFail(b);
  if (a.constant !== undefined && b.constant !== undefined) {
    return failing === 0 ? known(isSame(a.constant, b.constant)) : anything;
  }
  const [listed, text] = a.constant === undefined ? [textsOf(a), b.constant] : [textsOf(b), a.constant];
  if (listed !== undefined && typeof text === 'string' && !listed.includes(text)) return { outcomes: FALSE | failing };
  return anything;
}

const comparisons: Readonly<Record<string, (a: bigint, b: bigint) => Constant>> = {
  '_<_': (a, b) => a < b,
  '_<=_': (a, b) => a <= b,
  '_>_': (a, b) => a > b,
  '_>=_': (a, b) => a >= b,
  '_+_': (a, b) => a + b,
  '_-_': (a, b) => a - b,
};

function calculated(fn: string, a: Value, b: Value): Value {
  if ((mayFail(a) | mayFail(b)) !== 0) return anything;
  if (fn === '_+_' && Array.isArray(a.constant) && Array.isArray(b.constant)) {
    return known([...(a.constant as readonly Constant[]), ...(b.constant as readonly Constant[])]);
  }
  const calculate = comparisons[fn];
  if (calculate === undefined || typeof a.constant !== 'bigint' || typeof b.constant !== 'bigint') return anything;
  const result = calculate(a.constant, b.constant);
  return typeof result === 'bigint' && BigInt.asIntN(64, result) !== result ? { outcomes: ERROR } : known(result);
}

function conditional(condition: Value, yes: () => Value, no: () => Value): Value {
  const ways = [
    ...((condition.outcomes & TRUE) === 0 ? [] : [yes()]),
    ...((condition.outcomes & FALSE) === 0 ? [] : [no()]),
  ];
  const [first] = ways;
  if (ways.length === 1 && first !== undefined && mayFail(condition) === 0) return first;
  return { outcomes: ways.reduce((outcomes, way) => outcomes | way.outcomes, mayFail(condition)) };
}

function call(node: CallNode, scope: Scope): Value {
  const parts = childrenOf(node);
  const at = (index: number): Value => {
    const part = parts[index];
    return part === undefined ? anything : valueOf(part, scope);
  };
  switch (node.fn) {
    case '!_':
      return truth(negated(at(0).outcomes));
    case '_&&_':
      return truth(combine(at(0).outcomes, at(1).outcomes, FALSE, TRUE));
    case '_||_':
      return truth(combine(at(0).outcomes, at(1).outcomes, TRUE, FALSE));
    case '_?_:_':
      return conditional(
        at(0),
        () => at(1),
        () => at(2),
      );
    case '_==_':
      return equality(at(0), at(1));
    case '_!=_': {
      return truth(negated(equality(at(0), at(1)).outcomes));
    }
    case 'size': {
      const [list] = [at(0)];
      return Array.isArray(list.constant) && mayFail(list) === 0 ? known(BigInt(list.constant.length)) : anything;
    }
    default:
      return parts.length === 2 ? calculated(node.fn, at(0), at(1)) : anything;
  }
}

function truth(outcomes: number): Value {
  return outcomes === TRUE ? known(true) : outcomes === FALSE ? known(false) : { outcomes };
}

/** Whether a member is there, by the schemas or by the choice that is tried. */
function presence(operand: Value, field: string, { present }: Scope): Presence {
  if (operand.seen === undefined) return 'unknown';
  const found = presenceOf(operand.seen, field);
  if (found !== 'maybe' || operand.path === undefined) return found;
  const choice = present.get(`${operand.path}.${field}`);
  return choice === undefined ? found : choice ? 'always' : 'never';
}

const asked: Readonly<Record<Presence, number>> = { always: TRUE, never: FALSE, maybe: EITHER, unknown: ANYTHING };

function select({ field, operand, test }: SelectNode, scope: Scope): Value {
  const from = valueOf(operand, scope);
  // An operand that is always an error gives nothing else.
  const isThere = from.outcomes !== ERROR;
  const found = presence(from, field, scope);
  if (test) return truth(isThere ? asked[found] | mayFail(from) : ERROR);
  if (!isThere || found === 'never') return { outcomes: ERROR };
  const seen = from.seen && memberOf(from.seen, field);
  if (seen === undefined || found === 'unknown') return anything;
  return {
    outcomes: outcomesOfType(seen.live.type) | mayFail(from) | (found === 'always' ? 0 : ERROR),
    seen,
    path: from.path === undefined ? undefined : `${from.path}.${field}`,
  };
}

/** A comprehension over a list of constants, step by step. */
function foldConstants(node: FoldNode, items: readonly Constant[], scope: Scope): Value {
  const bound = (accumulated: Value, item?: Constant): Scope => {
    const variables = new Map(scope.variables).set(node.accuVar, accumulated);
    if (item !== undefined) variables.set(node.iterVar, known(item));
    return { ...scope, variables };
  };
  let accumulated = valueOf(node.init, scope);
  for (const item of items) accumulated = valueOf(node.step, bound(accumulated, item));
  return valueOf(node.result, bound(accumulated));
}

/** A comprehension over the items of a list: of those that every item is asked alike. */
function foldItems(node: FoldNode, range: Value, scope: Scope): Value {
  const item = range.seen && range.seen.live.type === 'array' ? itemOf(range.seen) : undefined;
  const { step } = node;
  const predicate = step.kind === 'call' ? step.args[1] : undefined;
  if (item === undefined || predicate === undefined || (node.macro !== 'all' && node.macro !== 'exists'))
    return anything;
  const outcomes = outcomesWith(predicate, bindItem(node, item, scope), node.iterVar);
  // Of no items all, and none exists.
  return truth(outcomes | (node.macro === 'all' ? TRUE : FALSE) | mayFail(range));
}

function bindItem(node: FoldNode, item: Seen, scope: Scope): Scope {
  return { ...scope, variables: new Map(scope.variables).set(node.iterVar, variable(item, node.iterVar)) };
}

/** The scope of the predicate of `all` or `exists`; undefined where little is known of the items. */
export function itemScope(node: FoldNode, scope: Scope): Scope | undefined {
  // A name that is taken would mix up what is known of two values.
  if (scope.variables.has(node.iterVar)) return undefined;
  const { seen } = valueOf(node.range, scope);
  const item = seen && seen.live.type === 'array' ? itemOf(seen) : undefined;
  return item && bindItem(node, item, scope);
}

function fold(node: FoldNode, scope: Scope): Value {
  if (node.iterVar2 !== '' || node.macro === 'bind' || scope.variables.has(node.iterVar)) return anything;
  const range = valueOf(node.range, scope);
  if (Array.isArray(range.constant) && mayFail(range) === 0) {
    const folded = foldConstants(node, range.constant as readonly Constant[], scope);
    return isCondition(folded) || mayFail(folded) === 0 ? folded : anything;
  }
  return foldItems(node, range, scope);
}

function valueOf(node: CelNode, scope: Scope): Value {
  switch (node.kind) {
    case 'literal': {
      const constant = constantOf(node);
      return constant === undefined ? { outcomes: TRUE } : known(constant);
    }
    case 'ident':
      return scope.variables.get(node.name) ?? anything;
    case 'select':
      return select(node, scope);
    case 'call':
      return call(node, scope);
    case 'list': {
      const items = node.elements.map((element) => valueOf(element, scope));
      const isKnown =
        node.optional.length === 0 && items.every((item) => item.constant !== undefined && mayFail(item) === 0);
      return isKnown ? known(items.map((item) => item.constant as Constant)) : anything;
    }
    case 'fold':
      return fold(node, scope);
    default:
      return anything;
  }
}

/** The members behind a variable that may be missing and that an expression looks at. */
function choicesIn(node: CelNode, variable: string, scope: Scope, found: Set<string>): void {
  if (node.kind === 'select') {
    const from = valueOf(node.operand, scope);
    const isOwn = from.path === variable || from.path?.startsWith(`${variable}.`) === true;
    if (isOwn && presence(from, node.field, scope) === 'maybe') found.add(`${from.path}.${node.field}`);
  }
  for (const child of childrenOf(node)) choicesIn(child, variable, scope, found);
}

/** What an expression may come to, for every choice of what is there of a variable's members. */
function outcomesWith(node: CelNode, scope: Scope, variable: string): number {
  const found = new Set<string>();
  choicesIn(node, variable, scope, found);
  const paths = found.size > MOST_CHOICES ? [] : [...found];
  let outcomes = 0;
  for (let choice = 0; choice < 2 ** paths.length; choice++) {
    const present = new Map(scope.present);
    for (const [at, path] of paths.entries()) present.set(path, (choice & (2 ** at)) !== 0);
    outcomes |= valueOf(node, { ...scope, present }).outcomes;
    if ((outcomes & ANYTHING) === ANYTHING) break;
  }
  return outcomes;
}

/** What a condition may come to in a scope, for every choice of what is there of the members of one of its variables. */
export function outcomesOf(node: CelNode, scope: Scope, variable = 'self'): number {
  return outcomesWith(node, scope, variable);
}

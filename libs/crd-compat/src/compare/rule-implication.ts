/** Whether a rule holds for every object that satisfies others. Sound, and far from complete. */
import { type CallNode, type CelNode, type FoldNode, parseExpression, sameAst } from '@capstan/schema';
import { type Seen } from './presence.js';
import { scopeOf } from './rule-outcomes.js';
import { type Context, argumentsOf, innerContext, isCertain, simplified } from './rule-simplification.js';

function isCall(node: CelNode, fn: string): node is CallNode {
  return node.kind === 'call' && node.fn === fn;
}

/** The predicate of `all` and `exists`; other comprehensions have none. */
function predicateOf(node: FoldNode): CelNode | undefined {
  if (node.macro !== 'all' && node.macro !== 'exists') return undefined;
  return node.step.kind === 'call' ? node.step.args[1] : undefined;
}

/** Whether a condition is true wherever another is. What is true is no error: `||` and `exists` absorb the errors of others. */
function implies(given: CelNode, wanted: CelNode, context: Context): boolean {
  if (sameAst(given, wanted) || isCertain(wanted, context)) return true;
  if (isCall(wanted, '_&&_')) return argumentsOf(wanted).every((part) => implies(given, part, context));
  if (isCall(given, '_||_')) return argumentsOf(given).every((part) => implies(part, wanted, context));
  if (impliesByPart(given, wanted, context)) return true;
  if (isCall(given, '_?_:_') && isCall(wanted, '_?_:_')) return impliesConditional(given, wanted, context);
  return given.kind === 'fold' && wanted.kind === 'fold' && impliesFold(given, wanted, context);
}

/** By one of the premises, or as one of the alternatives. */
function impliesByPart(given: CelNode, wanted: CelNode, context: Context): boolean {
  if (isCall(wanted, '_||_') && argumentsOf(wanted).some((part) => implies(given, part, context))) return true;
  return isCall(given, '_&&_') && argumentsOf(given).some((part) => implies(part, wanted, context));
}

function impliesConditional(given: CallNode, wanted: CallNode, context: Context): boolean {
  const [condition, yes, no] = given.args;
  const [same, better, otherwise] = wanted.args;
  if (condition === undefined || yes === undefined || no === undefined) return false;
  if (same === undefined || better === undefined || otherwise === undefined) return false;
  return sameAst(condition, same) && implies(yes, better, context) && implies(no, otherwise, context);
}

function impliesFold(given: FoldNode, wanted: FoldNode, context: Context): boolean {
  const predicate = predicateOf(given);
  const weaker = predicateOf(wanted);
  if (predicate === undefined || weaker === undefined || given.macro !== wanted.macro) return false;
  if (given.iterVar !== wanted.iterVar || given.iterVar2 !== wanted.iterVar2) return false;
  return sameAst(given.range, wanted.range) && implies(predicate, weaker, innerContext(wanted, context));
}

/** Whether a rule holds for everything that the schemas and the given rules let through. */
export function holdsBy(seen: Seen, rule: string, given: readonly string[]): boolean {
  const parsed = parseExpression(rule);
  if (parsed === undefined) return false;
  const context: Context = { scope: scopeOf(seen), variable: 'self' };
  const wanted = simplified(parsed, context);
  const premises = given.flatMap((each) => parseExpression(each) ?? []).map((each) => simplified(each, context));
  const holds = (part: CelNode): boolean => {
    if (isCertain(part, context) || premises.some((premise) => implies(premise, part, context))) return true;
    return isCall(part, '_&&_') && argumentsOf(part).every(holds);
  };
  return holds(wanted);
}

/** The rules of one schema node, compiled. */
import { resolveFieldPath } from '../schema/field-path.js';
import type { Expression, RuleEngine } from './engine.js';
import { declareType } from './types.js';
import type { SchemaNode, ValidationRule } from '../schema/schema-node.js';

/** One rule. An empty rule has neither expression nor error. */
export interface CompiledRule {
  readonly rule: ValidationRule;
  readonly expression?: Expression;
  readonly error?: string;
  readonly message?: Expression;
  readonly messageError?: string;
  /** The rule's field path as field errors write it; empty where it has none. */
  readonly fieldPath: string;
}

function normalizedPath(rule: ValidationRule, node: SchemaNode): string {
  if (rule.fieldPath === undefined || rule.fieldPath === '') return '';
  const resolved = resolveFieldPath(rule.fieldPath, node);
  return 'error' in resolved ? '' : resolved.path;
}

/**
 * What was compiled already, by the JSON of the schema, which never changes: one definition is read more than once,
 * and to compile its rules takes longer than all the rest.
 */
const compiled = new WeakMap<RuleEngine, Record<'plain' | 'resource', WeakMap<object, readonly CompiledRule[]>>>();

/** Compiles the rules of a node, not of those below it. The node must be visible to rules. */
export function compileRules(node: SchemaNode, resource: boolean, engine: RuleEngine): readonly CompiledRule[] {
  let known = compiled.get(engine);
  if (known === undefined) compiled.set(engine, (known = { plain: new WeakMap(), resource: new WeakMap() }));
  const cache = known[resource ? 'resource' : 'plain'];
  let rules = cache.get(node.raw);
  if (rules === undefined) cache.set(node.raw, (rules = compileAll(node, resource, engine)));
  return rules;
}

function compileAll(node: SchemaNode, resource: boolean, engine: RuleEngine): CompiledRule[] {
  const self = declareType(node, resource);
  return node.rules.map((rule): CompiledRule => {
    const fieldPath = normalizedPath(rule, node);
    if (rule.rule.trim() === '') return { rule, fieldPath };
    const optional = rule.optionalOldSelf === true;
    const compiled = engine.compileRule(rule.rule, self, optional);
    if ('error' in compiled) return { rule, fieldPath, error: compiled.error };
    const { expression } = compiled;
    if (rule.messageExpression === undefined || rule.messageExpression === '') return { rule, fieldPath, expression };
    const message = engine.compileMessage(rule.messageExpression, self, optional);
    return 'error' in message
      ? { rule, fieldPath, expression, messageError: message.error }
      : { rule, fieldPath, expression, message: message.expression };
  });
}

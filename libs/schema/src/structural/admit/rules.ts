/** Compiling the rules of a CRD at admission and estimating what they can cost. */
import { type FieldError, forbidden, indexField, invalid, joinField } from '@capstan/meta';
import { type CompiledRule, compileRules } from '../rules/compiled-rule.js';
import { internalRule } from '../schema/internal-form.js';
import type { RuleEngine } from '../rules/engine.js';
import { maxRequestSize, minSerializedSize } from '../rules/types.js';
import type { SchemaNode } from '../schema/schema-node.js';

/** The most one expression may cost, by estimate. */
const expressionLimit = 10_000_000;
/** The most all expressions of a schema may cost together. */
const schemaLimit = 100_000_000;
const uint64Max = 2 ** 64;

function multiply(cost: number, times: number): number {
  return Math.min(cost * times, uint64Max);
}

/** By how much a schema multiplies its children: `undefined` is without bound. */
function maxElements(node: SchemaNode): number | undefined {
  if (node.type === 'array') return node.maxItems === undefined ? undefined : Math.max(0, node.maxItems);
  if (node.type !== 'object' || node.additionalProperties === undefined) return 1;
  return node.maxProperties === undefined ? undefined : Math.max(0, node.maxProperties);
}

/** How often a node can occur in one object, by the limits above it; `undefined` where there is none. */
export class RuleScope {
  readonly cardinality: number | undefined;
  readonly resource: boolean;
  readonly #node: SchemaNode;

  constructor(node: SchemaNode, cardinality: number | undefined, resource: boolean) {
    this.#node = node;
    this.cardinality = cardinality;
    this.resource = resource;
  }

  /** The scope of a member, of the values of a map or of the items of a list. */
  child(node: SchemaNode): RuleScope {
    const times = maxElements(this.#node);
    const bounded = this.cardinality !== undefined && times !== undefined;
    return new RuleScope(node, bounded ? multiply(this.cardinality, times) : undefined, node.embeddedResource);
  }
}

function costText(what: string, cost: number, limit: number): string {
  const factor = cost / limit;
  const times = factor > 100 ? 'more than 100x' : factor < 1.5 ? `${factor.toFixed(6)}x` : `${factor.toFixed(1)}x`;
  const advice =
    'try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared';
  return `${what} exceeds budget by factor of ${times} (${advice})`;
}

/** Rules of one schema: their errors, and their cost together. */
export class RuleAdmission {
  readonly errors: FieldError[] = [];
  readonly #engine: RuleEngine;
  readonly #limitEach: boolean;
  #total = 0;
  #expensive: { readonly path: string; readonly cost: number }[] = [];

  /** `limitEach` is off for a schema that was admitted before and has not changed. */
  constructor(engine: RuleEngine, limitEach: boolean) {
    this.#engine = engine;
    this.#limitEach = limitEach;
  }

  rootScope(node: SchemaNode): RuleScope {
    return new RuleScope(node, 1, true);
  }

  admit(node: SchemaNode, path: string, scope: RuleScope, uncorrelatable: string | undefined): void {
    const unbounded = Math.floor(maxRequestSize / (minSerializedSize(node) + 1));
    const cardinality = scope.cardinality ?? unbounded;
    for (const [index, compiled] of compileRules(node, scope.resource, this.#engine).entries()) {
      const at = indexField(joinField(path, 'x-kubernetes-validations'), index);
      this.#admitRule(compiled, at, cardinality);
      this.#admitOldSelf(compiled, at, uncorrelatable);
    }
  }

  #admitRule(compiled: CompiledRule, path: string, cardinality: number): void {
    const rulePath = joinField(path, 'rule');
    const messagePath = joinField(path, 'messageExpression');
    const { rule, expression, error, message, messageError } = compiled;
    const cost = expression === undefined ? 0 : multiply(expression.maxCost(), cardinality);
    this.#observe('estimated rule cost', rulePath, cost);
    if (error !== undefined) this.errors.push(invalid(rulePath, internalRule(rule), error));
    if (messageError !== undefined) this.errors.push(invalid(messagePath, internalRule(rule), messageError));
    else if (message !== undefined) this.#observe('estimated messageExpression cost', messagePath, message.maxCost());
  }

  #admitOldSelf(compiled: CompiledRule, path: string, uncorrelatable: string | undefined): void {
    const { rule, expression } = compiled;
    if (expression?.usesOldSelf === true) {
      if (uncorrelatable === undefined) return;
      const reason = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelatable}`;
      this.errors.push(invalid(joinField(path, 'rule'), rule.rule, reason));
    } else if (rule.optionalOldSelf !== undefined) {
      const reason = 'may not be set if oldSelf is not used in rule';
      this.errors.push(invalid(joinField(path, 'optionalOldSelf'), rule.optionalOldSelf, reason));
    }
  }

  #observe(what: string, path: string, cost: number): void {
    if (this.#limitEach && cost > expressionLimit) {
      this.errors.push(forbidden(path, costText(what, cost, expressionLimit)));
    }
    this.#total = Math.min(this.#total + cost, uint64Max);
    if (cost < schemaLimit / 100) return;
    this.#expensive.push({ path, cost });
    this.#expensive.sort((a, b) => b.cost - a.cost);
    this.#expensive.length = Math.min(this.#expensive.length, 4);
  }

  /** Complaints about the cost of all rules together; `path` is the schema's. */
  totalErrors(path: string): FieldError[] {
    if (this.#total <= schemaLimit) return [];
    const part = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
    const what = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
    return [
      ...this.#expensive.map(({ path: at }) => forbidden(at, part)),
      forbidden(path, costText(what, this.#total, schemaLimit)),
    ];
  }
}

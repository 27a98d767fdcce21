/** The rules of a schema, arranged as the schema is, and their evaluation on an object. */
import {
  type FieldError,
  type JsonObject,
  duplicate,
  fieldErrorMessage,
  forbidden,
  indexField,
  invalid,
  joinField,
  keyField,
  omitValue,
  required,
  utf8Length,
} from '@capstan/meta';
import { celEngine } from './cel-engine.js';
import { type Correlation, MapListIndex } from './correlation.js';
import { type CompiledRule, compileRules } from './compiled-rule.js';
import { type RuleEngine, perObjectBudget } from './rule-engine.js';
import { isVisible } from './rule-types.js';
import { type SchemaNode, type ValidationRule, schemaFeature, valueSchemaOf } from './schema-node.js';

/** How a value stands to its old one. Outside the correlatable part the nearest correlated ancestor decides. */
interface Standing {
  readonly current: Correlation | undefined;
  readonly nearest: Correlation | undefined;
}

const apart: Standing = { current: undefined, nearest: undefined };

function memberStanding(standing: Standing, name: string): Standing {
  const { current, nearest } = standing;
  if (current === undefined) return standing;
  // The type fields of the root look the same before and after, whatever the versions were.
  if (nearest === undefined && (name === 'apiVersion' || name === 'kind')) return apart;
  return { current: current.key(name), nearest: current };
}

function itemStanding(standing: Standing, at: number): Standing {
  const { current } = standing;
  return current === undefined ? standing : { current: current.index(at), nearest: current };
}

function isUnchanged({ current, nearest }: Standing): boolean {
  return (current ?? nearest)?.unchanged() ?? false;
}

/** What a run over one object has found and may still spend. A negative budget ends it. */
class RuleRun {
  readonly errors: FieldError[] = [];
  readonly warnings: string[] = [];
  budget: number;

  constructor(budget: number) {
    this.budget = budget;
  }

  stop(error: FieldError): void {
    this.errors.push(error);
    this.budget = -1;
  }
}

const outOfBudget = 'validation failed due to running out of cost budget, no further validation rules will be run';
const costLimit = 'operation cancelled: actual cost limit exceeded';
const maxMessageBytes = 5 * 1024;

function ruleText(rule: ValidationRule): string {
  const message = (rule.message ?? '').trim();
  return (rule.message ?? '') === '' ? rule.rule.trim() : message;
}

function failureText(rule: ValidationRule): string {
  return (rule.message ?? '') === '' ? `failed rule: ${ruleText(rule)}` : ruleText(rule);
}

function failure(rule: ValidationRule, path: string, value: unknown, detail: string): FieldError {
  switch (rule.reason) {
    case 'FieldValueForbidden':
      return forbidden(path, detail);
    case 'FieldValueRequired':
      return required(path, detail);
    case 'FieldValueDuplicate':
      return duplicate(path, value);
    default:
      return invalid(path, value, detail);
  }
}

/** The message of a failed rule, or `undefined` where its expression gives none that can be used. */
function evaluatedMessage(
  compiled: CompiledRule,
  self: unknown,
  old: unknown,
  run: RuleRun,
): { text?: string; fatal?: string } {
  const { message, rule } = compiled;
  if (message === undefined) return {};
  const { value, error, cost } = message.evaluate(self, old);
  if (cost > run.budget) {
    return { fatal: `messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run` };
  }
  if (error?.startsWith(costLimit) === true) {
    const source = JSON.stringify(rule.messageExpression ?? '');
    return { fatal: `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${source}` };
  }
  run.budget -= cost;
  if (error !== undefined || typeof value !== 'string') return {};
  const text = value.trim();
  return text === '' || text.includes('\n') || utf8Length(text) > maxMessageBytes ? {} : { text };
}

/** What all nodes of a tree share. */
interface TreeSetup {
  readonly engine: RuleEngine;
  /** From this release on a failed rule shows the value, not its type. */
  readonly showsValue: boolean;
}

const showsValueSince = 35;

class RuleNode {
  readonly #node: SchemaNode;
  readonly #resource: boolean;
  readonly #setup: TreeSetup;
  readonly #members = new Map<string, RuleNode | undefined>();
  #rules: readonly CompiledRule[] | undefined;
  #items: RuleNode | undefined;
  #values: RuleNode | undefined;

  constructor(node: SchemaNode, resource: boolean, setup: TreeSetup) {
    this.#node = node;
    this.#resource = resource;
    this.#setup = setup;
  }

  run(value: unknown, old: unknown, path: string, standing: Standing, run: RuleRun): void {
    if (value === null || value === undefined) return;
    if (this.#node.rules.length > 0) this.#evaluate(value, old ?? undefined, path, standing, run);
    if (run.budget < 0 || typeof value !== 'object') return;
    if (Array.isArray(value)) this.#runItems(value, Array.isArray(old) ? old : [], path, standing, run);
    else this.#runMembers(value as JsonObject, old, path, standing, run);
  }

  #child(node: SchemaNode | undefined): RuleNode | undefined {
    if (node === undefined || (node.features & schemaFeature.rules) === 0 || !isVisible(node)) return undefined;
    return new RuleNode(node, node.embeddedResource, this.#setup);
  }

  #member(name: string): RuleNode | undefined {
    if (this.#members.has(name)) return this.#members.get(name);
    const child = this.#child(this.#node.properties?.get(name));
    if (child !== undefined) this.#members.set(name, child);
    return child;
  }

  #runItems(list: readonly unknown[], old: readonly unknown[], path: string, standing: Standing, run: RuleRun): void {
    const items = (this.#items ??= this.#child(this.#node.items));
    if (items === undefined) return;
    const oldItems = new MapListIndex(this.#node, old);
    for (const [at, item] of list.entries()) {
      items.run(item, oldItems.get(item), indexField(path, at), itemStanding(standing, at), run);
      if (run.budget < 0) return;
    }
  }

  #runMembers(object: JsonObject, old: unknown, path: string, standing: Standing, run: RuleRun): void {
    const before = typeof old === 'object' && old !== null && !Array.isArray(old) ? (old as JsonObject) : {};
    const values = (this.#values ??= this.#child(valueSchemaOf(this.#node)));
    for (const name in object) {
      const member = this.#node.properties === undefined ? undefined : this.#member(name);
      if (values === undefined && member === undefined) continue;
      const oldMember = Object.hasOwn(before, name) ? before[name] : undefined;
      const below = memberStanding(standing, name);
      values?.run(object[name], oldMember, keyField(path, name), below, run);
      if (run.budget < 0) return;
      member?.run(object[name], oldMember, joinField(path, name), below, run);
      if (run.budget < 0) return;
    }
  }

  #evaluate(value: unknown, old: unknown, path: string, standing: Standing, run: RuleRun): void {
    const { type } = this.#node;
    if (run.budget <= 0) {
      run.stop(invalid(path, type, outOfBudget));
      return;
    }
    this.#rules ??= compileRules(this.#node, this.#resource, this.#setup.engine);
    for (const compiled of this.#rules) {
      if (compiled.error !== undefined) {
        run.errors.push(invalid(path, type, `rule compile error: ${compiled.error}`));
        continue;
      }
      this.#evaluateRule(compiled, value, old, path, standing, run);
      if (run.budget < 0) return;
    }
  }

  #evaluateRule(compiled: CompiledRule, value: unknown, old: unknown, path: string, standing: Standing, run: RuleRun): void {
    const { expression, rule } = compiled;
    if (expression === undefined) return;
    // Transition rules speak about two values; without the old one there is nothing to say.
    if (expression.usesOldSelf && old === undefined && rule.optionalOldSelf !== true) return;
    const { type } = this.#node;
    const outcome = expression.evaluate(value, old);
    if (outcome.cost > run.budget) {
      run.stop(invalid(path, type, outOfBudget));
      return;
    }
    run.budget -= outcome.cost;
    if (outcome.error !== undefined) this.#reportError(outcome.error, rule, path, run);
    else if (outcome.value !== true) this.#reportFailure(compiled, value, old, path, standing, run);
  }

  #reportError(error: string, rule: ValidationRule, path: string, run: RuleRun): void {
    const { type } = this.#node;
    const text = ruleText(rule);
    if (error.startsWith('no such overload')) {
      const reason = 'call arguments did not match a supported operator, function or macro signature for rule';
      run.errors.push(invalid(path, type, `'${error}': ${reason}: ${text}`));
    } else if (error.startsWith(costLimit)) {
      const reason = 'no further validation rules will be run due to call cost exceeds limit for rule';
      run.stop(invalid(path, type, `'${error}': ${reason}: ${text}`));
    } else {
      run.errors.push(invalid(path, type, `${error} evaluating rule: ${text}`));
    }
  }

  #shown(value: unknown): unknown {
    const { type } = this.#node;
    if (!this.#setup.showsValue) return type;
    return type === 'object' || type === 'array' ? omitValue : value;
  }

  #reportFailure(compiled: CompiledRule, value: unknown, old: unknown, path: string, standing: Standing, run: RuleRun): void {
    const { rule, fieldPath, expression } = compiled;
    const { type } = this.#node;
    const at = fieldPath === '' ? path : joinField(path, fieldPath);
    const { text, fatal } = evaluatedMessage(compiled, value, old, run);
    const shown = this.#shown(value);
    const error =
      fatal === undefined ? failure(rule, at, shown, text ?? failureText(rule)) : invalid(at, type, fatal);
    // What an update left as it was only earns a warning, unless the rule is about the change itself.
    if (expression?.usesOldSelf !== true && isUnchanged(standing)) run.warnings.push(fieldErrorMessage(error));
    else run.errors.push(error);
    if (fatal !== undefined) run.budget = -1;
  }
}

export interface RuleTreeOptions {
  /** Whether the root is a resource, so that its type fields and names are visible. */
  readonly resource: boolean;
  /** The minor release of Kubernetes 1.x whose wording is used. */
  readonly minor: number;
  readonly engine?: RuleEngine;
}

/** All rules of a schema; compiled where and when they are first needed. */
export class RuleTree {
  readonly #root: RuleNode;

  constructor(root: SchemaNode, options: RuleTreeOptions) {
    const setup = { engine: options.engine ?? celEngine, showsValue: options.minor >= showsValueSince };
    this.#root = new RuleNode(root, options.resource, setup);
  }

  /** Evaluates the rules on a value; with `old` and its correlation it is an update. */
  run(
    value: unknown,
    old: unknown,
    options: { readonly correlation?: Correlation | undefined; readonly path?: string; readonly budget?: number } = {},
  ): { readonly errors: FieldError[]; readonly warnings: string[]; readonly budget: number } {
    const run = new RuleRun(options.budget ?? perObjectBudget);
    const standing: Standing = { current: options.correlation, nearest: undefined };
    this.#root.run(value, old, options.path ?? '', standing, run);
    return run;
  }
}

/** The rules of a schema, arranged as the schema is. */
import { type FieldError, type JsonObject, Recent, indexField, joinField, keyField } from '@capstan/meta';
import { celEngine } from './cel-engine.js';
import { type CompiledRule, compileRules } from './compiled-rule.js';
import { type Correlation, MapListIndex } from '../schema/correlation.js';
import { type RuleEngine, perObjectBudget } from './engine.js';
import { RuleRun, type Standing, type Visit } from './run.js';
import { isVisible } from './types.js';
import { type SchemaNode, schemaFeature, valueSchemaOf } from '../schema/schema-node.js';

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

/** A null is as good as no old value. */
function oldMember(old: unknown, name: string): unknown {
  if (typeof old !== 'object' || old === null || Array.isArray(old) || !Object.hasOwn(old, name)) return undefined;
  return (old as JsonObject)[name] ?? undefined;
}

/** As many as the objects that are being worked on; each is written several times on its way. */
const recentValues = 512;

class RuleNode {
  readonly #node: SchemaNode;
  readonly #resource: boolean;
  readonly #engine: RuleEngine;
  readonly #members = new Map<string, RuleNode>();
  /** What values cost that passed all rules as their own old values, which nobody changes any more. */
  readonly #passed = new Recent<object, number>(recentValues);
  #rules: readonly CompiledRule[] | undefined;
  #items: RuleNode | undefined;
  #values: RuleNode | undefined;

  constructor(node: SchemaNode, resource: boolean, engine: RuleEngine) {
    this.#node = node;
    this.#resource = resource;
    this.#engine = engine;
  }

  run(visit: Visit, run: RuleRun): void {
    const { value, old } = visit;
    if (value === null || value === undefined || run.budget < 0) return;
    if (value === old && typeof value === 'object') this.#runKept(value, visit, run);
    else this.#runAll(value, visit, run);
  }

  /** What became of the very same value before becomes of it again, at the same cost. */
  #runKept(value: object, visit: Visit, run: RuleRun): void {
    const { budget } = run;
    const cost = this.#passed.get(value);
    if (cost !== undefined && cost < budget) {
      run.budget -= cost;
      return;
    }
    const before = run.errors.length + run.warnings.length;
    this.#runAll(value, visit, run);
    if (run.errors.length + run.warnings.length === before) this.#passed.set(value, budget - run.budget);
  }

  #runAll(value: unknown, visit: Visit, run: RuleRun): void {
    if (this.#node.rules.length > 0) {
      this.#rules ??= compileRules(this.#node, this.#resource, this.#engine);
      run.evaluate(this.#rules, this.#node.type, visit);
    }
    if (typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) this.#runItems(value, visit, run);
    else this.#runMembers(value as JsonObject, visit, run);
  }

  #child(node: SchemaNode | undefined): RuleNode | undefined {
    if (node === undefined || (node.features & schemaFeature.rules) === 0 || !isVisible(node)) return undefined;
    return new RuleNode(node, node.embeddedResource, this.#engine);
  }

  #member(name: string): RuleNode | undefined {
    const known = this.#members.get(name);
    if (known !== undefined) return known;
    const child = this.#child(this.#node.properties?.get(name));
    if (child !== undefined) this.#members.set(name, child);
    return child;
  }

  #runItems(list: readonly unknown[], { old, path, standing }: Visit, run: RuleRun): void {
    const items = (this.#items ??= this.#child(this.#node.items));
    if (items === undefined) return;
    const oldItems = new MapListIndex(this.#node, Array.isArray(old) ? old : []);
    for (const [at, value] of list.entries()) {
      const below = itemStanding(standing, at);
      items.run({ value, old: oldItems.get(value), path: indexField(path, at), standing: below }, run);
    }
  }

  #runMembers(object: JsonObject, { old, path, standing }: Visit, run: RuleRun): void {
    const values = (this.#values ??= this.#child(valueSchemaOf(this.#node)));
    for (const name in object) {
      const member = this.#member(name);
      if (values === undefined && member === undefined) continue;
      const value = object[name];
      const before = oldMember(old, name);
      const below = memberStanding(standing, name);
      values?.run({ value, old: before, path: keyField(path, name), standing: below }, run);
      member?.run({ value, old: before, path: joinField(path, name), standing: below }, run);
    }
  }
}

/** How the rules of a schema are run. */
export interface RuleTreeOptions {
  /** Whether the root is a resource, so that its type fields and names are visible. */
  readonly resource: boolean;
  /** The minor release of Kubernetes 1.x whose wording is used. */
  readonly minor: number;
  readonly engine?: RuleEngine;
}

/** From this release on a failed rule shows the value, not its type. */
const showsValueSince = 35;

/** All rules of a schema; compiled where and when they are first needed. */
export class RuleTree {
  readonly #root: RuleNode;
  readonly #showsValue: boolean;

  constructor(root: SchemaNode, options: RuleTreeOptions) {
    this.#root = new RuleNode(root, options.resource, options.engine ?? celEngine);
    this.#showsValue = options.minor >= showsValueSince;
  }

  /** Evaluates the rules on a value; with `old` and its correlation it is an update. */
  run(
    value: unknown,
    old: unknown,
    options: { readonly correlation?: Correlation | undefined; readonly path?: string; readonly budget?: number } = {},
  ): { readonly errors: readonly FieldError[]; readonly warnings: readonly string[]; readonly budget: number } {
    const run = new RuleRun(options.budget ?? perObjectBudget, this.#showsValue);
    const standing: Standing = { current: options.correlation, nearest: undefined };
    this.#root.run({ value, old: old ?? undefined, path: options.path ?? '', standing }, run);
    return run;
  }
}

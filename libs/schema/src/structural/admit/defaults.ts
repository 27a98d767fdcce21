/** Whether the defaults in a schema are values the schema itself would accept. */
import {
  type FieldError,
  cloneJson,
  deepEqual,
  fieldErrorsMessage,
  indexField,
  invalid,
  joinField,
  keyField,
  pushAll,
} from '@capstan/meta';
import { Checker } from '../validate/checker.js';
import { checkEmbeddedResources } from '../shape/embedded.js';
import { Findings } from '../validate/findings.js';
import { pruneValue } from '../shape/prune.js';
import { type RuleEngine, perObjectBudget } from '../rules/engine.js';
import { RuleTree } from '../rules/tree.js';
import { type SchemaNode, memberSchemaOf, schemaFeature } from '../schema/schema-node.js';

/** The way from the root of a resource to a node, to build the object around a default inside metadata. */
interface Place {
  readonly root: SchemaNode;
  readonly steps: readonly { readonly name?: string }[];
  readonly insideMeta: boolean;
}

const metaFields: ReadonlySet<string> = new Set(['metadata', 'kind', 'apiVersion']);

/** The smallest resource that holds the value at the place. */
function surround(value: unknown, steps: readonly { readonly name?: string }[]): Record<string, unknown> {
  const object = steps.reduceRight<unknown>(
    (inner, { name }) => (name === undefined ? [inner] : { [name]: inner }),
    cloneJson(value),
  );
  const resource = typeof object === 'object' && object !== null ? (object as Record<string, unknown>) : {};
  return { kind: 'Validation', apiVersion: 'validation/v1', ...resource };
}

/** The first type field of an embedded resource that is no text; as the server, this stops at the first. */
function badTypeField(
  value: unknown,
  node: SchemaNode | undefined,
  resource: boolean,
  path: string,
): FieldError | undefined {
  if (node === undefined || typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) {
    const { items } = node;
    return firstOf(value.entries(), ([at, item]) =>
      badTypeField(item, items, items?.embeddedResource ?? false, indexField(path, at)),
    );
  }
  return firstOf(Object.entries(value), ([name, member]) => {
    const typeField = resource && (name === 'apiVersion' || name === 'kind');
    if (typeField && typeof member !== 'string') return invalid(joinField(path, name), member, 'must be a string');
    const at = node.properties?.has(name) === true ? joinField(path, name) : keyField(path, name);
    const schema = memberSchemaOf(node, name);
    return badTypeField(member, schema, schema?.embeddedResource ?? false, at);
  });
}

function firstOf<T>(items: Iterable<T>, find: (item: T) => FieldError | undefined): FieldError | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

class DefaultAdmission {
  readonly errors: FieldError[] = [];
  readonly #minor: number;
  readonly #engine: RuleEngine;
  #budget = perObjectBudget;

  constructor(minor: number, engine: RuleEngine) {
    this.#minor = minor;
    this.#engine = engine;
  }

  /** Values of maps are passed over: the server does not look at defaults there. */
  admit(node: SchemaNode, path: string, outer: Place, isRoot: boolean): void {
    if (this.#budget < 0 || (node.features & schemaFeature.defaults) === 0) return;
    const resource = isRoot || node.embeddedResource;
    const place: Place = resource ? { root: node, steps: [], insideMeta: false } : outer;
    if (node.default !== undefined) this.#admitDefault(node, path, place);
    if (node.items !== undefined) {
      this.admit(node.items, joinField(path, 'items'), { ...place, steps: [...place.steps, {}] }, false);
    }
    for (const [name, member] of node.properties ?? []) {
      const insideMeta = place.insideMeta || (resource && metaFields.has(name));
      const below: Place = { root: place.root, steps: [...place.steps, { name }], insideMeta };
      this.admit(member, keyField(joinField(path, 'properties'), name), below, false);
    }
  }

  #admitDefault(node: SchemaNode, path: string, place: Place): void {
    const at = joinField(path, 'default');
    const before = this.errors.length;
    const resource = place.root === node;
    if (place.insideMeta) this.#checkInsideMeta(node, at, place);
    else this.#checkOutsideMeta(node, at, resource);
    const blocked = this.errors.slice(before).some(({ detail }) => detail !== unknownFields);
    if (!blocked) this.#checkValue(node, at, resource);
  }

  #checkInsideMeta(node: SchemaNode, at: string, place: Place): void {
    const object = surround(node.default, place.steps);
    const typeError = badTypeField(object, place.root, true, '');
    const errors = typeError === undefined ? checkEmbeddedResources(object, place.root, '', true) : [typeError];
    if (errors.length === 0) return;
    this.errors.push(invalid(at, node.default, `must result in valid metadata: ${fieldErrorsMessage(errors)}`));
  }

  #checkOutsideMeta(node: SchemaNode, at: string, resource: boolean): void {
    const pruned = cloneJson(node.default);
    pruneValue(pruned, node, resource);
    if (!deepEqual(pruned, node.default)) this.errors.push(invalid(at, node.default, unknownFields));
    const typeError = badTypeField(node.default, node, resource, at);
    if (typeError !== undefined) this.errors.push(typeError);
    else pushAll(this.errors, checkEmbeddedResources(node.default, node, at, resource));
  }

  #checkValue(node: SchemaNode, at: string, resource: boolean): void {
    const findings = new Findings(at, this.#minor);
    new Checker(node, { minor: this.#minor, literal: true }).check(node.default, '', findings);
    const errors = findings.distinct();
    if (errors.length > 0) {
      pushAll(this.errors, errors);
      return;
    }
    if ((node.features & schemaFeature.rules) !== 0) this.#checkRules(node, at, resource);
  }

  /** The default must do as an update of itself and as a new value. */
  #checkRules(node: SchemaNode, path: string, resource: boolean): void {
    const tree = new RuleTree(node, { resource, minor: this.#minor, engine: this.#engine });
    const budget = this.#budget;
    const same = tree.run(node.default, node.default, { path, budget });
    pushAll(this.errors, same.errors);
    this.#budget = same.budget;
    if (same.errors.length > 0) return;
    const fresh = tree.run(node.default, undefined, { path, budget });
    pushAll(this.errors, fresh.errors);
    this.#budget = Math.min(this.#budget, fresh.budget);
  }
}

const unknownFields = 'must not have unknown fields';

/** Reports defaults that are not pruned or not valid. The schema must be structural. */
export function checkDefaults(root: SchemaNode, path: string, minor: number, engine: RuleEngine): FieldError[] {
  const admission = new DefaultAdmission(minor, engine);
  admission.admit(root, path, { root, steps: [], insideMeta: false }, true);
  return admission.errors;
}

/** What a CRD's schema may contain, node by node. */
import {
  type FieldError,
  forbidden,
  indexField,
  invalid,
  joinField,
  keyField,
  notSupported,
} from '@capstan/meta';
import { checkListKeywords, checkMapKeywords } from './admit-lists.js';
import { checkRuleTexts } from './admit-rule-texts.js';
import type { RuleAdmission, RuleScope } from './admit-rules.js';
import type { SchemaNode } from './schema-node.js';

/** Where in a schema a node is, as far as it matters for what it may contain. */
interface Place {
  /** Why no default may be here; `undefined` where one may. */
  readonly noDefaults: string | undefined;
  readonly insideMeta: boolean;
  /** The first node above that cannot be matched between two versions of an object. */
  readonly uncorrelatable: string | undefined;
}

const rootPlace: Place = { noDefaults: undefined, insideMeta: false, uncorrelatable: undefined };

const openApiTypes = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const metaFields: ReadonlySet<string> = new Set(['metadata', 'kind', 'apiVersion']);

/** Walks a schema. Errors about rules are kept apart: they come after all others. */
export class OpenApiAdmission {
  readonly errors: FieldError[] = [];
  readonly #rules: RuleAdmission | undefined;

  /** Without `rules` expressions are not compiled, as when the schema is not structural. */
  constructor(rules: RuleAdmission | undefined) {
    this.#rules = rules;
  }

  admit(node: SchemaNode, path: string): void {
    this.#node(node, path, rootPlace, true, this.#rules?.rootScope(node));
  }

  #node(node: SchemaNode, path: string, place: Place, isRoot: boolean, scope: RuleScope | undefined): void {
    const before = this.errors.length;
    this.#keywords(node, path, place);
    if (node.uniqueItems) {
      const reason = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
      this.errors.push(forbidden(joinField(path, 'uniqueItems'), reason));
    }
    this.#additional(node, path, place, scope);
    this.#properties(node, path, place, isRoot, scope);
    this.#junctors(node, path, place);
    this.#items(node, path, place, scope);
    if (node.preserveUnknownFields === false) {
      const at = joinField(path, 'x-kubernetes-preserve-unknown-fields');
      this.errors.push(invalid(at, false, 'must be true or undefined'));
    }
    this.errors.push(...checkMapKeywords(node, path), ...checkListKeywords(node, path));
    if (node.rules.length === 0) return;
    this.errors.push(...checkRuleTexts(node, path));
    // What is wrong below would make the messages about expressions misleading.
    if (this.errors.length === before && scope !== undefined) this.#rules?.admit(node, path, scope, place.uncorrelatable);
  }

  #keywords(node: SchemaNode, path: string, place: Place): void {
    const forbid = (keyword: string, reason: string): void => {
      this.errors.push(forbidden(joinField(path, keyword), reason));
    };
    if (node.type !== '' && !openApiTypes.includes(node.type)) {
      this.errors.push(notSupported(joinField(path, 'type'), node.type, openApiTypes));
    }
    if (node.default !== undefined && place.noDefaults !== undefined) forbid('default', `must not be set ${place.noDefaults}`);
    const { unsupported } = node;
    if (unsupported !== undefined) {
      if ((unsupported.id ?? '') !== '') forbid('id', 'id is not supported');
      if (unsupported.additionalItems !== undefined) forbid('additionalItems', 'additionalItems is not supported');
      if (unsupported.patternProperties !== undefined) forbid('patternProperties', 'patternProperties is not supported');
      if (unsupported.definitions !== undefined) forbid('definitions', 'definitions is not supported');
      if (unsupported.dependencies !== undefined) forbid('dependencies', 'dependencies is not supported');
      if (unsupported.ref !== undefined) forbid('$ref', '$ref is not supported');
    }
    if (node.type === 'null') forbid('type', 'type cannot be set to null, use nullable as an alternative');
    if ((unsupported?.itemSchemas?.length ?? 0) > 0) forbid('items', 'items must be a schema object and not an array');
    if (place.insideMeta && node.embeddedResource) {
      forbid('x-kubernetes-embedded-resource', 'must not be used inside of resource meta');
    }
  }

  #additional(node: SchemaNode, path: string, place: Place, scope: RuleScope | undefined): void {
    const { additionalProperties } = node;
    if (additionalProperties === undefined) return;
    const at = joinField(path, 'additionalProperties');
    if (node.properties !== undefined && additionalProperties !== true) {
      this.errors.push(forbidden(at, 'additionalProperties and properties are mutual exclusive'));
    }
    if (typeof additionalProperties !== 'object') return;
    const inside = place.insideMeta
      ? { ...place, noDefaults: 'inside additionalProperties applying to object metadata' }
      : place;
    this.#node(additionalProperties, at, inside, false, scope?.child(additionalProperties));
  }

  #properties(node: SchemaNode, path: string, place: Place, isRoot: boolean, scope: RuleScope | undefined): void {
    const { mapType } = node;
    const correlatable = mapType === undefined || mapType === 'granular' || mapType === 'atomic';
    const inside = correlatable ? place : { ...place, uncorrelatable: place.uncorrelatable ?? path };
    for (const [name, member] of node.properties ?? []) {
      const meta = (isRoot || node.embeddedResource) && metaFields.has(name);
      const own = !meta
        ? inside
        : { ...inside, insideMeta: true, ...(isRoot && { noDefaults: `in top-level ${name}` }) };
      this.#node(member, keyField(joinField(path, 'properties'), name), own, false, scope?.child(member));
    }
  }

  #junctors(node: SchemaNode, path: string, place: Place): void {
    if (node.not !== undefined) this.#node(node.not, joinField(path, 'not'), place, false, undefined);
    for (const junctor of ['allOf', 'oneOf', 'anyOf'] as const) {
      for (const [index, nested] of node[junctor].entries()) {
        this.#node(nested, indexField(joinField(path, junctor), index), place, false, undefined);
      }
    }
    for (const [name, nested] of node.unsupported?.definitions ?? []) {
      this.#node(nested, keyField(joinField(path, 'definitions'), name), place, false, undefined);
    }
    for (const [name, nested] of node.unsupported?.dependencies ?? []) {
      if (!isSchema(nested)) continue;
      this.#node(nested, keyField(joinField(path, 'dependencies'), name), place, false, undefined);
    }
  }

  #items(node: SchemaNode, path: string, place: Place, scope: RuleScope | undefined): void {
    const inside = node.listType === 'map' ? place : { ...place, uncorrelatable: place.uncorrelatable ?? path };
    const at = joinField(path, 'items');
    if (node.items !== undefined) this.#node(node.items, at, inside, false, scope?.child(node.items));
    for (const [index, nested] of (node.unsupported?.itemSchemas ?? []).entries()) {
      this.#node(nested, indexField(at, index), inside, false, scope?.child(nested));
    }
  }
}

function isSchema(value: SchemaNode | readonly string[]): value is SchemaNode {
  return !Array.isArray(value);
}

/** Keywords that a schema with a status subresource may have at its root, by their Go names. */
const allowedAtRoot = [
  'Description',
  'Type',
  'Format',
  'Title',
  'Maximum',
  'ExclusiveMaximum',
  'Minimum',
  'ExclusiveMinimum',
  'MaxLength',
  'MinLength',
  'Pattern',
  'MaxItems',
  'MinItems',
  'UniqueItems',
  'MultipleOf',
  'Required',
  'Items',
  'Properties',
  'ExternalDocs',
  'Example',
  'XPreserveUnknownFields',
  'XValidations',
];

/** The first member that is not allowed at the root beside a status subresource, as the server complains about it. */
export function rootComplaint(members: readonly string[], type: string): 'type' | string | undefined {
  for (const member of members) {
    if (member === 'Type') {
      if (type !== 'object') return 'type';
    } else if (!allowedAtRoot.includes(member)) {
      return `only [${allowedAtRoot.join(' ')}] fields are allowed at the root of the schema if the status subresource is enabled`;
    }
  }
  return undefined;
}

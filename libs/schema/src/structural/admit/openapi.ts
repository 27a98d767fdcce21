/** What a CRD's schema may contain, node by node. */
import {
  type FieldError,
  forbidden,
  indexField,
  invalid,
  joinField,
  keyField,
  notSupported,
  pushAll,
} from '@capstan/meta';
import { checkListKeywords, checkMapKeywords } from './lists.js';
import { checkRuleTexts } from './rule-texts.js';
import type { RuleAdmission, RuleScope } from './rules.js';
import type { SchemaNode } from '../schema/schema-node.js';

/** Where in a schema a node is, as far as it matters for what it may contain. */
interface Place {
  /** Why no default may be here; `undefined` where one may. */
  readonly noDefaults: string | undefined;
  readonly insideMeta: boolean;
  /** The first node above that cannot be matched between two versions of an object. */
  readonly uncorrelatable: string | undefined;
  readonly isRoot: boolean;
  /** How often the node can occur; absent where its rules are not compiled. */
  readonly scope: RuleScope | undefined;
}

const openApiTypes = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const metaFields: ReadonlySet<string> = new Set(['metadata', 'kind', 'apiVersion']);

type KeywordRule = readonly [
  keyword: string,
  wrong: (node: SchemaNode, place: Place) => boolean,
  reason: string | ((place: Place) => string),
];

/** Keywords that may not be used, or not here, in the order they are complained about. */
const keywordRules: readonly KeywordRule[] = [
  [
    'default',
    (node, place) => node.default !== undefined && place.noDefaults !== undefined,
    (place) => `must not be set ${place.noDefaults ?? ''}`,
  ],
  ['id', ({ unsupported }) => (unsupported?.id ?? '') !== '', 'id is not supported'],
  ['additionalItems', (node) => node.unsupported?.additionalItems !== undefined, 'additionalItems is not supported'],
  [
    'patternProperties',
    (node) => node.unsupported?.patternProperties !== undefined,
    'patternProperties is not supported',
  ],
  ['definitions', (node) => node.unsupported?.definitions !== undefined, 'definitions is not supported'],
  ['dependencies', (node) => node.unsupported?.dependencies !== undefined, 'dependencies is not supported'],
  ['$ref', (node) => node.unsupported?.ref !== undefined, '$ref is not supported'],
  ['type', (node) => node.type === 'null', 'type cannot be set to null, use nullable as an alternative'],
  [
    'items',
    (node) => (node.unsupported?.itemSchemas?.length ?? 0) > 0,
    'items must be a schema object and not an array',
  ],
  [
    'x-kubernetes-embedded-resource',
    (node, place) => place.insideMeta && node.embeddedResource,
    'must not be used inside of resource meta',
  ],
  [
    'uniqueItems',
    (node) => node.uniqueItems,
    'uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
  ],
];

/** Walks a schema. Errors about rules go to the rules' own list: they come after all others. */
export class OpenApiAdmission {
  readonly #errors: FieldError[] = [];
  readonly #rules: RuleAdmission | undefined;

  /** Without `rules` expressions are not compiled, as when the schema is not structural. */
  constructor(rules: RuleAdmission | undefined) {
    this.#rules = rules;
  }

  /** Reports what is wrong, rules apart. */
  admit(node: SchemaNode, path: string): readonly FieldError[] {
    const scope = this.#rules?.rootScope(node);
    this.#node(node, path, {
      noDefaults: undefined,
      insideMeta: false,
      uncorrelatable: undefined,
      isRoot: true,
      scope,
    });
    return this.#errors;
  }

  #node(node: SchemaNode, path: string, place: Place): void {
    const before = this.#errors.length;
    this.#keywords(node, path, place);
    const inside: Place = { ...place, isRoot: false };
    this.#additional(node, path, inside);
    this.#properties(node, path, place);
    this.#junctors(node, path, { ...inside, scope: undefined });
    this.#items(node, path, inside);
    if (node.preserveUnknownFields === false) {
      const at = joinField(path, 'x-kubernetes-preserve-unknown-fields');
      this.#errors.push(invalid(at, false, 'must be true or undefined'));
    }
    pushAll(this.#errors, checkMapKeywords(node, path), checkListKeywords(node, path));
    if (node.rules.length === 0) return;
    pushAll(this.#errors, checkRuleTexts(node, path));
    // What is wrong below would make the messages about expressions misleading.
    if (this.#errors.length > before || place.scope === undefined) return;
    this.#rules?.admit(node, path, place.scope, place.uncorrelatable);
  }

  #keywords(node: SchemaNode, path: string, place: Place): void {
    if (node.type !== '' && !openApiTypes.includes(node.type)) {
      this.#errors.push(notSupported(joinField(path, 'type'), node.type, openApiTypes));
    }
    for (const [keyword, wrong, reason] of keywordRules) {
      if (wrong(node, place)) {
        this.#errors.push(forbidden(joinField(path, keyword), typeof reason === 'string' ? reason : reason(place)));
      }
    }
  }

  #additional(node: SchemaNode, path: string, place: Place): void {
    const { additionalProperties } = node;
    if (additionalProperties === undefined) return;
    const at = joinField(path, 'additionalProperties');
    if (node.properties !== undefined && additionalProperties !== true) {
      this.#errors.push(forbidden(at, 'additionalProperties and properties are mutual exclusive'));
    }
    if (typeof additionalProperties !== 'object') return;
    const noDefaults = place.insideMeta ? 'inside additionalProperties applying to object metadata' : place.noDefaults;
    this.#node(additionalProperties, at, { ...place, noDefaults, scope: place.scope?.child(additionalProperties) });
  }

  #properties(node: SchemaNode, path: string, place: Place): void {
    const uncorrelatable = isCorrelatable(node) ? place.uncorrelatable : (place.uncorrelatable ?? path);
    const resource = place.isRoot || node.embeddedResource;
    for (const [name, member] of node.properties ?? []) {
      const meta = resource && metaFields.has(name);
      const insideMeta = place.insideMeta || meta;
      const own: Place = { ...place, insideMeta, uncorrelatable, isRoot: false, scope: place.scope?.child(member) };
      const at = keyField(joinField(path, 'properties'), name);
      this.#node(member, at, meta && place.isRoot ? { ...own, noDefaults: `in top-level ${name}` } : own);
    }
  }

  #junctors(node: SchemaNode, path: string, place: Place): void {
    if (node.not !== undefined) this.#node(node.not, joinField(path, 'not'), place);
    for (const junctor of ['allOf', 'oneOf', 'anyOf'] as const) {
      for (const [index, nested] of node[junctor].entries()) {
        this.#node(nested, indexField(joinField(path, junctor), index), place);
      }
    }
    for (const [name, nested] of node.unsupported?.definitions ?? []) {
      this.#node(nested, keyField(joinField(path, 'definitions'), name), place);
    }
    for (const [name, nested] of node.unsupported?.dependencies ?? []) {
      if (isSchema(nested)) this.#node(nested, keyField(joinField(path, 'dependencies'), name), place);
    }
  }

  #items(node: SchemaNode, path: string, place: Place): void {
    const uncorrelatable = node.listType === 'map' ? place.uncorrelatable : (place.uncorrelatable ?? path);
    const at = joinField(path, 'items');
    if (node.items !== undefined) {
      this.#node(node.items, at, { ...place, uncorrelatable, scope: place.scope?.child(node.items) });
    }
    for (const [index, nested] of (node.unsupported?.itemSchemas ?? []).entries()) {
      this.#node(nested, indexField(at, index), { ...place, uncorrelatable, scope: place.scope?.child(nested) });
    }
  }
}

function isCorrelatable({ mapType = 'granular' }: SchemaNode): boolean {
  return mapType === 'granular' || mapType === 'atomic';
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

/** What is not allowed at the root with a status subresource: the type, or (with the error) another member. */
export function rootComplaint(members: readonly string[], type: string): string | undefined {
  for (const member of members) {
    if (member === 'Type') {
      if (type !== 'object') return 'type';
    } else if (!allowedAtRoot.includes(member)) {
      return `only [${allowedAtRoot.join(' ')}] fields are allowed at the root of the schema if the status subresource is enabled`;
    }
  }
  return undefined;
}

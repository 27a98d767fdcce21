import { CLUSTER_KINDS, KINDS } from '../src/conformance/kinds.table.js';
import { CRDS, GROUP } from '../src/conformance/crds.js';
import { MORE_KINDS } from './more-kinds.table.js';
import { Verbatim, type Tree } from './json-tree.js';
import type { Vocabulary } from './spoil.js';

/** A kind to send bad bodies of. */
export interface Sample {
  readonly name: string;
  readonly collection: string;
  /** Good bodies; `{ns}` is the namespace of the run. The first is the one that is there while the run lasts. */
  readonly good: readonly Tree[];
  /** Only ever posted: nothing is stored of it, or storing it would be felt by others. */
  readonly isPostedOnly?: boolean;
  readonly words?: Vocabulary;
}

const SCHEMA_WORDS: Vocabulary = {
  fields: [
    'type',
    'properties',
    'items',
    'additionalProperties',
    'additionalItems',
    'required',
    'enum',
    'default',
    'nullable',
    'format',
    'minimum',
    'maximum',
    'exclusiveMinimum',
    'minLength',
    'maxLength',
    'minItems',
    'maxItems',
    'maxProperties',
    'uniqueItems',
    'multipleOf',
    'pattern',
    'allOf',
    'anyOf',
    'oneOf',
    'not',
    'definitions',
    'dependencies',
    'patternProperties',
    'example',
    'externalDocs',
    'title',
    'id',
    '$ref',
    '$schema',
    'x-kubernetes-preserve-unknown-fields',
    'x-kubernetes-embedded-resource',
    'x-kubernetes-int-or-string',
    'x-kubernetes-list-type',
    'x-kubernetes-list-map-keys',
    'x-kubernetes-map-type',
    'x-kubernetes-validations',
    'versions',
    'served',
    'storage',
    'deprecated',
    'deprecationWarning',
    'subresources',
    'additionalPrinterColumns',
    'selectableFields',
    'conversion',
    'names',
    'shortNames',
    'categories',
    'listKind',
    'singular',
    'scope',
    'group',
    'preserveUnknownFields',
  ],
  values: [
    { type: 'string' },
    { type: 'object' },
    { type: 'array' },
    { type: 'array', items: { type: 'string' } },
    [{ type: 'string' }],
    { items: [{ type: 'string' }] },
    { $ref: '#/x' },
    { type: ['string'] },
    'string',
    'object',
    'array',
    'integer',
    'int32',
    'map',
    'set',
    'atomic',
    'granular',
    ['k'],
    [{ rule: 'self.size > 1' }],
    [{ rule: 'self.nothing' }],
    [{ rule: 'true', message: '' }],
    [{ rule: '' }],
    [{ rule: 'self == oldSelf', reason: 'X' }],
    { status: {}, scale: {} },
    { scale: { specReplicasPath: '.spec.size', statusReplicasPath: 'x' } },
    { strategy: 'Webhook' },
    [{ jsonPath: '.spec.name' }],
    [{ name: 'n', type: 'string', jsonPath: '.a[*]' }],
    [{ name: 'v1', served: true, storage: true }],
    new Verbatim('1e400'),
  ],
};

const spec = {
  type: 'object',
  required: ['size'],
  properties: {
    size: { type: 'integer', minimum: 0, maximum: 10 },
    name: { type: 'string', maxLength: 5, pattern: '^a' },
    port: { 'x-kubernetes-int-or-string': true },
    items: {
      type: 'array',
      maxItems: 3,
      items: { type: 'object', required: ['k'], properties: { k: { type: 'string' }, v: { type: 'number' } } },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
    },
    set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
    map: { type: 'object', additionalProperties: { type: 'boolean' } },
    mode: { type: 'string', enum: ['a', 'b'], default: 'a' },
    when: { type: 'string', format: 'date-time' },
    bytes: { type: 'string', format: 'byte' },
    opt: { type: 'object', nullable: true, properties: { x: { type: 'integer', format: 'int32' } } },
    any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    template: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
  },
  'x-kubernetes-validations': [{ rule: 'self.size < 9', message: 'too big' }],
};
const status = { type: 'object', properties: { phase: { type: 'string' }, count: { type: 'integer' } } };

function definition(plural: string, kind: string, fields: Tree = {}): Tree {
  const version = {
    name: 'v1',
    served: true,
    storage: true,
    subresources: {
      status: {},
      scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.count' },
    },
    schema: { openAPIV3Schema: { type: 'object', properties: { spec, status } } },
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${GROUP}` },
    spec: { group: GROUP, scope: 'Namespaced', names: { plural, kind }, versions: [version], ...fields },
  };
}

const small = {
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: { spec: { type: 'object', properties: { a: { type: 'string', default: 'x' } } } },
    },
  },
};
const twoVersions = {
  versions: [
    { name: 'v1', served: true, storage: true, ...small },
    {
      name: 'v2',
      served: true,
      storage: false,
      deprecated: true,
      additionalPrinterColumns: [{ name: 'A', type: 'string', jsonPath: '.spec.a' }],
      selectableFields: [{ jsonPath: '.spec.a' }],
      ...small,
    },
  ],
  conversion: {
    strategy: 'Webhook',
    webhook: {
      conversionReviewVersions: ['v1'],
      clientConfig: { service: { namespace: '{ns}', name: 's', path: '/c' }, caBundle: '' },
    },
  },
};

/** The CRD whose objects are served during a run. */
export const SERVED_DEFINITION = definition('things', 'Thing');

const thing = {
  apiVersion: `${GROUP}/v1`,
  kind: 'Thing',
  metadata: { name: 'x', labels: { a: 'b' } },
  spec: {
    size: 3,
    name: 'ab',
    port: 80,
    items: [{ k: 'a', v: 1.5 }, { k: 'b' }],
    set: ['a'],
    map: { q: true },
    mode: 'a',
    when: '2020-01-01T00:00:00Z',
    bytes: 'AAE=',
    opt: { x: 1 },
    any: { deep: [1, { a: null }] },
    template: { apiVersion: 'v1', kind: 'X', metadata: { name: 'y', labels: { a: 'b' } } },
  },
  status: { phase: 'p' },
};

const CUSTOM: readonly Sample[] = [
  {
    name: 'things',
    collection: `/apis/${GROUP}/v1/namespaces/{ns}/things`,
    good: [thing, { ...thing, spec: { size: 1 } }],
  },
  {
    name: 'customresourcedefinitions',
    collection: CRDS,
    good: [definition('others', 'Other'), definition('others', 'Other', twoVersions)],
    words: SCHEMA_WORDS,
  },
];
/** How often custom objects and CRDs are drawn, relative to once for each other kind. */
const CUSTOM_WEIGHT = 6;

/** Kinds whose objects others would feel, or that cannot be there twice. */
const POSTED_ONLY = new Set(['hpa v1', 'namespaces', 'nodes']);

/** Every kind of a run, the more interesting ones more than once. */
export function samples(): Sample[] {
  const builtin = Object.entries({ ...KINDS, ...CLUSTER_KINDS }).map(([name, { collection, minimal, full }]) => ({
    name,
    collection,
    good: full === undefined ? [minimal] : [named(full, minimal), minimal],
    isPostedOnly: POSTED_ONLY.has(name),
  }));
  const custom = Array.from({ length: CUSTOM_WEIGHT }, () => CUSTOM).flat();
  return [...builtin, ...MORE_KINDS, ...custom];
}

function named(full: Tree, minimal: Tree): Tree {
  const { name } = minimal['metadata'] as Tree;
  return { ...full, metadata: { ...(full['metadata'] as Tree), name } };
}

/** CRDs that every server refuses, with its path and reason. */
import { version, widget, widgets } from './testing.js';

type Fields = Readonly<Record<string, unknown>>;

/** One CRD. */
export interface InvalidRow {
  readonly what: string;
  readonly crd: object;
  /** The path of the first error, as the server has it. */
  readonly field: string;
  /** What the text of the error ends with; none where the server only knows that the JSON type is wrong. */
  readonly reason?: string;
}

const text = { type: 'string' };
const SCHEMA = 'spec.validation.openAPIV3Schema';
const A = `${SCHEMA}.properties[spec].properties[a]`;
const rule = (expression: string, more: Fields = {}): Fields => ({
  'x-kubernetes-validations': [{ rule: expression, ...more }],
});
const stored = { storage: true };
const v1 = { ...version('v1', { type: 'object' }), ...stored };
const root = (openAPIV3Schema: Fields): object =>
  widgets([{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }]);
const renamed = (names: Fields): Fields => ({
  names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList', ...names },
});

/** A field `spec.a` that no structural schema may have. */
function field(what: string, a: Fields, at: string, reason: string): InvalidRow {
  return { what, crd: widget({ a }), field: `${A}${at}`, reason };
}

/** All rows. */
export const invalidRows: readonly InvalidRow[] = [
  field('a field without a type', { description: 'x' }, '.type', 'must not be empty for specified object fields'),
  field(
    'a type that does not exist',
    { type: 'text' },
    '.type',
    'supported values: "array", "boolean", "integer", "number", "object", "string"',
  ),
  field(
    'unique items',
    { type: 'array', items: text, uniqueItems: true },
    '.uniqueItems',
    'uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
  ),
  field('a list without items', { type: 'array' }, '.items', 'must be specified'),
  field('a rule that does not parse', { ...text, ...rule('self ==') }, '.x-kubernetes-validations[0].rule', ''),
  field('a rule that does not compile', { ...text, ...rule('self.b') }, '.x-kubernetes-validations[0].rule', ''),
  field(
    'a rule that is no condition',
    { ...text, ...rule('self + "a"') },
    '.x-kubernetes-validations[0].rule',
    'cel expression must evaluate to a bool',
  ),
  field(
    'a rule that may cost too much',
    { type: 'array', items: text, ...rule('self.all(x, self.all(y, self.all(z, x + y != z)))') },
    '.x-kubernetes-validations[0].rule',
    '',
  ),
  field('a reference', { $ref: '#/definitions/a' }, '.$ref', ''),
  field('a default of another type', { type: 'integer', default: 'a' }, '.default', ''),
  field('a pattern that does not parse', { ...text, pattern: '(' }, '.pattern', ''),
  field(
    'a list of type map without keys',
    { type: 'array', items: { type: 'object', properties: { k: text } }, 'x-kubernetes-list-type': 'map' },
    '.x-kubernetes-list-map-keys',
    '',
  ),
  field(
    'members and values at once',
    { type: 'object', properties: { b: text }, additionalProperties: text },
    '.additionalProperties',
    '',
  ),
  field(
    'unknown fields that are not kept',
    { type: 'object', 'x-kubernetes-preserve-unknown-fields': false },
    '.x-kubernetes-preserve-unknown-fields',
    'must be true or undefined',
  ),
  field(
    'a type inside of alternatives',
    { ...text, anyOf: [{ type: 'string' }] },
    '.anyOf[0].type',
    'must be empty to be structural',
  ),
  {
    what: 'a root without a type',
    crd: root({ properties: { spec: { type: 'object' } } }),
    field: `${SCHEMA}.type`,
    reason: 'must not be empty at the root',
  },
  {
    what: 'two versions to store',
    crd: widgets([v1, { ...v1, name: 'v2' }]),
    field: 'spec.versions',
    reason: 'must have exactly one version marked as storage version',
  },
  {
    what: 'no version to store',
    crd: widgets([version('v1', { type: 'object' })]),
    field: 'spec.versions',
    reason: 'must have exactly one version marked as storage version',
  },
  {
    what: 'two versions of one name',
    crd: widgets([v1, version('v1', { type: 'object' })]),
    field: 'spec.versions',
    reason: 'must contain unique version names',
  },
  {
    what: 'a version without a schema',
    crd: widgets([{ name: 'v1', served: true, storage: true }]),
    field: 'spec.versions[0].schema.openAPIV3Schema',
  },
  {
    what: 'a name that is not made of plural and group',
    crd: { ...widget({ a: text }), metadata: { name: 'boxes.example.com' } },
    field: 'metadata.name',
    reason: 'must be spec.names.plural+"."+spec.group',
  },
  {
    what: 'a scope that does not exist',
    crd: widget({ a: text }, {}, { scope: 'Both' }),
    field: 'spec.scope',
    reason: 'supported values: "Cluster", "Namespaced"',
  },
  {
    what: 'a kind that is also the kind of lists',
    crd: widget({ a: text }, {}, renamed({ listKind: 'Widget' })),
    field: 'spec.names.listKind',
    reason: 'kind and listKind may not be the same',
  },
  {
    what: 'a conversion webhook without an address',
    crd: widget({ a: text }, {}, { conversion: { strategy: 'Webhook' } }),
    field: 'spec.conversion.webhookClientConfig',
    reason: 'required when strategy is set to Webhook',
  },
  {
    what: 'a scale of a field outside of the spec',
    crd: widget({ a: text }, { subresources: { scale: { specReplicasPath: '.a', statusReplicasPath: '.status.n' } } }),
    field: 'spec.subresources.scale.specReplicasPath',
    reason: 'should be a json path under .spec',
  },
  {
    what: 'unknown fields kept everywhere',
    crd: widget({ a: text }, {}, { preserveUnknownFields: true }),
    field: 'spec.preserveUnknownFields',
    reason: 'set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
  },
  { what: 'versions that are no list', crd: widgets([], { versions: {} }), field: 'spec.versions' },
  {
    what: 'a limit that is a text',
    crd: widget({ a: { ...text, maxLength: '5' } }),
    field: 'spec.versions[0].schema.openAPIV3Schema.properties[spec].properties[a].maxLength',
  },
];

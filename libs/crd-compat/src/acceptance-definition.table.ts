/** Changes of a CRD as a whole. */
import type { Row } from './acceptance.table.js';
import { version, widget, widgets } from './testing.js';

type Fields = Readonly<Record<string, unknown>>;

const text = { type: 'string' };
const struct = (properties: Fields): Fields => ({ type: 'object', properties });
const stored = (each: Fields): Fields => ({ ...each, storage: true });
const plain = widget({ a: text });
const converting = (clientConfig: Fields): Fields => ({
  strategy: 'Webhook',
  webhook: { clientConfig, conversionReviewVersions: ['v1'] },
});
const webhook = {
  conversion: converting({ service: { name: 'a', namespace: 'b' } }),
};
const outside = { conversion: converting({ url: 'https://example.com' }) };
const v1 = version('v1', struct({ a: text, b: text }));
const v2 = version('v2', struct({ a: text }));
const both = { versions: ['v1', 'v2'] };
const named = (labels: Fields): object => ({
  ...widget({ a: text }),
  metadata: { name: 'widgets.example.com', labels },
});
const names = (more: Fields): Fields => ({
  names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList', ...more },
});
const withStatus = (status: Fields, more: Fields, n: Fields = { type: 'integer' }): object =>
  widgets([
    stored({
      name: 'v1',
      served: true,
      schema: {
        openAPIV3Schema: {
          type: 'object',
          properties: { spec: struct({ a: text, n }), ...status },
        },
      },
      ...more,
    }),
  ]);
const keeping = (more: Fields): object =>
  widgets([
    stored({
      name: 'v1',
      served: true,
      schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      ...more,
    }),
  ]);
const status = { status: struct({ ready: { type: 'boolean' }, n: { type: 'integer' } }) };
const counted = { type: 'integer', format: 'int32', minimum: 0 };
const selecting = { status: struct({ n: { type: 'integer' }, s: text }) };
const scale = (path: string, more: Fields = {}): Fields => ({
  subresources: { status: {}, scale: { specReplicasPath: path, statusReplicasPath: '.status.n', ...more } },
});
const state = (type: string): object => ({
  ...widget({ a: text }),
  status: { conditions: [{ type, status: 'False' }] },
});
const metadataName = (more: Fields): object =>
  widgets([
    stored({
      name: 'v1',
      served: true,
      schema: {
        openAPIV3Schema: {
          type: 'object',
          properties: { metadata: { type: 'object', properties: { name: { type: 'string', ...more } } } },
        },
      },
    }),
  ]);

/** Changes of a CRD as a whole, of its versions and of what goes with them. */
export const definitionRows: readonly Row[] = [
  {
    row: 1,
    change: 'a contract label is gone',
    required: named({ 'cluster.x-k8s.io/v1beta1': 'v1beta1_v1' }),
    live: named({ 'cluster.x-k8s.io/v1beta1': 'v1beta1' }),
    found: ['warning contract-label-removed metadata.labels[cluster.x-k8s.io/v1beta1]'],
  },
  { row: 1, change: 'another label is gone', required: named({ a: 'b' }), live: named({}), found: [] },
  {
    row: 55,
    change: 'a version is gone',
    required: widgets([stored(v1), v2]),
    live: widgets([stored(v1)]),
    options: both,
    found: ['error version-removed spec.versions'],
  },
  {
    row: 56,
    change: 'a version is no longer served',
    required: widgets([stored(v1), v2]),
    live: widgets([stored(v1), { ...v2, served: false }]),
    options: both,
    found: ['error version-not-served spec.versions.served'],
  },
  {
    row: 57,
    change: 'a version is deprecated',
    required: plain,
    live: widget({ a: text }, { deprecated: true }),
    found: ['warning version-deprecated spec.versions.deprecated'],
  },
  {
    row: 58,
    change: 'a version is added',
    required: widgets([stored(v1)]),
    live: widgets([stored(v1), v2]),
    found: [],
  },
  {
    row: 59,
    change: 'storage moves to a version with fewer fields',
    required: widgets([stored(v1), v2]),
    live: widgets([v1, stored(v2)]),
    found: ['error conversion-loses-field spec.b'],
  },
  {
    row: 59,
    change: 'a field is gone, and the stored version has less of it anyway',
    required: widgets([
      version('v1', struct({ a: struct({ b: text, c: text }) })),
      stored(version('v2', struct({ a: struct({ b: text, c: text }) }))),
    ]),
    live: widgets([version('v1', struct({})), stored(version('v2', struct({ a: struct({ b: text }) })))]),
    found: ['error field-removed spec.a'],
  },
  {
    row: 59,
    change: 'storage moves to a version with another default',
    required: widgets([stored(v1)]),
    live: widgets([v1, stored(version('v3', struct({ a: text, b: { ...text, default: 'x' } })))]),
    found: ['error conversion-changes-default spec.b'],
  },
  {
    row: 59,
    change: 'storage moves to a version with more fields',
    required: widgets([stored(v2)]),
    live: widgets([v2, stored(v1)]),
    options: { versions: ['v2'] },
    found: [],
  },
  {
    row: 59,
    change: 'storage moves and a webhook converts',
    required: widgets([stored(v1), v2], webhook),
    live: widgets([v1, stored(v2)], webhook),
    found: [],
  },
  {
    row: 59,
    change: 'storage loses a field as it did before',
    required: widgets([v1, stored(v2)]),
    live: widgets([v1, stored(v2), version('v3', struct({}))]),
    found: [],
  },
  {
    row: 60,
    change: 'a version with stored objects is gone',
    required: widgets([stored(v1)]),
    live: widgets([stored(v1)], {}, { status: { storedVersions: ['v0', 'v1'] } }),
    found: ['error stored-version-dropped spec.versions'],
  },
  {
    row: 61,
    change: 'no webhook converts any more',
    required: widgets([v1, stored(v2)], webhook),
    live: widgets([v1, stored(v2)]),
    found: ['error conversion-loses-field spec.b'],
  },
  {
    row: 61,
    change: 'a webhook converts now',
    required: widgets([stored(v1)]),
    live: widgets([stored(v1)], webhook),
    found: ['warning conversion-webhook-trusted spec.conversion'],
  },
  {
    row: 61,
    change: 'a webhook outside of the cluster converts now',
    required: widgets([stored(v1)], webhook),
    live: widgets([stored(v1)], outside),
    found: ['warning conversion-webhook-without-service spec.conversion'],
  },
  {
    row: 62,
    change: 'the webhook is another service',
    required: widgets([stored(v1)], webhook),
    live: widgets([stored(v1)], {
      conversion: converting({ service: { name: 'c', namespace: 'b' } }),
    }),
    found: [],
  },
  {
    row: 63,
    change: 'the scope differs',
    required: plain,
    live: widget({ a: text }, {}, { scope: 'Cluster' }),
    found: ['error scope-changed spec.scope'],
  },
  {
    row: 64,
    change: 'the kind differs',
    required: plain,
    live: widget({ a: text }, {}, names({ kind: 'Gadget' })),
    found: ['error kind-changed spec.names.kind'],
  },
  {
    row: 64,
    change: 'the kind of lists differs',
    required: plain,
    live: widget({ a: text }, {}, names({ listKind: 'Widgets' })),
    found: ['error list-kind-changed spec.names.listKind'],
  },
  {
    row: 64,
    change: 'the plural differs',
    required: plain,
    live: { ...widget({ a: text }, {}, names({ plural: 'gadgets' })), metadata: { name: 'gadgets.example.com' } },
    found: ['error name-changed spec.names.plural'],
  },
  {
    row: 65,
    change: 'names for people are gone',
    required: widget({ a: text }, {}, names({ shortNames: ['w', 'x'], categories: ['all'] })),
    live: widget({ a: text }, {}, names({ shortNames: ['w', 'y'], singular: 'gizmo' })),
    found: [
      'warning short-name-changed spec.names.categories',
      'warning short-name-changed spec.names.shortNames',
      'warning short-name-changed spec.names.singular',
    ],
  },
  {
    row: 66,
    change: 'the status is no subresource any more',
    required: withStatus(status, { subresources: { status: {} } }),
    live: withStatus(status, {}),
    found: ['error status-subresource-removed spec.versions.subresources.status'],
  },
  {
    row: 67,
    change: 'the status is a subresource',
    required: withStatus(status, {}),
    live: withStatus(status, { subresources: { status: {} } }),
    found: ['error status-subresource-added spec.versions.subresources.status'],
  },
  {
    row: 67,
    change: 'the status is a subresource, and was kept among unknown fields',
    required: keeping({}),
    live: keeping({ subresources: { status: {} } }),
    found: ['error status-subresource-added spec.versions.subresources.status'],
  },
  {
    row: 67,
    change: 'the status is a subresource that nobody described',
    required: withStatus({}, {}),
    live: withStatus({}, { subresources: { status: {} } }),
    found: ['warning status-subresource-unused spec.versions.subresources.status'],
  },
  {
    row: 68,
    change: 'there is no scale any more',
    required: withStatus(status, scale('.spec.n')),
    live: withStatus(status, { subresources: { status: {} } }),
    found: ['error scale-subresource-removed spec.versions.subresources.scale'],
  },
  {
    row: 68,
    change: 'scale is about another field',
    required: withStatus(status, scale('.spec.n')),
    live: withStatus(status, scale('.spec.m')),
    found: ['error scale-path-changed spec.versions.subresources.scale.specReplicasPath'],
  },
  {
    row: 68,
    change: 'there is a scale, of fields that may be anything',
    required: withStatus(status, { subresources: { status: {} } }),
    live: withStatus(status, scale('.spec.n')),
    found: [
      'warning scale-limits-field spec.versions.subresources.scale.specReplicasPath',
      'warning scale-limits-field spec.versions.subresources.scale.statusReplicasPath',
    ],
  },
  {
    row: 68,
    change: 'there is a scale, of fields that are made for it',
    required: withStatus({ status: struct({ n: counted }) }, { subresources: { status: {} } }, counted),
    live: withStatus({ status: struct({ n: counted }) }, scale('.spec.n'), counted),
    found: [],
  },
  {
    row: 68,
    change: 'scale shows the status of another field',
    required: withStatus(status, scale('.spec.n')),
    live: withStatus(status, scale('.spec.n', { statusReplicasPath: '.status.m' })),
    found: ['error scale-path-changed spec.versions.subresources.scale.statusReplicasPath'],
  },
  {
    row: 68,
    change: 'scale shows no selector any more',
    required: withStatus(selecting, scale('.spec.n', { labelSelectorPath: '.status.s' })),
    live: withStatus(selecting, scale('.spec.n')),
    found: ['error scale-path-changed spec.versions.subresources.scale.labelSelectorPath'],
  },
  {
    row: 69,
    change: 'a field cannot be selected by any more',
    required: widget({ a: text }, { selectableFields: [{ jsonPath: '.spec.a' }] }),
    live: plain,
    found: ['error selectable-field-removed spec.versions.selectableFields'],
  },
  {
    row: 69,
    change: 'a field can be selected by',
    required: plain,
    live: widget({ a: text }, { selectableFields: [{ jsonPath: '.spec.a' }] }),
    found: [],
  },
  {
    row: 70,
    change: 'columns differ',
    required: plain,
    live: widget({ a: text }, { additionalPrinterColumns: [{ name: 'A', type: 'string', jsonPath: '.spec.a' }] }),
    found: [],
  },
  {
    row: 71,
    change: 'unknown fields are kept everywhere',
    required: plain,
    live: widget({ a: text }, {}, { preserveUnknownFields: true }),
    stored: true,
    found: ['warning unknown-fields-kept-everywhere spec.preserveUnknownFields'],
  },
  {
    row: 72,
    change: 'the CRD is not served yet',
    required: plain,
    live: state('Established'),
    found: ['warning not-established status.conditions'],
  },
  {
    row: 72,
    change: 'the names are taken',
    required: plain,
    live: state('NamesAccepted'),
    found: ['error names-not-accepted status.conditions'],
  },
  {
    row: 73,
    change: 'the CRD is recreated, with a field less',
    required: widget({ a: text, b: text }),
    live: widget({ a: text }, {}, {}),
    found: ['error field-removed spec.b'],
  },
  {
    row: 73,
    change: 'names of objects are shorter',
    required: metadataName({}),
    live: metadataName({ maxLength: 63 }),
    found: ['error max-length-tightened metadata.name'],
  },
  {
    row: 73,
    change: 'names of objects may be longer',
    required: metadataName({ maxLength: 63 }),
    live: metadataName({}),
    found: ['warning max-length-loosened metadata.name'],
  },
  {
    row: 73,
    change: 'an excluded field is required',
    required: widget({ a: { type: 'object', properties: { b: text, c: text } } }),
    live: widget({ a: { type: 'object', properties: { b: text, c: text }, required: ['b'] } }),
    options: { excludedFields: [{ path: 'spec.a.b' }] },
    found: ['error required-excluded-field spec.a.b'],
  },
  {
    row: 73,
    change: 'a rule looks at an excluded field',
    required: widget({ a: { type: 'object', properties: { b: text, c: text } } }),
    live: widget({
      a: { type: 'object', properties: { b: text, c: text }, 'x-kubernetes-validations': [{ rule: 'has(self.b)' }] },
    }),
    options: { excludedFields: [{ path: 'spec.a.b' }] },
    found: ['error rule-excluded-field spec.a'],
  },
  {
    row: 73,
    change: 'a text may be anything',
    required: widget({ a: text }),
    live: widget({ a: { 'x-kubernetes-preserve-unknown-fields': true } }),
    found: ['warning type-widened spec.a'],
  },
];

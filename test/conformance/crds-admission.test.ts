import {
  CRDS,
  GROUP,
  custom,
  definition,
  definitionPath,
  dismiss,
  givenDefinition,
  objectsPath,
  ready,
  specVersion,
  version,
} from '../src/conformance/crds.js';
import { suite } from '../src/conformance/suite.js';

const it = suite('crds-admission');
const DRY = `${CRDS}?dryRun=All`;
const webhook = (clientConfig: object, conversionReviewVersions = ['v1']): object => ({
  strategy: 'Webhook',
  webhook: { clientConfig, conversionReviewVersions },
});

/** CRDs by what is wrong with them. */
const REFUSED: Readonly<Record<string, readonly object[]>> = {
  'names that do not fit': [
    definition('as', {}, { name: 'x' }),
    definition('as', {}, { name: 'X!', labels: { a: '!' } }),
    definition('as', { group: '' }),
    definition('as', { group: 'P.x' }),
    definition('as', { group: 'p' }, { name: 'as.p' }),
    definition('as', {
      names: { plural: 'As', singular: 'A!', kind: 'a_', listKind: 'a_', shortNames: ['X'], categories: ['Y'] },
    }),
    definition('as', { names: { plural: '', kind: '' } }),
    { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name: 'x' } },
  ],
  'scopes and versions that make no sense': [
    definition('as', { scope: 'Foo' }),
    definition('as', { scope: '' }),
    definition('as', { versions: [version({ storage: false })] }),
    definition('as', { versions: [version(), version({ name: 'v2' })] }),
    definition('as', { versions: [version(), version({ storage: false })] }),
    definition('as', { versions: [version({ name: 'V1' })] }),
    definition('as', { versions: [version({ deprecationWarning: 'x' })] }),
    definition('as', { versions: [version({ deprecated: true, deprecationWarning: '' })] }),
    definition('as', { versions: [version({ deprecated: true, deprecationWarning: `a\u0007${'b'.repeat(300)}` })] }),
  ],
  'schemas that are missing or not structural': [
    definition('as', { versions: [version({ schema: undefined })] }),
    definition('as', { versions: [version(), version({ name: 'v2', storage: false, schema: undefined })] }),
    definition('as', { preserveUnknownFields: true }),
    definition('as', { versions: [version({ schema: { openAPIV3Schema: { properties: { a: {} } } } })] }),
    definition('as', {
      versions: [
        version({ schema: { openAPIV3Schema: { properties: { a: {} } } } }),
        version({ name: 'v2', storage: false }),
      ],
    }),
    definition('as', {
      versions: [
        version({ subresources: { status: {} }, schema: { openAPIV3Schema: { type: 'object', maxProperties: 3 } } }),
      ],
    }),
    definition('as', { versions: [specVersion({ a: { type: 'integer', default: 'x' } })] }),
    definition('as', { versions: [specVersion({ a: { type: 'integer' } }, {}, { default: { x: 1 } })] }),
  ],
  'rules that do not compile or cost too much': [
    definition('as', {
      versions: [
        specVersion({ a: { type: 'integer' } }, {}, { 'x-kubernetes-validations': [{ rule: 'self.b == 1' }] }),
      ],
    }),
    definition('as', {
      versions: [specVersion({ a: { type: 'integer' } }, {}, { 'x-kubernetes-validations': [{ rule: '' }] })],
    }),
    definition('as', {
      versions: [specVersion({ a: { type: 'integer' } }, {}, { 'x-kubernetes-validations': [{ rule: 'self.a' }] })],
    }),
    definition('as', {
      versions: [
        specVersion(
          { a: { type: 'array', items: { type: 'array', items: { type: 'string' } } } },
          {},
          {
            'x-kubernetes-validations': [{ rule: 'self.a.all(x, x.all(y, self.a.all(z, z.all(t, t != y))))' }],
          },
        ),
      ],
    }),
  ],
  'columns, paths and selectable fields that lead nowhere': [
    definition('as', { versions: [version({ additionalPrinterColumns: [{ name: '', type: '', jsonPath: '' }] })] }),
    definition('as', {
      versions: [version({ additionalPrinterColumns: [{ name: 'a', type: 'foo', format: 'bar', jsonPath: 'x' }] })],
    }),
    definition('as', {
      versions: [
        version({ additionalPrinterColumns: [{ name: '', type: 'string', jsonPath: '.x' }] }),
        version({ name: 'v2', storage: false }),
      ],
    }),
    definition('as', {
      versions: [
        version({
          subresources: { scale: { specReplicasPath: '', statusReplicasPath: 'x', labelSelectorPath: '.foo.x' } },
        }),
      ],
    }),
    definition('as', {
      versions: [
        version({ subresources: { scale: { specReplicasPath: '.status.x', statusReplicasPath: '.spec.x' } } }),
      ],
    }),
    definition('as', {
      versions: [
        specVersion(
          { a: { type: 'string' } },
          { selectableFields: [{ jsonPath: '.spec.b' }, { jsonPath: '' }, { jsonPath: '.spec' }] },
        ),
      ],
    }),
    definition('as', {
      versions: [
        specVersion(Object.fromEntries([...'abcdefghi'].map((name) => [name, { type: 'string' }])), {
          selectableFields: [...'abcdefghi'].map((name) => ({ jsonPath: `.spec.${name}` })),
        }),
      ],
    }),
    definition('as', {
      versions: [version({ selectableFields: [{ jsonPath: '.spec.x' }] }), version({ name: 'v2', storage: false })],
    }),
  ],
  'conversions that cannot work': [
    definition('as', { conversion: { strategy: 'Foo' } }),
    definition('as', { conversion: { strategy: 'Webhook' } }),
    definition('as', { conversion: webhook({}, []) }),
    definition('as', { conversion: webhook({ url: 'http://u:p@x/?a#b' }, ['v9', 'v9', 'X']) }),
    definition('as', { conversion: webhook({ service: { name: '', namespace: '', port: 0, path: 'x//y' } }) }),
    definition('as', { conversion: webhook({ url: 'https://x', service: { name: 'a', namespace: 'b' } }) }),
    definition('as', { conversion: { ...webhook({ url: 'https://x' }), strategy: 'None' } }),
  ],
  'groups of the community without approval': [
    definition('as', { group: 'x.k8s.io' }, { name: 'as.x.k8s.io' }),
    definition(
      'as',
      { group: 'kubernetes.io' },
      { name: 'as.kubernetes.io', annotations: { 'api-approved.kubernetes.io': 'foo' } },
    ),
  ],
};

for (const [name, definitions] of Object.entries(REFUSED)) {
  it(`a CRD is refused for ${name}`, async (s) => {
    for (const each of definitions) await s.post(DRY, each);
  });
}

it('a CRD is let in and defaulted', async (s) => {
  await s.post(DRY, definition('as'));
  await s.post(
    DRY,
    definition(
      'as',
      { group: 'x.k8s.io' },
      { name: 'as.x.k8s.io', annotations: { 'api-approved.kubernetes.io': 'https://x.example/1' } },
    ),
  );
  await s.post(DRY, definition('as', { conversion: webhook({ service: { name: 'a', namespace: 'b' } }) }));
});

it('what a CRD is known by cannot be changed', async (s) => {
  await givenDefinition(s, 'things');
  const path = definitionPath('things');
  await s.merge(path, { spec: { scope: 'Cluster' } });
  await s.merge(path, { spec: { names: { kind: 'Other', listKind: 'OtherList' } } });
  await s.merge(path, { spec: { names: { plural: 'others' } } });
  await s.merge(path, { spec: { group: `x.${GROUP}` } });
  await s.merge(path, { spec: { preserveUnknownFields: true } });
  await s.merge(path, { spec: { versions: [version({ schema: null })] } });
  await s.merge(`${path}/status`, { status: { acceptedNames: { plural: 'A!' } } });
  await s.put(path, definition('things'));
  await dismiss(s, 'things');
});

it('a stored version stays until it is removed from the status', async (s) => {
  await givenDefinition(s, 'things');
  const path = definitionPath('things');
  await s.merge(path, { spec: { versions: [version({ storage: false }), version({ name: 'v2' })] } });
  await s.merge(path, { spec: { versions: [version({ name: 'v2' })] } });
  await s.merge(`${path}/status`, { status: { storedVersions: ['v2'] } });
  await s.merge(path, { spec: { versions: [version({ name: 'v2' })] } });
  await ready(s, 'things', 'v2');
  await s.get(objectsPath('things', 'v2'));
  await s.post(objectsPath('things', 'v2'), custom('Thing', 'a', {}, 'v2'));
  await dismiss(s, 'things');
});

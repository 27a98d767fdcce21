import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@capstan/meta';
import { CLUSTER_API_RULES, GroupMapping } from '../groups/mapping.js';
import {
  MirrorError,
  mirrorDefinition,
  printJson,
  printYaml,
  readObjects,
  readSourceWebhook,
  standardAdmission,
} from './index.js';
import type { MirrorErrorCode } from './index.js';

const mapping = new GroupMapping(CLUSTER_API_RULES);
const shim = { namespace: 'hypershift', name: 'capi-conversion-webhook-shim' };
const options = { mapping, shim };
const S = 'cluster.x-k8s.io';
const P = 'cluster.hypershift.openshift.io';
const SOURCE_WEBHOOK = 'hypershift.openshift.io/source-conversion-webhook';
const clientConfig = { service: { name: 'capi-webhook-service', namespace: 'capi-system', path: '/convert' } };

function version(name: string, more: JsonObject = {}): JsonObject {
  const schema = { openAPIV3Schema: { type: 'object', description: `A kind of ${S}/v1beta1.` } };
  return { name, served: true, storage: false, schema, ...more };
}

function definition({ group = S, plural = 'machines', spec = {}, metadata = {} } = {}): JsonObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}`, ...metadata },
    spec: {
      group,
      names: { plural, kind: 'Machine', categories: ['cluster-api'], shortNames: ['ma'] },
      scope: 'Namespaced',
      conversion: { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1', 'v1beta1'] } },
      versions: [version('v1beta1', { deprecated: true }), version('v1beta2', { storage: true })],
      ...spec,
    },
  };
}

describe('the private CRD of a standard CRD', () => {
  it('has the private group and is converted by the shim', () => {
    expect(mirrorDefinition(definition(), options)).toEqual({
      definition: {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: {
          name: `machines.${P}`,
          annotations: {
            [SOURCE_WEBHOOK]: JSON.stringify(clientConfig),
            'service.beta.openshift.io/inject-cabundle': 'true',
          },
        },
        spec: {
          group: P,
          // Without short names and categories: those stay with the platform's kinds.
          names: { plural: 'machines', kind: 'Machine' },
          scope: 'Namespaced',
          conversion: {
            strategy: 'Webhook',
            webhook: {
              clientConfig: { service: { ...shim, path: '/convert' } },
              conversionReviewVersions: ['v1'],
            },
          },
          versions: [version('v1beta1', { deprecated: true }), version('v1beta2', { storage: true })],
        },
      },
      lacksWebhook: false,
      warnings: [],
    });
  });

  it('keeps labels and annotations, and nothing that a server or an owner has written', () => {
    const source = {
      ...definition({
        metadata: {
          uid: 'u',
          resourceVersion: '7',
          generation: 2,
          creationTimestamp: '2026-01-01T00:00:00Z',
          finalizers: ['customresourcecleanup.apiextensions.k8s.io'],
          ownerReferences: [
            { apiVersion: 'config.openshift.io/v1', kind: 'ClusterVersion', name: 'version', uid: 'v' },
          ],
          managedFields: [{ manager: 'x' }],
          labels: { [`${S}/v1beta1`]: 'v1beta1', [`${S}/v1beta2`]: 'v1beta2', [`${S}/provider`]: 'cluster-api' },
          annotations: {
            'cert-manager.io/inject-ca-from': 'capi-system/capi-serving-cert',
            'controller-gen.kubebuilder.io/version': 'v0.18.0',
            'kubectl.kubernetes.io/last-applied-configuration': '{}',
          },
        },
      }),
      status: { storedVersions: ['v1beta1'], conditions: [] },
    };
    const crd = mirrorDefinition(source, { ...options, caBundle: 'QQ==' }).definition;
    expect(Object.keys(crd)).toEqual(['apiVersion', 'kind', 'metadata', 'spec']);
    expect(crd.metadata).toEqual({
      name: `machines.${P}`,
      labels: { [`${S}/v1beta1`]: 'v1beta1', [`${S}/v1beta2`]: 'v1beta2', [`${S}/provider`]: 'cluster-api' },
      annotations: {
        'controller-gen.kubebuilder.io/version': 'v0.18.0',
        [SOURCE_WEBHOOK]: JSON.stringify(clientConfig),
      },
    });
    expect(crd).toMatchObject({
      spec: { conversion: { webhook: { clientConfig: { caBundle: 'QQ==', service: { ...shim, path: '/convert' } } } } },
    });
  });

  it.each([
    ['one version', { versions: [version('v1', { storage: true })] }],
    ['versions that differ in nothing', { conversion: { strategy: 'None' } }],
  ])('of a kind with %s is not converted', (_case, spec) => {
    const { definition: crd, lacksWebhook } = mirrorDefinition(definition({ spec }), options);
    expect(crd).toMatchObject({ spec: { conversion: { strategy: 'None' } } });
    expect(crd.metadata.annotations).toBeUndefined();
    expect(lacksWebhook).toBe(false);
  });

  it('of a kind without a webhook is converted by the shim, which needs a delegate', () => {
    const { definition: crd, lacksWebhook } = mirrorDefinition(
      definition({ spec: { conversion: undefined } }),
      options,
    );
    expect(crd).toMatchObject({ spec: { conversion: { strategy: 'Webhook' } } });
    expect(crd.metadata.annotations).toEqual({ 'service.beta.openshift.io/inject-cabundle': 'true' });
    expect(lacksWebhook).toBe(true);
  });

  it('has a deprecation warning that reads as the standard one through the proxy', () => {
    const deprecationWarning = (group: string): string =>
      `${group}/v1beta1 Machine is deprecated; use ${group}/v1beta2 Machine`;
    const versions = [
      version('v1beta1', { deprecated: true, deprecationWarning: deprecationWarning(S) }),
      version('v1alpha4', { deprecated: true, deprecationWarning: `ask at ${S}` }),
    ];
    const crd = mirrorDefinition(definition({ spec: { versions } }), options).definition;
    expect(crd).toMatchObject({
      spec: { versions: [{ deprecationWarning: deprecationWarning(P) }, { deprecationWarning: `ask at ${S}` }] },
    });
  });

  it('warns of groups that a schema names where the server acts on it', () => {
    const properties = {
      description: { type: 'string', description: S, default: `infrastructure.${S}/v1` },
      ref: { type: 'object', 'x-kubernetes-validations': [{ rule: `self.apiGroup == '${S}'`, message: S }] },
    };
    const versions = [version('v1', { storage: true, schema: { openAPIV3Schema: { properties } } })];
    expect(mirrorDefinition(definition({ spec: { versions } }), options).warnings).toEqual([
      `machines.${P}: v1.openAPIV3Schema.properties.description.default names infrastructure.${S}, and is left as it is`,
      `machines.${P}: v1.openAPIV3Schema.properties.ref.x-kubernetes-validations[0].rule names ${S}, and is left as it is`,
    ]);
  });

  const deep = Array.from({ length: 12 }, () => 'abcdefghijklmnopqr').join('.');
  it.each<[string, MirrorErrorCode, unknown, string]>([
    ['no object', 'NOT_A_DEFINITION', 'text', 'this is no Kubernetes object'],
    [
      'another kind',
      'NOT_A_DEFINITION',
      { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'x' } },
      'expected CustomResourceDefinition of apiextensions.k8s.io/v1, found Secret x of v1',
    ],
    [
      'an old CRD',
      'NOT_A_DEFINITION',
      { ...definition(), apiVersion: 'apiextensions.k8s.io/v1beta1' },
      `expected CustomResourceDefinition of apiextensions.k8s.io/v1, found CustomResourceDefinition machines.${S} of apiextensions.k8s.io/v1beta1`,
    ],
    [
      'no versions',
      'NOT_A_DEFINITION',
      definition({ spec: { versions: [] } }),
      'CustomResourceDefinition without spec.versions',
    ],
    [
      'another name',
      'NOT_A_DEFINITION',
      definition({ metadata: { name: 'machine' } }),
      `machine should be named machines.${S} by its plural and group`,
    ],
    [
      'another group',
      'NOT_STANDARD',
      definition({ group: 'multicluster.x-k8s.io' }),
      'machines.multicluster.x-k8s.io is not of Cluster API: its group multicluster.x-k8s.io has no private name',
    ],
    ['a private group', 'ALREADY_PRIVATE', definition({ group: P }), `machines.${P} is private already`],
    [
      'a long group',
      'TOO_LONG',
      definition({ group: `${deep}.${S}` }),
      `machines.${deep}.${S} would be machines.${deep}.${P}, 268 characters long: names have at most 253`,
    ],
    [
      'a long plural',
      'TOO_LONG',
      definition({ plural: 'm'.repeat(64) }),
      `${'m'.repeat(64)}.${S} would be ${'m'.repeat(64)}.${P}, in which ${'m'.repeat(64)} is 64 characters long: at most 63 are allowed between dots`,
    ],
  ])('is refused to %s', (_case, code, source, message) => {
    expect(() => mirrorDefinition(source, options)).toThrow(new MirrorError(code, message));
  });
});

describe('CRDs in files', () => {
  it('are read from documents, lists and JSON, each with its place', () => {
    const text =
      '# head\n---\na: 1\n---\n---\nkind: List\nitems:\n- b: yes\n- c: 9007199254740993\n---\n{"d": "2001-01-01", "e": 2001-01-01}\n';
    expect(readObjects(text, 'x.yaml')).toEqual([
      { object: { a: 1 }, where: 'x.yaml, document 1, line 3' },
      { object: { b: true }, where: 'x.yaml, document 3, line 6, item 1' },
      { object: { c: 9007199254740993n }, where: 'x.yaml, document 3, line 6, item 2' },
      { object: { d: '2001-01-01', e: '2001-01-01' }, where: 'x.yaml, document 4, line 11' },
    ]);
    expect(readObjects('', 'x.yaml')).toEqual([]);
  });

  it.each([
    ['a: 1\n---\nb:\n  - c\n d: [', 'x.yaml, document 2, line 5: '],
    ['a: 1\na: 2\n', 'x.yaml, document 1, line 2: '],
    ['a: *nowhere\n', 'x.yaml, document 1, line 1: '],
  ])('that are broken are refused with the line %#', (text, message) => {
    expect(() => readObjects(text, 'x.yaml')).toThrow(message);
  });

  it('are printed so that they are read the same', () => {
    const object = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'x' },
      spec: {
        enum: ['yes', 'on', 'y', '012', '2001-01-01', '1e3', '', 'a: b', '12:30:45'],
        maximum: 9223372036854775807n,
      },
    };
    const text = printYaml([object, object]);
    expect(readObjects(text, 'x').map((each) => each.object)).toEqual([object, object]);
    expect(text).not.toMatch(/&|\*|%/);
    expect(readObjects(printJson([object]), 'x').map((each) => each.object)).toEqual([object]);
  });
});

describe('the source webhook in the annotation of a private CRD', () => {
  it.each<[string | undefined, unknown]>([
    [JSON.stringify(clientConfig), clientConfig],
    ['{"url":"https://x/convert","caBundle":"QQ=="}', { url: 'https://x/convert', caBundle: 'QQ==' }],
    ['{"service":{"namespace":"n","name":"s","port":9443}}', { service: { namespace: 'n', name: 's', port: 9443 } }],
    ['{"service":{"namespace":"n"}}', undefined],
    ['{"service"', undefined],
    ['[]', undefined],
    [undefined, undefined],
  ])('%s', (annotation, expected) => {
    expect(readSourceWebhook(annotation)).toEqual(expected);
  });
});

it('finds the admission webhooks that private kinds will not be sent to', () => {
  const configuration = (name: string, ...apiGroups: string[]) => ({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name },
    webhooks: [{ rules: [{ apiGroups }] }, {}],
  });
  const found = standardAdmission(
    [configuration('all', '*'), configuration('capi', `addons.${S}`, S, 'apps', S), configuration('own', P)],
    mapping,
  );
  expect(found).toEqual([{ kind: 'ValidatingWebhookConfiguration', name: 'capi', groups: [`addons.${S}`, S] }]);
});

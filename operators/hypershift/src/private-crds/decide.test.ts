import type { KubeObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { verdictOf } from './decide.js';
import type { CrdInputs } from './decide.js';
import { readRecord, recordOf } from './record.js';

const TARGET = { shim: { namespace: 'hypershift', name: 'shim' }, caBundle: 'Y2E=' };
const SERVICE = { namespace: 'hypershift', name: 'shim', path: '/convert' };
const CONVERTED = {
  strategy: 'Webhook',
  webhook: { clientConfig: { caBundle: 'Y2E=', service: SERVICE }, conversionReviewVersions: ['v1'] },
};
const OLD = { name: 'v1', served: true, storage: false };
const NEW = { name: 'v2', served: true, storage: true };

function crd({ annotations = { 'capstan.dev/version': '1.0.0' }, ...spec }: Record<string, unknown> = {}): KubeObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'ships.harbour.example.com', annotations, resourceVersion: '1' },
    spec: {
      conversion: CONVERTED,
      names: { plural: 'ships', kind: 'Ship' },
      versions: [OLD, { ...NEW, schema: { openAPIV3Schema: { type: 'object', required: [] } } }],
      ...spec,
    },
  } as unknown as KubeObject;
}

const INSTALLED = { conversion: 'Webhook', versions: [OLD, NEW] } as const;
const verdict = (inputs: Partial<CrdInputs>): ReturnType<typeof verdictOf> =>
  verdictOf({
    installed: INSTALLED,
    shipped: crd(),
    live: crd(),
    areShipped: true,
    version: '1.0.0',
    target: TARGET,
    ...inputs,
  });

const MOVED = {
  strategy: 'Webhook',
  webhook: {
    clientConfig: { caBundle: 'Y2E=', service: { ...SERVICE, namespace: 'elsewhere' } },
    conversionReviewVersions: ['v1'],
  },
};
const OTHER_CA = {
  strategy: 'Webhook',
  webhook: { clientConfig: { caBundle: 'b2xk', service: SERVICE }, conversionReviewVersions: ['v1'] },
};

/** As servers store it: with defaults, and without empty fields. */
const STORED = crd({
  conversion: {
    strategy: 'Webhook',
    webhook: {
      clientConfig: { caBundle: 'Y2E=', service: { ...SERVICE, port: 443 } },
      conversionReviewVersions: ['v1'],
    },
  },
  names: { plural: 'ships', kind: 'Ship', listKind: 'ShipList', singular: 'ship' },
  versions: [OLD, { ...NEW, schema: { openAPIV3Schema: { type: 'object' } } }],
});

describe('a private CRD that comes with the program', () => {
  it('is left alone as servers store it, and where another version has installed it or it is being deleted', () => {
    const deleted = crd({ versions: [] });
    const going = { ...deleted, metadata: { ...deleted.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
    for (const live of [STORED, crd({ annotations: { 'capstan.dev/version': '2.0.0' }, versions: [] }), going])
      expect(verdict({ live })).toEqual({ do: 'nothing' });
  });

  it.each<[string, KubeObject | undefined, string]>([
    ['deleted', undefined, 'it was deleted'],
    ['converted elsewhere', crd({ conversion: MOVED }), 'spec.conversion.webhook.clientConfig.service.namespace'],
    ['converted by nobody', crd({ conversion: { strategy: 'None' } }), 'spec.conversion.strategy'],
    ['trusted by another CA', crd({ conversion: OTHER_CA }), 'spec.conversion.webhook.clientConfig.caBundle'],
    ['without a version', crd({ versions: [NEW] }), 'spec.versions'],
    ['not served', crd({ versions: [{ ...OLD, served: false }, NEW] }), 'spec.versions[0].served'],
    ['without its mark', crd({ annotations: {} }), 'metadata.annotations.capstan.dev/version'],
  ])('is applied again when it is %s', (_, live, because) => {
    expect(verdict({ live })).toEqual({ do: 'apply', object: crd(), because: expect.stringContaining(because) });
  });
});

describe('a private CRD of --crds-from', () => {
  const given = { areShipped: false, shipped: undefined };

  it('is left alone whatever its schemas are', () => {
    expect(verdict({ ...given, live: STORED })).toEqual({ do: 'nothing' });
  });

  it('gets its versions and its conversion back, and keeps all else', () => {
    const live = crd({ conversion: MOVED, versions: [{ ...OLD, served: false, schema: { kept: true } }, NEW] });
    const found = verdict({ ...given, live });
    expect(found).toMatchObject({ do: 'change', before: live });
    expect('after' in found && found.after['spec']).toMatchObject({
      conversion: CONVERTED,
      versions: [{ ...OLD, schema: { kept: true } }, NEW],
    });
  });

  it.each<[string, Partial<CrdInputs>, string]>([
    ['deleted', { live: undefined }, 'it was deleted, and is not among the CRDs of this program'],
    ['without a version', { live: crd({ versions: [NEW] }) }, 'its version v1 was removed'],
    [
      'deleted, and ships with other versions',
      { live: undefined, shipped: crd({ versions: [NEW] }) },
      'it was deleted, and is not among',
    ],
  ])('is reported when it is %s', (_, inputs, problem) => {
    expect(verdict({ ...given, ...inputs })).toEqual({ do: 'report', problem: expect.stringContaining(problem) });
  });

  it('is created again when the program brings the same versions', () => {
    expect(verdict({ areShipped: false, live: undefined })).toMatchObject({ do: 'apply' });
  });
});

describe('the record of an installation', () => {
  it('contains what was installed, and entries of others are left out', () => {
    const record = recordOf('hypershift', [crd()], true);
    const edited = { ...record, data: { ...(record['data'] as object), 'a.b': 'nonsense', 'c.d': '{}' } };
    expect(readRecord(edited as KubeObject)).toEqual({
      areShipped: true,
      crds: new Map([['ships.harbour.example.com', INSTALLED]]),
    });
  });

  it('is none without its first entry', () => {
    expect(readRecord({ apiVersion: 'v1', kind: 'ConfigMap', metadata: {} })).toBeUndefined();
  });
});

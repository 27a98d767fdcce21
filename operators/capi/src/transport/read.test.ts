import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { definition, dependent, transportMap } from '../testing/objects.js';
import { PROVIDER_LABEL, ROLE_LABEL } from '../vocabulary.js';
import { readTransport } from './read.js';
import type { ConfigMap } from './read.js';

const MACHINES = definition('Machine', { v1beta1: {}, v1beta2: {} });

function withText(text: string): ConfigMap {
  return { ...transportMap('core', []), data: { 'manifests.yaml': text } };
}

function labelled(labels: Readonly<Record<string, string | undefined>>): ConfigMap {
  const map = transportMap('core', [MACHINES]);
  const merged = Object.entries({ ...map.metadata.labels, ...labels }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return { ...map, metadata: { ...map.metadata, labels: Object.fromEntries(merged) } };
}

const HALF_A_BOMB = gzipSync('# x\n'.repeat(2_500_000)).toString('base64');

describe('a transport config map', () => {
  it.each([false, true])('is read, packed: %s', (packed) => {
    const manifests = [MACHINES, dependent('capo', { 'machines.cluster.x-k8s.io': 'v1beta1, v1beta2' })];
    const read = readTransport(transportMap('core', manifests, { packed }));
    expect(read).toMatchObject({
      map: 'openshift-cluster-api-operator/core',
      role: 'active',
      release: '4.22.0',
      component: 'cluster-api',
      definitions: [{ name: 'machines.cluster.x-k8s.io', definition: MACHINES, component: 'cluster-api' }],
      dependencies: [
        { definition: 'machines.cluster.x-k8s.io', version: 'v1beta1', by: 'Deployment capo' },
        { definition: 'machines.cluster.x-k8s.io', version: 'v1beta2', by: 'Deployment capo' },
      ],
    });
  });

  it('keeps the text of a CRD as it is written, and nothing of its neighbours', () => {
    const text = 'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition # why\n';
    const rest =
      'metadata: {name: as.g.io}\nspec: {group: g.io, names: {plural: as, kind: A}, versions: [{name: v1, storage: true}]}\n';
    const read = readTransport(
      withText(`# before\n---\n${text}${rest}---\napiVersion: v1\nkind: A\nmetadata: {name: x}\n`),
    );
    expect(read).toMatchObject({ definitions: [{ text: `${text}${rest}` }] });
  });

  it.each<[string, ConfigMap, string]>([
    ['no role', labelled({ [ROLE_LABEL]: undefined }), `label ${ROLE_LABEL} is missing`],
    ['no provider', labelled({ [PROVIDER_LABEL]: '' }), `label ${PROVIDER_LABEL} is missing`],
    ['another role', labelled({ [ROLE_LABEL]: 'past' }), `label ${ROLE_LABEL} is "past", neither active nor future`],
    ['nothing in it', { ...transportMap('core', []), data: {} }, 'it has neither data nor binaryData'],
    ['no YAML', withText('a: [1\n'), 'document 1 of manifests.yaml is not YAML: '],
    [
      'a list',
      withText('- 1\n'),
      'document 1 of manifests.yaml is no manifest: it needs apiVersion, kind and metadata.name',
    ],
    ['no name', withText('apiVersion: v1\nkind: A\nmetadata: {}\n'), 'document 1 of manifests.yaml is no manifest'],
    [
      'bytes that are no gzip',
      { ...transportMap('core', []), data: {}, binaryData: { x: 'AAAA' } },
      'binaryData[x] is not gzip: incorrect header check',
    ],
    [
      'little that becomes much',
      { ...transportMap('core', []), data: {}, binaryData: { a: HALF_A_BOMB, b: HALF_A_BOMB } },
      'binaryData[b]: the manifests are larger than 16777216 bytes unpacked',
    ],
    [
      'a CRD of another API',
      transportMap('core', [{ ...MACHINES, apiVersion: 'apiextensions.k8s.io/v1beta1' }]),
      'CustomResourceDefinition machines.cluster.x-k8s.io in manifests.yaml is apiextensions.k8s.io/v1beta1, not apiextensions.k8s.io/v1',
    ],
    [
      'a CRD under another name',
      transportMap('core', [{ ...MACHINES, metadata: { name: 'm.x.io' } }]),
      'CustomResourceDefinition m.x.io in manifests.yaml should be called machines.cluster.x-k8s.io',
    ],
    [
      'a CRD without spec',
      transportMap('core', [{ ...MACHINES, spec: undefined }]),
      'CustomResourceDefinition machines.cluster.x-k8s.io in manifests.yaml needs spec.group, spec.names and spec.versions',
    ],
    [
      'a CRD that stores nothing',
      transportMap('core', [{ ...MACHINES, spec: { ...MACHINES.spec, versions: [] } }]),
      'CustomResourceDefinition machines.cluster.x-k8s.io in manifests.yaml needs exactly one storage version',
    ],
  ])('with %s cannot be used', (_what, map, problem) => {
    const read = readTransport(map);
    expect(read).toEqual({ map: 'openshift-cluster-api-operator/core', problem: expect.stringContaining(problem) });
  });
});

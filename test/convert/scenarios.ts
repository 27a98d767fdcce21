import { ignoreNotFound } from '@capstan/meta';
import type { JsonObject, KubeObject } from '@capstan/meta';
import { expect } from 'vitest';
import type { Fixture } from '../runtime/fixture.js';
import type { Converter } from './converter.js';
import { DEFINITIONS, startConverter } from './converter.js';
import { everyKind } from './every-kind.js';
import { eventually } from '../src/wait.js';

const GROUP = 'cluster.x-k8s.io';
const resource = (version: string, plural = 'machines') => ({ group: GROUP, version, plural, namespaced: true });
const V1BETA1 = resource('v1beta1');
const V1BETA2 = resource('v1beta2');
const CONVERSION_DATA = 'cluster.x-k8s.io/conversion-data';

/** A kind of infrastructure, of which only the contract labels matter. */
function infrastructure(group: string, versions: string): KubeObject {
  const schema = { openAPIV3Schema: { type: 'object' } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `boxes.${group}`, labels: { 'cluster.x-k8s.io/v1beta2': versions } },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'boxes', singular: 'box', kind: 'Box', listKind: 'BoxList' },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
}

/** The same spec as either version has it. */
function specs(infraGroup: string, namespace: string): { old: JsonObject; new: JsonObject } {
  const common = { clusterName: 'c', bootstrap: { dataSecretName: 's' } };
  return {
    old: {
      ...common,
      infrastructureRef: { apiVersion: `${infraGroup}/v1beta7`, kind: 'Box', name: 'b', namespace },
      nodeDrainTimeout: '1m30s',
    },
    new: {
      ...common,
      infrastructureRef: { apiGroup: infraGroup, kind: 'Box', name: 'b' },
      deletion: { nodeDrainTimeoutSeconds: 90 },
    },
  };
}

function machine(version: string, name: string, namespace: string, spec: JsonObject): KubeObject {
  return { apiVersion: `${GROUP}/${version}`, kind: 'Machine', metadata: { name, namespace }, spec };
}

/** Creates in the old version what the server may not yet serve, or still stores without asking our converter. */
function createConverted(
  { client }: Fixture,
  plural: string,
  object: KubeObject,
  converter: Converter,
): Promise<KubeObject> {
  const { name = '', namespace } = object.metadata;
  return eventually(`${plural} are served and converted`, async () => {
    const before = converter.conversionsOf(object.kind);
    const created = await client.create(resource('v1beta1', plural), object).catch(ignoreNotFound);
    if (created === undefined || converter.conversionsOf(object.kind) > before) return created;
    await client.delete(resource('v1beta2', plural), name, { namespace });
    return undefined;
  });
}

async function describeBothVersions(fixture: Fixture, infraGroup: string, converter: Converter): Promise<void> {
  const { client, namespace } = fixture;
  const spec = specs(infraGroup, namespace);
  await createConverted(fixture, 'machines', machine('v1beta1', 'old', namespace, spec.old), converter);
  await client.create(V1BETA2, machine('v1beta2', 'new', namespace, { ...spec.new, minReadySeconds: 7 }));
  for (const name of ['old', 'new']) {
    expect((await client.get(V1BETA1, name, { namespace }))['spec']).toEqual(spec.old);
  }
  const listed = await client.list(V1BETA2, { namespace });
  expect(listed.items.map((item) => [item.metadata.name, item['spec']])).toEqual([
    ['new', { ...spec.new, minReadySeconds: 7 }],
    ['old', spec.new],
  ]);
}

/** What the old version cannot hold outlives a write in it. */
async function describeWhatIsKept(fixture: Fixture): Promise<void> {
  const { client, namespace } = fixture;
  const value = { metadata: { labels: { seen: 'yes' } }, spec: { nodeDrainTimeout: '2m0s' } };
  const patched = await client.patch(V1BETA1, 'new', { type: 'merge', value }, { namespace });
  expect(Object.keys(patched.metadata.annotations ?? {})).toEqual([CONVERSION_DATA]);
  const after = await client.get(V1BETA2, 'new', { namespace });
  expect(after.metadata.labels).toEqual({ seen: 'yes' });
  expect(after.metadata.annotations ?? {}).toEqual({});
  expect(after['spec']).toMatchObject({ minReadySeconds: 7, deletion: { nodeDrainTimeoutSeconds: 120 } });
}

/** A client that applies in the old version owns the fields by their old names. */
async function describeApplying(fixture: Fixture, infraGroup: string): Promise<void> {
  const { client, namespace } = fixture;
  const { old } = specs(infraGroup, namespace);
  const apply = (spec: JsonObject, force: boolean): Promise<KubeObject> => {
    const value = machine('v1beta1', 'applied', namespace, spec);
    return client.patch(V1BETA1, 'applied', { type: 'apply', value }, { namespace, fieldManager: 'me', force });
  };
  await apply({ ...old, version: 'v1.30.0' }, false);
  await apply(old, false);
  const after = await client.get(V1BETA2, 'applied', { namespace });
  expect(after['spec']).toEqual(specs(infraGroup, namespace).new);
}

/** What is written in the old version is valid in the new one, and the same after a write in that. */
async function describeEveryKind(fixture: Fixture, infraGroup: string, converter: Converter): Promise<void> {
  const { client, namespace } = fixture;
  for (const [plural, object] of Object.entries(everyKind(namespace, infraGroup))) {
    const [older, newer] = [resource('v1beta1', plural), resource('v1beta2', plural)];
    const { spec } = await createConverted(fixture, plural, object, converter);
    expect(spec).toMatchObject(object['spec'] as JsonObject);
    const value = { metadata: { labels: { seen: 'yes' } } };
    await client.patch(newer, 'every', { type: 'merge', value }, { namespace });
    expect((await client.get(older, 'every', { namespace }))['spec']).toEqual(spec);
    await client.delete(newer, 'every', { namespace });
  }
}

/** The version of a reference is the newest of the contract, also when the contract changes. */
async function describeContracts(fixture: Fixture, infraGroup: string): Promise<void> {
  const { client, namespace } = fixture;
  const value = { metadata: { labels: { 'cluster.x-k8s.io/v1beta2': 'v1beta7_v1' } } };
  await client.patch(DEFINITIONS, `boxes.${infraGroup}`, { type: 'merge', value });
  await eventually('references have the new version', async () => {
    const { spec } = (await client.get(V1BETA1, 'old', { namespace })) as KubeObject & {
      spec: { infrastructureRef: { apiVersion: string } };
    };
    return spec.infrastructureRef.apiVersion === `${infraGroup}/v1` ? true : undefined;
  });
}

async function describeUnknown(fixture: Fixture, infraGroup: string): Promise<void> {
  const { client, namespace } = fixture;
  const spec = {
    ...specs(infraGroup, namespace).new,
    infrastructureRef: { apiGroup: 'no.such', kind: 'Box', name: 'b' },
  };
  await client.create(V1BETA2, machine('v1beta2', 'lost', namespace, spec));
  const message =
    'conversion webhook for cluster.x-k8s.io/v1beta2, Kind=Machine failed: ' +
    `cannot convert Machine ${namespace}/lost to cluster.x-k8s.io/v1beta1: spec.infrastructureRef.apiGroup: ` +
    'failed to convert object: no version of kind "Box" in group "no.such" is known';
  await expect(client.get(V1BETA1, 'lost', { namespace })).rejects.toMatchObject({ status: { code: 500, message } });
  await client.delete(V1BETA2, 'lost', { namespace });
}

/**
 * A server that stores v1beta2 serves v1beta1 through our converter. The CRDs of the core kinds must be there;
 * their conversion is configured, and left so.
 */
export async function describeClusterApi(fixture: Fixture): Promise<void> {
  const { client, namespace, transport } = fixture;
  const infraGroup = `${namespace}.example.com`;
  const converter = await startConverter(transport);
  try {
    await client.create(DEFINITIONS, infrastructure(infraGroup, 'v1alpha1_v1beta7'));
    const value = { spec: { conversion: converter.conversion } };
    for (const plural of Object.keys(everyKind(namespace, infraGroup))) {
      await client.patch(DEFINITIONS, `${plural}.${GROUP}`, { type: 'merge', value });
    }
    await describeBothVersions(fixture, infraGroup, converter);
    await describeWhatIsKept(fixture);
    await describeEveryKind(fixture, infraGroup, converter);
    await describeApplying(fixture, infraGroup);
    await describeContracts(fixture, infraGroup);
    await describeUnknown(fixture, infraGroup);
    expect(converter.warnings).toEqual([]);
  } finally {
    await client.deleteCollection(V1BETA2, { namespace }).catch(() => {});
    await client.delete(DEFINITIONS, `boxes.${infraGroup}`).catch(() => {});
    await converter.stop();
  }
}

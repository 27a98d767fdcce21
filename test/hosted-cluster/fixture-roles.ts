import { CLUSTERS, CONTROL_PLANE_COMPONENTS, HOSTED_CONTROL_PLANES, NODE_POOLS } from '@capstan/hosting';
import { HARBOUR_CLUSTERS, HARBOUR_MACHINES } from '@capstan/provider/testing';
import type { ResourceKind } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { INSIDE, NAMESPACES } from './objects.js';
import type { Fixture } from './fixture.js';

const ALL_INSIDE: readonly ResourceKind[] = [
  ...INSIDE,
  HOSTED_CONTROL_PLANES,
  CONTROL_PLANE_COMPONENTS,
  CLUSTERS,
  HARBOUR_CLUSTERS,
  HARBOUR_MACHINES,
];

function isGoing(object: KubeObject | undefined): object is KubeObject {
  return (object?.metadata.deletionTimestamp ?? undefined) !== undefined;
}

/** Takes the finalizers off an object that goes. */
async function letGo({ client }: Fixture, kind: ResourceKind, { metadata }: KubeObject): Promise<void> {
  const value = { metadata: { finalizers: null } };
  await client.patch(kind, metadata.name ?? '', { type: 'merge', value }, { namespace: metadata.namespace });
}

/** Keeps an object until the role that deletes it has done its part. */
export async function hold(fixture: Fixture, kind: ResourceKind, name: string, namespace: string): Promise<void> {
  const value = { metadata: { finalizers: ['example.com/hold'] } };
  await fixture.client.patch(kind, name, { type: 'merge', value }, { namespace });
}

/** One step of the other controllers in a deletion: which one, or undefined when there is nothing to do. */
export async function finishOneDeletion(fixture: Fixture): Promise<string | undefined> {
  return (
    (await pools(fixture)) ??
    (await clusterApi(fixture)) ??
    (await controlPlane(fixture)) ??
    (await namespaces(fixture))
  );
}

async function pools(fixture: Fixture): Promise<string | undefined> {
  const { items } = await fixture.client.list(NODE_POOLS, { namespace: fixture.namespace });
  const going = items.find(isGoing);
  if (going === undefined) return undefined;
  await letGo(fixture, NODE_POOLS, going);
  return `the pool ${going.metadata.name ?? ''} is gone`;
}

/** Cluster API takes the control plane and the infrastructure along. */
async function clusterApi(fixture: Fixture): Promise<string | undefined> {
  const { client, controlPlaneNamespace: namespace } = fixture;
  const going = (await client.list(CLUSTERS, { namespace })).items.find(isGoing);
  if (going === undefined) return undefined;
  const { items } = await client.list(HARBOUR_CLUSTERS, { namespace });
  for (const { metadata } of items) await client.delete(HARBOUR_CLUSTERS, metadata.name ?? '', { namespace });
  await letGo(fixture, CLUSTERS, going);
  return `the Cluster ${going.metadata.name ?? ''} is gone`;
}

async function controlPlane(fixture: Fixture): Promise<string | undefined> {
  const { client, controlPlaneNamespace: namespace } = fixture;
  const going = (await client.list(HOSTED_CONTROL_PLANES, { namespace })).items.find(isGoing);
  if (going === undefined) return undefined;
  await letGo(fixture, HOSTED_CONTROL_PLANES, going);
  return `the control plane ${going.metadata.name ?? ''} is gone`;
}

/** Kubernetes empties a namespace; what holds on to its life, holds the namespace. */
async function namespaces(fixture: Fixture): Promise<string | undefined> {
  const { client, controlPlaneNamespace: name } = fixture;
  const going = await fixture.find(NAMESPACES, name);
  if (!isGoing(going)) return undefined;
  for (const kind of ALL_INSIDE) {
    for (const { metadata } of (await client.list(kind, { namespace: name })).items)
      await client.delete(kind, metadata.name ?? '', { namespace: name });
    const left = (await client.list(kind, { namespace: name })).items[0];
    if (left !== undefined) return `${left.kind} ${left.metadata.name ?? ''} holds the namespace`;
  }
  await client.update(NAMESPACES, { ...going, spec: { finalizers: [] } }, { subresource: 'finalize' });
  return `the namespace ${name} is gone`;
}

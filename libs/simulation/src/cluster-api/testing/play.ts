import { Client } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { coreResource, isTrue } from '@capstan/upstream/cluster-api';
import type { CoreKind, Machine } from '@capstan/upstream/cluster-api';
import { GUEST_CONTROLLERS } from '../../guests/guest-cluster.js';
import { CLUSTER, clusterObjects, configTemplate, machineSpec, machineTemplate, NAMESPACE } from './objects.js';
import type { Fixture } from './fixture.js';

/** What tests do with a fixture. */

export const AT_HOME = { namespace: NAMESPACE };

/** Starts a fixture with a cluster, templates and further objects. */
export async function begin(here: Fixture, more: readonly KubeObject[]): Promise<void> {
  await here.start();
  for (const object of [...clusterObjects(), machineTemplate('small'), configTemplate('workers'), ...more])
    await here.act(create(here.client, object));
}

/** Writes an object of any kind that lives in a namespace. */
export function create(client: Client, object: KubeObject): Promise<KubeObject> {
  const [version = '', group = ''] = object.apiVersion.split('/').toReversed();
  const plural = `${object.kind.toLowerCase()}s`;
  return client.create({ group, version, plural, namespaced: true }, object);
}

export async function list<T extends KubeObject>(here: Fixture, kind: CoreKind): Promise<readonly T[]> {
  return (await here.client.list<T>(coreResource(kind, 'v1beta2'), AT_HOME)).items;
}

/** Changes a core object as a user would. */
export function patch(here: Fixture, kind: CoreKind, name: string, value: object): Promise<KubeObject> {
  return here.act(here.client.patch(coreResource(kind, 'v1beta2'), name, { type: 'merge', value }, AT_HOME));
}

/** Waits until there are so many machines, all available. */
export async function ready(here: Fixture, count: number): Promise<readonly Machine[]> {
  await here.until(`${count} machines are available`, async () => {
    const machines = await list<Machine>(here, 'Machine');
    return machines.length === count && machines.every((machine) => isTrue(machine, 'Available'));
  });
  return here.act(list<Machine>(here, 'Machine'));
}

/** A client of the cluster of the fixture. */
export function guestClient(here: Fixture): Client {
  const { clock, random } = here;
  return new Client(here.guest(NAMESPACE, CLUSTER).server, { clock, random, user: GUEST_CONTROLLERS });
}

/** A set that belongs to no deployment. */
export function standaloneSet(replicas: number): KubeObject {
  const labels = { pool: 'infra', 'cluster.x-k8s.io/cluster-name': CLUSTER };
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachineSet',
    metadata: { name: 'infra', namespace: NAMESPACE },
    spec: {
      clusterName: CLUSTER,
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: machineSpec('small') },
    },
  };
}

import { ApiServer } from '@capstan/apiserver';
import { Client, systemRandom } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { Cloud, machineApprover, openDefinition } from '@capstan/upstream';
import { expect, it } from 'vitest';
import { Timeline } from '../engine/timeline.js';
import { Fleet } from './fleet.js';
import { GUEST_CONTROLLERS, nodeBindings } from './guest-cluster.js';
import { KnownServers } from './known-servers.js';
import { certificateControllers } from './signer.js';
import { StandaloneCluster } from './standalone-cluster.js';

const cluster = (
  group: string,
  plural: string,
): { group: string; version: string; plural: string; namespaced: false } => ({
  group,
  version: 'v1',
  plural,
  namespaced: false,
});
const NODES = cluster('', 'nodes');
const MACHINES = { group: 'machine.openshift.io', version: 'v1beta1', plural: 'machines', namespaced: true };
const HOME = 'openshift-machine-api';

it('an instance of a standalone cluster joins that cluster once its Machine is known', async () => {
  const random = systemRandom('standalone');
  const timeline = new Timeline(random.split('order'));
  const clock = timeline.clock();
  const server = new ApiServer({ clock, random: random.split('server'), authorization: 'rbac' });
  const client = new Client(server, { clock, random: random.split('client') });
  await client.create(
    cluster('apiextensions.k8s.io', 'customresourcedefinitions'),
    openDefinition('machine.openshift.io', 'Machine', ['v1beta1']),
  );
  for (const binding of nodeBindings())
    await client.create(cluster('rbac.authorization.k8s.io', 'clusterrolebindings'), binding);
  await client.create(cluster('', 'namespaces'), { apiVersion: 'v1', kind: 'Namespace', metadata: { name: HOME } });

  const url = 'https://api-int.example.com:6443';
  const door = new StandaloneCluster({ server, clock, random: random.split('door'), url, isSimulated: true });
  const known = new KnownServers(clock);
  known.add(url, door);
  const cloud = new Cloud({ clock, random: random.split('cloud') });
  const fleet = new Fleet({
    cloud,
    clock,
    random: random.split('fleet'),
    connect: (connection) => known.transport(connection),
    isSimulated: true,
  });
  const stop = new AbortController();
  const shared = { transport: server, clock, client: { user: GUEST_CONTROLLERS } };
  void certificateControllers({ ...shared, random: random.split('signer'), ca: door.ca }).run(stop.signal);
  void machineApprover({ ...shared, random: random.split('approver'), machineNamespace: HOME }).run(stop.signal);

  const instance = cloud.create('machine-api', {
    platform: 'aws',
    token: 't',
    name: 'worker-0',
    type: 'm5.large',
    image: 'ami-1',
    region: 'us-east-1',
    zone: 'us-east-1a',
    tags: {},
    userData: door.userData(),
  });
  const machine = {
    apiVersion: 'machine.openshift.io/v1beta1',
    kind: 'Machine',
    metadata: { name: 'worker-0', namespace: HOME },
    spec: { providerID: instance.providerId },
  };
  await client.create<KubeObject>(MACHINES, machine);
  await timeline.runUntil(120_000);
  expect((await client.list(NODES)).items).toEqual([]);

  const value = { status: { addresses: instance.addresses } };
  const status = { namespace: HOME, subresource: 'status' } as const;
  await client.patch(MACHINES, 'worker-0', { type: 'merge', value }, status);
  await timeline.runUntil(180_000);
  const nodes = (await client.list<KubeObject & { spec: { providerID: string } }>(NODES)).items;
  expect(nodes.map(({ metadata, spec }) => [metadata.name, spec.providerID])).toEqual([
    [instance.hostname, instance.providerId],
  ]);
  fleet.stop();
  stop.abort();
  await timeline.runUntil(300_000);
});

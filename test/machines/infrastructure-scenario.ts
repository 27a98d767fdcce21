import { Client, systemClock, systemRandom } from '@capstan/kube';
import type { ResourceRef } from '@capstan/kube';
import { isNotFound } from '@capstan/meta';
import type { KubeObject, Transport } from '@capstan/meta';
import {
  clockCarry,
  Cloud,
  cloudClient,
  infrastructureDefinitions,
  infrastructureProvider,
  openDefinition,
  PLATFORMS,
} from '@capstan/upstream';
import { expect } from 'vitest';
import { eventually } from '../src/wait.js';

const CORE = 'cluster.x-k8s.io';
const ROW = PLATFORMS.openstack;
const NAMESPACE = 'default';
const TIMEOUT_MS = 60_000;
const LABELS = { 'cluster.x-k8s.io/cluster-name': 'one' };
/** A cloud for people without time. */
const TIMINGS = { boot: [50, 150], stop: [10, 20], terminate: [20, 80], consistency: [0, 20] } as const;

const custom = (group: string, version: string, plural: string): ResourceRef => ({
  group,
  version,
  plural,
  namespaced: true,
});
const CRDS = { ...custom('apiextensions.k8s.io', 'v1', 'customresourcedefinitions'), namespaced: false };
const SECRETS = custom('', 'v1', 'secrets');
const CLUSTERS = custom(CORE, 'v1beta2', 'clusters');
const MACHINES = custom(CORE, 'v1beta2', 'machines');
const INFRA_CLUSTERS = custom(ROW.group, ROW.version, 'openstackclusters');
const INFRA_MACHINES = custom(ROW.group, ROW.version, 'openstackmachines');

interface Infra extends KubeObject {
  readonly spec?: { readonly providerID?: string; readonly controlPlaneEndpoint?: unknown };
  readonly status?: { readonly ready?: boolean; readonly addresses?: readonly unknown[] };
}

const LIMITS = { limitMs: TIMEOUT_MS, everyMs: 100 };

const isGone = (reading: Promise<unknown>): Promise<boolean> =>
  reading.then(
    () => false,
    (error: unknown) => {
      if (isNotFound(error)) return true;
      throw error;
    },
  );

/** One object of Cluster API or of the provider, owned by another where one is given. */
function object(apiVersion: string, kind: string, spec: object, owner?: KubeObject): KubeObject {
  const { name = '', uid = '' } = owner?.metadata ?? {};
  const ownerReferences =
    owner === undefined ? [] : [{ apiVersion: owner.apiVersion, kind: owner.kind, name, uid, controller: true }];
  return { apiVersion, kind, metadata: { name: 'one', namespace: NAMESPACE, labels: LABELS, ownerReferences }, spec };
}

/** A machine becomes an instance and is deleted again, on any server. */
export async function describeInfrastructure(transport: Transport): Promise<void> {
  const [clock, random] = [systemClock(), systemRandom()];
  const client = new Client(transport);
  const versions = ['v1beta2', 'v1beta1'];
  const definitions = [
    openDefinition(CORE, 'Cluster', versions),
    openDefinition(CORE, 'Machine', versions),
    ...infrastructureDefinitions(ROW),
  ];
  for (const definition of definitions) await client.create(CRDS, definition);
  for (const resource of [CLUSTERS, MACHINES, INFRA_CLUSTERS, INFRA_MACHINES])
    await eventually(`${resource.plural} are served`, async () => !(await isGone(client.list(resource))), LIMITS);

  const cloud = new Cloud({ clock, random, timings: TIMINGS });
  const stop = new AbortController();
  const endpoint = { host: 'api.example.com', port: 6443 };
  const provider = infrastructureProvider({
    transport,
    platform: 'openstack',
    cloud: cloudClient(cloud, 'provider', clockCarry(clock, random)),
    endpointOf: () => endpoint,
    intervals: { soonMs: 100, bootingMs: 100 },
  });
  const running = provider.run(stop.signal);
  try {
    const infra = `${ROW.group}/${ROW.version}`;
    const core = `${CORE}/v1beta2`;
    const ref = (kind: string): object => ({ infrastructureRef: { apiGroup: ROW.group, kind, name: 'one' } });
    const cluster = await client.create(CLUSTERS, object(core, 'Cluster', ref('OpenStackCluster')));
    await client.create(INFRA_CLUSTERS, object(infra, 'OpenStackCluster', {}, cluster));
    const infraCluster = (): Promise<Infra> => client.get<Infra>(INFRA_CLUSTERS, 'one', { namespace: NAMESPACE });
    await eventually(
      'the infrastructure cluster is ready',
      async () => (await infraCluster()).status?.ready === true,
      LIMITS,
    );
    expect((await infraCluster()).spec?.controlPlaneEndpoint).toEqual(endpoint);
    const ready = {
      type: 'merge',
      value: { status: { initialization: { infrastructureProvisioned: true } } },
    } as const;
    await client.patch(CLUSTERS, 'one', ready, { namespace: NAMESPACE, subresource: 'status' });

    const data = { value: Buffer.from('{}').toString('base64') };
    await client.create(SECRETS, { ...object('v1', 'Secret', {}), data, spec: undefined } as KubeObject);
    const spec = { clusterName: 'one', bootstrap: { dataSecretName: 'one' }, ...ref('OpenStackMachine') };
    const machine = await client.create(MACHINES, object(core, 'Machine', spec));
    await client.create(INFRA_MACHINES, object(infra, 'OpenStackMachine', { flavor: 'm1.small' }, machine));
    const infraMachine = (): Promise<Infra> => client.get<Infra>(INFRA_MACHINES, 'one', { namespace: NAMESPACE });
    await eventually('the machine is ready', async () => (await infraMachine()).status?.ready === true, LIMITS);
    const [instance] = cloud.instances;
    const made = await infraMachine();
    expect([made.spec?.providerID, made.status?.addresses]).toEqual([instance?.providerId, instance?.addresses]);
    expect([instance?.type, made.metadata.finalizers]).toEqual(['m1.small', [ROW.machineFinalizer]]);

    await client.delete(INFRA_MACHINES, 'one', { namespace: NAMESPACE });
    await eventually('the machine is gone', () => isGone(infraMachine()), LIMITS);
    expect(cloud.instances.map(({ state }) => state)).toEqual(['terminated']);
    await client.delete(INFRA_CLUSTERS, 'one', { namespace: NAMESPACE });
    await eventually('the infrastructure cluster is gone', () => isGone(infraCluster()), LIMITS);
  } finally {
    stop.abort();
    await running;
  }
}

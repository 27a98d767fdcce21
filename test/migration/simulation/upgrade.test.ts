import type { HostedCluster } from '@capstan/api/hypershift';
import {
  annotated,
  conditionsOf,
  controlPlaneNamespace,
  HOSTED_CLUSTERS,
  lockOf,
  MACHINES,
  MIGRATION_FAILED_ANNOTATION,
  MIGRATION_IN_PROGRESS_ANNOTATION,
  NODE_POOLS,
  PRIVATE_CAPI_TYPES_ANNOTATION,
  SCOPE_ANNOTATION,
} from '@capstan/hosting';
import { patchFrom } from '@capstan/kube';
import { getCondition, ignoreNotFound, isConditionTrue } from '@capstan/meta';
import type { Condition, KubeObject } from '@capstan/meta';
import { HostingPlatforms } from '@capstan/provider';
import { testPlatform } from '@capstan/provider/testing';
import { OPERATOR_NAMESPACE, stateOf } from '@capstan/simulation';
import type { SimulationEvent } from '@capstan/simulation';
import {
  CLUSTER_API_MAPPING,
  clusterObjects,
  HOME,
  hostedSimulation,
  LEGACY_OPERATOR,
  poolObject,
  PRIVATE_OPERATOR,
  privateSnapshot,
} from '@capstan/tools/hosting';
import { GuestProbe } from '@capstan/tools/migration';
import { isLiving } from '@capstan/upstream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const TEST_MS = 600_000;
const AT_HOME = { namespace: HOME };
const DEPLOYMENTS = { group: 'apps', version: 'v1', plural: 'deployments', namespaced: true };
const BEFORE = 'operator-before';
const LEGACY = LEGACY_OPERATOR.name ?? '';
const platform = testPlatform();
const platforms = new HostingPlatforms([platform]);

/** How many machines each of these has when all is done. */
const MIGRATED: Readonly<Record<string, number>> = {
  healthy: 1,
  second: 1,
  third: 1,
  fourth: 1,
  growing: 2,
  repaired: 1,
  degraded: 1,
};
const WAITING = ['paused', 'deleted', 'locked', 'failed', 'of-a-shard'];
const ALL = [...Object.keys(MIGRATED), ...WAITING];

/** HostedClusters that were locked by a migration at some moment, in their order; and how many at most at one. */
class LockWatch {
  readonly order: string[] = [];
  most = 0;
  readonly #locked = new Set<string>();

  readonly onEvent = (event: SimulationEvent): void => {
    if (event.type !== 'commit' || event.object.kind !== HOSTED_CLUSTERS.kind) return;
    const isLocked = event.change !== 'delete' && lockOf(event.object).holder === 'migration';
    if (!isLocked) this.#locked.delete(event.name);
    else if (!this.#locked.has(event.name)) {
      this.#locked.add(event.name);
      this.order.push(event.name);
    }
    this.most = Math.max(this.most, this.#locked.size);
  };
}

const locks = new LockWatch();
const simulated = await hostedSimulation(platforms, {
  snapshot: await privateSnapshot(platforms),
  instances: [{ name: BEFORE }],
  onEvent: locks.onEvent,
});
const { client, cloud, simulation, until } = simulated;
const [image = ''] = simulated.images;
const probes = ['healthy', 'growing', 'degraded', 'paused', 'failed'].map(
  (name) => new GuestProbe(simulated.guests, controlPlaneNamespace(HOME, name)),
);

const clusterOf = (name: string): Promise<HostedCluster> => client.get<HostedCluster>(HOSTED_CLUSTERS, name, AT_HOME);

async function annotate(name: string, changes: Readonly<Record<string, string | undefined>>): Promise<void> {
  const before = await clusterOf(name);
  await patchFrom(client, HOSTED_CLUSTERS, { before, after: annotated(before, changes) }, { optimisticLock: true });
}

async function merge(name: string, value: object): Promise<void> {
  await client.patch(HOSTED_CLUSTERS, name, { type: 'merge', value }, AT_HOME);
}

async function stateOfCluster(name: string): Promise<string> {
  const { annotations = {} } = (await clusterOf(name)).metadata;
  if (annotations[MIGRATION_IN_PROGRESS_ANNOTATION] !== undefined) return 'locked';
  const failed = annotations[MIGRATION_FAILED_ANNOTATION];
  if (failed !== undefined) return `failed: ${failed}`;
  return annotations[PRIVATE_CAPI_TYPES_ANNOTATION] === 'true' ? 'private' : (annotations[SCOPE_ANNOTATION] ?? 'none');
}

/** Machines of a cluster in the groups of one side. */
async function machinesOf(name: string, side: 'private' | 'standard'): Promise<readonly KubeObject[]> {
  const group = side === 'standard' ? MACHINES.group : CLUSTER_API_MAPPING.swap(MACHINES.group);
  return (await client.list({ ...MACHINES, group }, { namespace: controlPlaneNamespace(HOME, name) })).items;
}

async function ready(name: string, count: number): Promise<string | undefined> {
  if (!isConditionTrue(conditionsOf(await clusterOf(name)), 'Available')) return `${name} is not available`;
  const machines = [...(await machinesOf(name, 'standard')), ...(await machinesOf(name, 'private'))];
  const up = machines.filter(({ status }) => (status as { nodeRef?: object } | undefined)?.nodeRef !== undefined);
  return machines.length === count && up.length === count ? undefined : `${name} has ${up.length} nodes`;
}

/** A component that reads Cluster API has been deleted, and its new pods are refused. */
async function degrade(name: string, component: string): Promise<void> {
  const namespace = controlPlaneNamespace(HOME, name);
  simulated.refusals.set(`${namespace}/${component}`, 'no quota');
  await client.delete(DEPLOYMENTS, component, { namespace });
  await until(`${component} of ${name} is refused its pods`, async () => {
    const found = await client.get(DEPLOYMENTS, component, { namespace }).catch(ignoreNotFound);
    return refusalOf(found) === 'no quota' ? undefined : 'not yet';
  });
}

function refusalOf(deployment: KubeObject | undefined): string | undefined {
  const status = deployment?.['status'] as { readonly conditions?: readonly Condition[] } | undefined;
  return getCondition(status?.conditions, 'ReplicaFailure')?.message;
}

function namedInstances(): readonly string[] {
  const state = stateOf(simulation);
  return [MACHINES.group, CLUSTER_API_MAPPING.swap(MACHINES.group)]
    .flatMap((group) => state.of(`${group}/machines`))
    .map(({ spec }) => (spec as { readonly providerID?: string }).providerID ?? '')
    .toSorted();
}

function livingInstances(): readonly string[] {
  const living = cloud.instances.filter(isLiving);
  return living.map(({ providerId }) => providerId).toSorted();
}

/** Those that lived before the upgrade. */
const before = new Set<string>();

beforeAll(async () => {
  for (const name of ALL) {
    const pool = poolObject(platform, { name: `${name}-pool`, cluster: name, image }, { replicas: 1 });
    await simulated.apply([...clusterObjects(platform, name, image), pool]);
  }
  for (const name of ALL) await until(`${name} is up`, () => ready(name, 1));
  for (const id of livingInstances()) before.add(id);
  const labels = { app: LEGACY };
  const template = { metadata: { labels }, spec: { containers: [{ name: LEGACY, image: 'i' }] } };
  const legacy: unknown = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: LEGACY, namespace: OPERATOR_NAMESPACE },
    spec: { replicas: 1, selector: { matchLabels: labels }, template },
  };
  await simulated.apply([legacy as KubeObject]);
  for (const probe of probes) simulation.spawn(probe.process());
}, TEST_MS);
afterAll(() => simulation.end());

describe('An upgrade of twelve hosted clusters in various states', () => {
  it(
    'migrates those that can be, one after another, and leaves the others to their operators',
    async () => {
      simulation.stop(BEFORE);
      await client.patch(NODE_POOLS, 'growing-pool', { type: 'merge', value: { spec: { replicas: 2 } } }, AT_HOME);
      cloud.lose(cloud.instances.find(({ name }) => name.startsWith('repaired-pool'))?.id ?? '');
      await degrade('degraded', 'machine-approver');
      await merge('paused', { spec: { pausedUntil: 'true' } });
      await annotate('locked', { [MIGRATION_IN_PROGRESS_ANNOTATION]: 'true' });
      await annotate('failed', { [SCOPE_ANNOTATION]: 'legacy', [MIGRATION_FAILED_ANNOTATION]: 'deployment-timeout' });
      await annotate('of-a-shard', { [SCOPE_ANNOTATION]: 'shard-1' });
      await merge('deleted', { metadata: { finalizers: ['test/held'] } });
      await client.delete(HOSTED_CLUSTERS, 'deleted', AT_HOME);
      simulated.startOperator(LEGACY_OPERATOR);
      simulated.startOperator(PRIVATE_OPERATOR);
      for (const name of Object.keys(MIGRATED))
        await until(`${name} is migrated`, async () => {
          const state = await stateOfCluster(name);
          return state === 'private' ? undefined : state;
        });
      expect(await Promise.all(WAITING.map(stateOfCluster))).toEqual([
        'legacy',
        'legacy',
        'locked',
        'failed: deployment-timeout',
        'shard-1',
      ]);
    },
    TEST_MS,
  );

  it('never holds two locks at once', () => {
    expect(locks.order.toSorted()).toEqual(Object.keys(MIGRATED).toSorted());
    expect(locks.most).toBe(1);
  });

  it(
    'finishes what was under way, and keeps the machines of all',
    async () => {
      for (const [name, count] of Object.entries(MIGRATED)) {
        await until(`${name} has its machines`, () => ready(name, count));
        expect(await machinesOf(name, 'standard')).toEqual([]);
      }
      for (const name of ['paused', 'locked', 'failed', 'of-a-shard']) {
        expect(await machinesOf(name, 'standard')).toHaveLength(1);
        expect(await machinesOf(name, 'private')).toEqual([]);
      }
      // A machine whose instance is gone is replaced after a while.
      await until('each living instance has a Machine, and each Machine one', async () => {
        const [living, named] = [livingInstances(), namedInstances()];
        return living.join() === named.join() ? undefined : `${living.join(', ')} live; named are ${named.join(', ')}`;
      });
      expect(livingInstances().filter((id) => before.has(id))).toHaveLength(before.size - 1);
    },
    TEST_MS,
  );

  it(
    'leaves a cluster whose migration has failed to the legacy operator, which goes on with it',
    async () => {
      await client.patch(NODE_POOLS, 'failed-pool', { type: 'merge', value: { spec: { replicas: 2 } } }, AT_HOME);
      await until('failed has another machine', () => ready('failed', 2));
      expect(await machinesOf('failed', 'standard')).toHaveLength(2);
    },
    TEST_MS,
  );

  it('keeps the degraded state of a cluster that was degraded before', async () => {
    const namespace = controlPlaneNamespace(HOME, 'degraded');
    expect(refusalOf(await client.get(DEPLOYMENTS, 'machine-approver', { namespace }))).toBe('no quota');
  });

  it(
    'goes on with those that waited, once nothing keeps them, and then needs no legacy operator',
    async () => {
      await client.get(DEPLOYMENTS, LEGACY, { namespace: OPERATOR_NAMESPACE });
      await merge('paused', { spec: { pausedUntil: null } });
      await annotate('locked', { [MIGRATION_IN_PROGRESS_ANNOTATION]: undefined });
      await annotate('failed', { [MIGRATION_FAILED_ANNOTATION]: undefined });
      await merge('deleted', { metadata: { finalizers: null } });
      for (const name of ['paused', 'locked', 'failed'])
        await until(`${name} is migrated`, async () => {
          const state = await stateOfCluster(name);
          return state === 'private' ? undefined : state;
        });
      await until('the deleted cluster is gone', async () => {
        const { items } = await client.list(HOSTED_CLUSTERS, AT_HOME);
        return items.find(({ metadata }) => metadata.name === 'deleted')?.metadata.name;
      });
      await until('the legacy operator is deleted', async () => {
        const { items } = await client.list(DEPLOYMENTS, { namespace: OPERATOR_NAMESPACE });
        return items.find(({ metadata }) => metadata.name === LEGACY)?.metadata.name;
      });
      expect(locks.most).toBe(1);
    },
    TEST_MS,
  );

  it('is not noticed by the users of the clusters', () => {
    for (const probe of probes) {
      expect(probe.requests).toBeGreaterThan(0);
      expect([probe.failures, [...probe.lostNodes]]).toEqual([[], []]);
    }
  });
});

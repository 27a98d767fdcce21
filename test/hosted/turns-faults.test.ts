import type { StoreSnapshot } from '@capstan/apiserver';
import {
  acknowledgedLock,
  conditionsOf,
  FLEET_CONFIG_MAP,
  HELD,
  HOSTED_CLUSTERS,
  HOSTED_CONTROL_PLANES,
  LEGACY_SCOPE,
  lockOf,
  migrationCondition,
  MIGRATION_FAILED_ANNOTATION,
  MIGRATION_IN_PROGRESS_ANNOTATION,
  PRIVATE_CAPI_TYPES_ANNOTATION,
  SCOPE_ANNOTATION,
} from '@capstan/hosting';
import type { HostedCluster } from '@capstan/api/hypershift';
import { Client, systemRandom } from '@capstan/kube';
import { ignoreNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { HostingPlatforms } from '@capstan/provider';
import { testPlatform } from '@capstan/provider/testing';
import { ALL_FAULTS, DrawnFaults, OPERATOR_NAMESPACE } from '@capstan/simulation';
import type { FaultSource } from '@capstan/simulation';
import {
  clusterObjects,
  HOME,
  hostedSimulation,
  LEGACY_OPERATOR,
  poolObject,
  PRIVATE_OPERATOR,
  privateSnapshot,
} from '@capstan/tools/hosting';
import { beforeAll, describe, expect, it } from 'vitest';
import { TurnWatch } from './turn-watch.js';

const TEST_MS = 600_000;
const BEFORE = 'operator-before';
const LEGACY = LEGACY_OPERATOR.name ?? '';
const PRIVATE = 'operator';
const AT_HOME = { namespace: HOME };
const PODS = { group: '', version: 'v1', plural: 'pods', namespaced: true };
const DEPLOYMENTS = { group: 'apps', version: 'v1', plural: 'deployments', namespaced: true };
const FAULTS_MS = 300_000;
const SEEDS = Number(process.env['CAPSTAN_SEEDS'] ?? 1);
const FIRST_SEED = Number(process.env['CAPSTAN_SEED'] ?? 1);
const STRUCK = /^(?:operator|operator-legacy|operator-before)$/;

const platform = testPlatform();
const platforms = new HostingPlatforms([platform]);
let snapshot: StoreSnapshot;
beforeAll(async () => {
  snapshot = await privateSnapshot(platforms);
}, TEST_MS);

/** Faults of operators, while they are on. */
class SomeFaults implements FaultSource {
  isOn = false;
  struck = 0;
  readonly #drawn: DrawnFaults;

  constructor(seed: number) {
    this.#drawn = new DrawnFaults(systemRandom(`faults of turns ${seed}`), { rate: 0.03, kinds: ALL_FAULTS });
  }

  strike: FaultSource['strike'] = (effect, point, likelihood) => {
    if (!this.isOn || !STRUCK.test(effect.process)) return undefined;
    const action = this.#drawn.strike(effect, point, likelihood);
    if (action !== undefined) this.struck += 1;
    return action;
  };
}

type Annotations = Readonly<Record<string, string | null>>;

/** A management cluster whose operator is upgraded under load, and a user of it. */
class Fleet {
  readonly watch = new TurnWatch({
    [BEFORE]: { kind: 'standard' },
    [LEGACY]: { kind: 'legacy' },
    [PRIVATE]: { kind: 'private' },
  });
  readonly hosted: Awaited<ReturnType<typeof hostedSimulation>>;
  readonly faults: SomeFaults;

  private constructor(hosted: Fleet['hosted'], faults: SomeFaults, watch: TurnWatch) {
    this.hosted = hosted;
    this.faults = faults;
    this.watch = watch;
  }

  static async start(seed: number): Promise<Fleet> {
    const faults = new SomeFaults(seed);
    const watch = new TurnWatch({
      [BEFORE]: { kind: 'standard' },
      [LEGACY]: { kind: 'legacy' },
      [PRIVATE]: { kind: 'private' },
    });
    const hosted = await hostedSimulation(platforms, {
      snapshot,
      seed,
      faults,
      faultsUntilMs: Number.MAX_SAFE_INTEGER,
      instances: [{ name: BEFORE }],
      onEvent: watch.onEvent,
    });
    return new Fleet(hosted, faults, watch);
  }

  get client(): Client {
    return this.hosted.client;
  }

  async create(name: string, annotations: Readonly<Record<string, string>> = {}): Promise<void> {
    const [image = ''] = this.hosted.images;
    const objects = clusterObjects(platform, name, image).map((object) =>
      object.kind === HOSTED_CLUSTERS.kind ? { ...object, metadata: { ...object.metadata, annotations } } : object,
    );
    await this.hosted.apply([
      ...objects,
      poolObject(platform, { name: `${name}-pool`, cluster: name, image }, { replicas: 1 }),
    ]);
  }

  async annotate(name: string, annotations: Annotations): Promise<void> {
    await this.client.patch(HOSTED_CLUSTERS, name, { type: 'merge', value: { metadata: { annotations } } }, AT_HOME);
  }

  async cluster(name: string): Promise<HostedCluster> {
    return this.client.get<HostedCluster>(HOSTED_CLUSTERS, name, AT_HOME);
  }

  async available(name: string): Promise<void> {
    await this.condition(name, 'Available', 'True');
  }

  async condition(name: string, type: string, status: string): Promise<void> {
    await this.hosted.until(`${type} of ${name} is ${status}`, async () => {
      const found = conditionsOf(await this.cluster(name))?.find((each) => each.type === type);
      return found?.status === status ? undefined : JSON.stringify(found ?? 'not set');
    });
  }

  /** Waits until annotations are as given; undefined: not there. */
  async annotated(name: string, expected: Readonly<Record<string, string | undefined>>): Promise<void> {
    await this.hosted.until(`${name} is annotated`, async () => {
      const { annotations = {} } = (await this.cluster(name)).metadata;
      const wrong = Object.entries(expected).find(([key, value]) => annotations[key] !== value);
      return wrong === undefined ? undefined : `${wrong[0]} is ${annotations[wrong[0]]}`;
    });
  }

  async scale(name: string, replicas: number): Promise<void> {
    const { hosted } = this;
    await this.client.patch(
      { ...HOSTED_CLUSTERS, plural: 'nodepools' },
      `${name}-pool`,
      { type: 'merge', value: { spec: { replicas } } },
      AT_HOME,
    );
    await hosted.until(`${name} has ${replicas} nodes`, async () => {
      const { items } = await hosted
        .guestClient(`${HOME}-${name}`)
        .list({ group: '', version: 'v1', plural: 'nodes', namespaced: false });
      return items.length === replicas ? undefined : `${items.length} nodes`;
    });
  }

  /** Whether a change of a cluster reaches its control plane within a while. */
  async isReconciled(name: string, withinMs = 120_000): Promise<boolean> {
    const channel = `channel-${Math.round(this.hosted.elapsed)}`;
    await this.client.patch(HOSTED_CLUSTERS, name, { type: 'merge', value: { spec: { channel } } }, AT_HOME);
    const until = this.hosted.elapsed + withinMs;
    for (;;) {
      const plane = await this.client
        .get<KubeObject & { spec?: { channel?: string } }>(HOSTED_CONTROL_PLANES, name, {
          namespace: `${HOME}-${name}`,
        })
        .catch(ignoreNotFound);
      if (plane?.spec?.channel === channel) return true;
      if (this.hosted.elapsed >= until) return false;
      await this.pass(2_000);
    }
  }

  async unlocked(): Promise<void> {
    await this.hosted.until('no cluster is locked', async () => {
      const { items } = await this.client.list<HostedCluster>(HOSTED_CLUSTERS, AT_HOME);
      const locked = items.find((each) => lockOf(each).holder !== 'nobody');
      return locked === undefined ? undefined : `${locked.metadata.name}: ${migrationCondition(locked)?.message}`;
    });
  }

  async pass(ms: number): Promise<void> {
    const { simulation } = this.hosted;
    await simulation.runUntil(simulation.elapsed + ms);
  }

  /** Holds migrations, or releases them. */
  async hold(isHeld: boolean): Promise<void> {
    const order: unknown = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: FLEET_CONFIG_MAP, namespace: OPERATOR_NAMESPACE },
      data: { hold: isHeld ? HELD : '' },
    };
    await this.hosted.apply([order as KubeObject]);
  }

  /** The pod of the operator from before the upgrade. */
  async plantPod(): Promise<void> {
    const pod: unknown = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: BEFORE, namespace: OPERATOR_NAMESPACE, labels: { app: 'operator' } },
      spec: { containers: [{ name: 'operator', image: 'i' }] },
    };
    await this.hosted.apply([pod as KubeObject]);
  }

  async deletePod(): Promise<void> {
    await this.client.delete(PODS, BEFORE, { namespace: OPERATOR_NAMESPACE, gracePeriodSeconds: 0 });
  }
}

const MARKED = { [PRIVATE_CAPI_TYPES_ANNOTATION]: 'true', [SCOPE_ANNOTATION]: undefined };
const STANDARD = { [PRIVATE_CAPI_TYPES_ANNOTATION]: undefined, [SCOPE_ANNOTATION]: LEGACY_SCOPE };
const LOCK = { [MIGRATION_IN_PROGRESS_ANNOTATION]: 'true' };
const UNLOCK = { [MIGRATION_IN_PROGRESS_ANNOTATION]: null };

/** An upgrade of a running operator under load, every row of the table and every transition of the diagram. */
async function upgrade(seed: number): Promise<Fleet> {
  const fleet = await Fleet.start(seed);
  const { faults, hosted, watch } = fleet;
  let isBeforeThere = true;
  watch.isTooEarly = (process) => isBeforeThere && process !== BEFORE;
  await fleet.hold(true);
  await fleet.plantPod();
  for (const name of ['old', 'stays']) await fleet.create(name);
  for (const name of ['old', 'stays']) await fleet.available(name);

  // Both start while the one before them still runs, under load.
  faults.isOn = true;
  hosted.startOperator(LEGACY_OPERATOR);
  hosted.startOperator(PRIVATE_OPERATOR);
  await fleet.create('late');
  await fleet.scale('old', 2);
  await fleet.pass(60_000);
  hosted.simulation.stop(BEFORE);
  isBeforeThere = false;
  await fleet.deletePod();

  // Existing -> Legacy; new -> migrated; of a shard: nothing.
  for (const name of ['young', 'shard'])
    await fleet.create(name, name === 'shard' ? { [SCOPE_ANNOTATION]: 'shard-1' } : {});
  for (const name of ['old', 'stays', 'late']) await fleet.annotated(name, STANDARD);
  await fleet.annotated('young', MARKED);
  await fleet.pass(FAULTS_MS);
  for (const name of ['old', 'late', 'young']) {
    await fleet.available(name);
    expect([name, await fleet.isReconciled(name)]).toEqual([name, true]);
  }

  // Invalid states, on both sides, and a lock of another client.
  await fleet.annotate('young', { [SCOPE_ANNOTATION]: LEGACY_SCOPE });
  await fleet.annotate('late', { [PRIVATE_CAPI_TYPES_ANNOTATION]: 'true' });
  await fleet.annotated('young', MARKED);
  await fleet.annotated('late', STANDARD);
  await fleet.annotate('stays', LOCK);
  await fleet.condition('stays', 'PrivateCAPIMigration', 'False');
  await hosted.until('the lock of another client is acknowledged', async () =>
    acknowledgedLock(conditionsOf(await fleet.cluster('stays'))) === 'foreign' ? undefined : 'it is not',
  );
  expect(await fleet.isReconciled('stays', 30_000)).toBe(false);
  await fleet.annotate('stays', UNLOCK);
  expect(await fleet.isReconciled('stays')).toBe(true);

  // Legacy -> in progress -> migrated; -> failed, under the legacy operator; -> legacy -> migrated.
  await fleet.annotate('late', { [MIGRATION_FAILED_ANNOTATION]: 'by-hand' });
  hosted.refusals.set(`${HOME}-stays/cluster-api`, 'no quota');
  await fleet.hold(false);
  await fleet.annotated('old', MARKED);
  // A crash restarts the wait of a step.
  faults.isOn = false;
  await hosted.until('a migration fails', async () => {
    const cluster = await fleet.cluster('stays');
    const { [MIGRATION_FAILED_ANNOTATION]: reason } = cluster.metadata.annotations ?? {};
    return reason === undefined ? `not yet: ${migrationCondition(cluster)?.message}` : undefined;
  });
  hosted.refusals.clear();
  faults.isOn = true;
  await fleet.unlocked();
  expect(await fleet.isReconciled('stays')).toBe(true);
  expect(await fleet.isReconciled('late')).toBe(true);
  for (const name of ['stays', 'late']) await fleet.annotate(name, { [MIGRATION_FAILED_ANNOTATION]: null });
  for (const name of ['stays', 'late']) await fleet.annotated(name, MARKED);
  faults.isOn = false;
  await fleet.unlocked();
  await fleet.pass(FAULTS_MS);
  return fleet;
}

describe('two operators next to each other, while requests fail and processes crash', () => {
  it.each(Array.from({ length: SEEDS }, (_, at) => FIRST_SEED + at))(
    'never reconcile a cluster together, and leave none unreconciled, from seed %i',
    async (seed) => {
      const fleet = await upgrade(seed);
      expect(fleet.watch.problems).toEqual([]);
      expect(Object.fromEntries(fleet.watch.turns)).toEqual({
        old: [BEFORE, LEGACY, PRIVATE],
        stays: [BEFORE, LEGACY, PRIVATE],
        late: [BEFORE, LEGACY, PRIVATE],
        young: [PRIVATE],
      });
      for (const name of ['old', 'stays', 'late', 'young'])
        expect([name, await fleet.isReconciled(name)]).toEqual([name, true]);
      expect(await fleet.isReconciled('shard', 30_000)).toBe(false);
      const legacy = { namespace: OPERATOR_NAMESPACE };
      expect(await fleet.client.get(DEPLOYMENTS, LEGACY, legacy).catch(ignoreNotFound)).toBeUndefined();
      expect(fleet.faults.struck).toBeGreaterThan(50);
      fleet.hosted.simulation.end();
    },
    TEST_MS,
  );
});

import type { StoreSnapshot } from '@capstan/apiserver';
import type { HostedCluster } from '@capstan/api/hypershift';
import {
  annotated,
  conditionsOf,
  controlPlaneNamespace,
  HOSTED_CLUSTERS,
  LEGACY_SCOPE,
  MACHINES,
  MANUAL_ROLLBACK,
  MIGRATION_FAILED_ANNOTATION,
  MIGRATION_IN_PROGRESS_ANNOTATION,
  migrationCondition,
  NODE_POOLS,
  PRIVATE_CAPI_TYPES_ANNOTATION,
  SCOPE_ANNOTATION,
  withLock,
  withRollback,
} from '@capstan/hosting';
import type { Client } from '@capstan/kube';
import { patchFrom } from '@capstan/kube';
import { formatTime, isConditionTrue, isNotFound } from '@capstan/meta';
import type { Condition, KubeObject } from '@capstan/meta';
import { HostingPlatforms } from '@capstan/provider';
import type { HostingPlatform } from '@capstan/provider';
import { testPlatform } from '@capstan/provider/testing';
import { cloudCalls, migrationOracles, stateOf } from '@capstan/simulation';
import type { Simulation, SimulationOptions, SimulationState } from '@capstan/simulation';
import { isLiving } from '@capstan/upstream';
import type { Instance } from '@capstan/upstream';
import { hostedSimulation } from '../hosting/fixture.js';
import { clusterObjects, HOME, poolObject } from '../hosting/objects.js';
import { CLUSTER_API_MAPPING, LEGACY_OPERATOR, PRIVATE_OPERATOR, privateSnapshot } from '../hosting/private.js';
import { GuestProbe } from './guest-probe.js';
import { MIGRATION_PROCESS } from './processes.js';

const CLUSTER = 'red';
const POOL = 'red-pool';
export const CONTROL_PLANE: string = controlPlaneNamespace(HOME, CLUSTER);
export const LEGACY_PROCESS: string = LEGACY_OPERATOR.name ?? '';
/** What the lock stops, and what serves every group. */
const OPERATORS = ['operator', LEGACY_PROCESS];
const OTHERS = [MIGRATION_PROCESS, 'garbage-collector', 'namespace-controller', 'server', 'workloads'];
const AT_HOME = { namespace: HOME };

/** A server with every kind of hosting on these platforms, and of Cluster API under both groups. */
export function fleetSnapshot(platforms: Iterable<HostingPlatform> = [testPlatform()]): Promise<StoreSnapshot> {
  return privateSnapshot(platforms);
}

/** What a fleet begins with. */
export interface FleetOptions {
  readonly machines: number;
  readonly platform?: HostingPlatform | undefined;
}

/** A hosted cluster on standard types under the legacy operator, with its machines up, and a user of it. */
export class SimulatedMigration {
  readonly hosted: Awaited<ReturnType<typeof hostedSimulation>>;
  readonly platform: HostingPlatform;
  readonly probe: GuestProbe;
  readonly #initial: SimulationState;

  private constructor(hosted: SimulatedMigration['hosted'], platform: HostingPlatform) {
    this.hosted = hosted;
    this.platform = platform;
    this.probe = new GuestProbe(hosted.guests, CONTROL_PLANE);
    this.#initial = stateOf(hosted.simulation);
  }

  static async start(
    options: Partial<SimulationOptions>,
    { machines, platform = testPlatform() }: FleetOptions,
  ): Promise<SimulatedMigration> {
    const hosted = await hostedSimulation(new HostingPlatforms([platform]), {
      ...options,
      instances: [LEGACY_OPERATOR, PRIVATE_OPERATOR],
      migrates: false,
    });
    const fleet = new SimulatedMigration(hosted, platform);
    const [image = ''] = hosted.images;
    const pool = poolObject(platform, { name: POOL, cluster: CLUSTER, image }, { replicas: machines });
    await hosted.apply([...clusterObjects(platform, CLUSTER, image).map(legacy), pool]);
    await fleet.available();
    await fleet.settled(machines);
    hosted.simulation.spawn(fleet.probe.process());
    return fleet;
  }

  get simulation(): Simulation {
    return this.hosted.simulation;
  }

  /** As the administrator of the hosted cluster. */
  get guest(): Client {
    return this.hosted.guestClient(CONTROL_PLANE);
  }

  get hasMachines(): boolean {
    return this.platform.machineTemplate !== undefined;
  }

  /** The release that the cluster does not run yet. */
  get nextImage(): string {
    return this.hosted.images[1] ?? '';
  }

  /** Instances that live. */
  get instances(): readonly Instance[] {
    return this.hosted.cloud.instances.filter(isLiving);
  }

  async changePool(spec: object): Promise<void> {
    await this.hosted.client.patch(NODE_POOLS, POOL, { type: 'merge', value: { spec } }, AT_HOME);
  }

  hostedCluster(): Promise<HostedCluster> {
    return this.hosted.client.get<HostedCluster>(HOSTED_CLUSTERS, CLUSTER, AT_HOME);
  }

  async annotations(): Promise<Readonly<Record<string, string>>> {
    return (await this.hostedCluster()).metadata.annotations ?? {};
  }

  /** Requests a rollback by hand, as `capstan migration rollback` does. */
  async rollBack(): Promise<void> {
    const before = await this.hostedCluster();
    const startedAt = formatTime(this.simulation.timeline.clock().now());
    const locked = withLock(before, { id: 'by-hand', startedAt });
    const after = withRollback(locked, { reason: MANUAL_ROLLBACK });
    await patchFrom(this.hosted.client, HOSTED_CLUSTERS, { before, after }, { optimisticLock: true });
  }

  /** Allows another attempt, as an administrator does once the cause is gone. */
  async retry(): Promise<void> {
    const before = await this.hostedCluster();
    const after = annotated(before, { [MIGRATION_FAILED_ANNOTATION]: undefined });
    await patchFrom(this.hosted.client, HOSTED_CLUSTERS, { before, after }, { optimisticLock: true });
  }

  async pass(ms: number): Promise<void> {
    await this.simulation.runUntil(this.simulation.elapsed + ms);
  }

  async available(): Promise<void> {
    await this.hosted.until('the cluster is available', async () => {
      const conditions = conditionsOf(await this.hostedCluster()) ?? [];
      return isConditionTrue(conditions, 'Available') ? undefined : JSON.stringify(conditions);
    });
  }

  /** Waits until so many Machines of one group are ready, each with an instance, and no others are left. None without machines. */
  async settled(wanted: number): Promise<void> {
    const machines = this.hasMachines ? wanted : 0;
    await this.hosted.until(`${machines} machines are ready`, async () => {
      const found = await this.machines();
      const ready = found.filter(({ status }) => {
        const { conditions, nodeRef } = (status ?? {}) as { conditions?: readonly Condition[]; nodeRef?: object };
        return nodeRef !== undefined && isConditionTrue(conditions, 'Ready');
      });
      return found.length === machines && ready.length === machines && this.instances.length === machines
        ? undefined
        : `${found.length} Machines, ${ready.length} ready, ${this.instances.length} instances`;
    });
  }

  /** Machines of both groups. */
  async machines(): Promise<readonly KubeObject[]> {
    return [...(await this.#machines('standard')), ...(await this.#machines('private'))];
  }

  async until(what: string, holds: () => Promise<boolean>): Promise<void> {
    await this.hosted.until(what, async () => ((await holds()) ? undefined : 'not yet'));
  }

  async #machines(side: 'private' | 'standard'): Promise<readonly KubeObject[]> {
    const group = side === 'standard' ? MACHINES.group : CLUSTER_API_MAPPING.swap(MACHINES.group);
    try {
      return (await this.hosted.client.list({ ...MACHINES, group }, { namespace: CONTROL_PLANE })).items;
    } catch (error) {
      // Its CRD may have been deleted.
      if (isNotFound(error)) return [];
      throw error;
    }
  }

  /** Waits until the migration has ended; how it did. */
  async ended(): Promise<string> {
    let end = '';
    await this.hosted.until('the migration has ended', async () => {
      const annotations = await this.annotations();
      const isPrivate = annotations[PRIVATE_CAPI_TYPES_ANNOTATION] === 'true';
      end = annotations[MIGRATION_FAILED_ANNOTATION] ?? (isPrivate ? 'migrated' : '');
      const isLocked = annotations[MIGRATION_IN_PROGRESS_ANNOTATION] !== undefined;
      return !isLocked && end !== '' ? undefined : this.progress();
    });
    return end;
  }

  /** Where the migration stands. */
  async progress(): Promise<string> {
    return migrationCondition(await this.hostedCluster())?.message ?? 'no condition';
  }

  /** What was asked of the cloud since a moment, but for reads: of how many instances. */
  cloudCalls(sinceMs: number): Readonly<Record<string, number>> {
    return cloudCalls(this.hosted.cloud, sinceMs);
  }

  /** What must not be, of everything that has happened. */
  violations(): readonly string[] {
    const { cloud, simulation } = this.hosted;
    const oracles = migrationOracles({
      cloud,
      mapping: CLUSTER_API_MAPPING,
      hostedCluster: `${HOME}/${CLUSTER}`,
      namespace: CONTROL_PLANE,
      others: OTHERS,
      operators: OPERATORS,
    });
    const record = {
      events: simulation.log.events,
      initial: this.#initial,
      final: stateOf(simulation),
      calmFrom: 0,
      endedAt: simulation.elapsed,
      isWork: () => true,
      quietMs: 0,
      rehearsedFrom: undefined,
      unmet: [],
      failedSteps: [],
    };
    return oracles.flatMap((oracle) => oracle.check(record).map(({ message }) => `${oracle.name}: ${message}`));
  }
}

function legacy(object: KubeObject): KubeObject {
  if (object.kind !== HOSTED_CLUSTERS.kind) return object;
  return annotated(object, { [SCOPE_ANNOTATION]: LEGACY_SCOPE });
}

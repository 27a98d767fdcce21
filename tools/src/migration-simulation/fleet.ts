import { ApiServer } from '@capstan/apiserver';
import type { StoreSnapshot } from '@capstan/apiserver';
import {
  controlPlaneNamespace,
  HOSTED_CLUSTERS,
  LEGACY_SCOPE,
  MACHINES,
  MIGRATION_FAILED_ANNOTATION,
  MIGRATION_IN_PROGRESS_ANNOTATION,
  NODE_POOLS,
  PRIVATE_CAPI_TYPES_ANNOTATION,
  SCOPE_ANNOTATION,
} from '@capstan/hosting';
import { Client, systemRandom } from '@capstan/kube';
import { ManualClock } from '@capstan/kube/testing';
import { isConditionTrue } from '@capstan/meta';
import type { Condition, KubeObject } from '@capstan/meta';
import { HostingPlatforms } from '@capstan/provider';
import { testPlatform } from '@capstan/provider/testing';
import { migrationOracles, SIMULATION_START, stateOf } from '@capstan/simulation';
import type { MigrationOracleOptions, Simulation, SimulationOptions, SimulationState } from '@capstan/simulation';
import { mirrorDefinition } from '@capstan/translate/mirror';
import { isLiving } from '@capstan/upstream';
import { installDefinitions } from '../hosting/definitions.js';
import { hostedSimulation, hostedSnapshot } from '../hosting/fixture.js';
import { hostingDefinitions } from '../hosting/kinds.js';
import { clusterObjects, HOME, poolObject } from '../hosting/objects.js';
import { MAPPING, MIGRATION_PROCESS } from './processes.js';

const PLATFORM = testPlatform();
const PLATFORMS = new HostingPlatforms([PLATFORM]);
const CLUSTER = 'red';
const POOL = 'red-pool';
export const CONTROL_PLANE: string = controlPlaneNamespace(HOME, CLUSTER);
const SHIM = { namespace: 'hypershift', name: 'capi-conversion-webhook-shim' };
const AT_HOME = { namespace: HOME };
/** What the lock stops, and what serves every group. */
const OPERATORS = ['operator'];
const OTHERS = [MIGRATION_PROCESS, 'garbage-collector', 'namespace-controller', 'server', 'workloads'];
const WRITES: ReadonlySet<string> = new Set(['create', 'start', 'stop', 'terminate']);

/** A server with every kind of hosting, and of Cluster API under both groups. */
export async function fleetSnapshot(): Promise<StoreSnapshot> {
  const clock = new ManualClock(SIMULATION_START);
  const random = systemRandom('private kinds');
  const server = new ApiServer({ clock, random, snapshot: await hostedSnapshot(PLATFORMS) });
  const standard = (await hostingDefinitions(PLATFORMS)).filter(
    ({ spec }) => MAPPING.side((spec as { readonly group: string }).group) === 'standard',
  );
  await installDefinitions(new Client(server, { clock, random: random.split('client') }), standard.map(privateCrd));
  return server.snapshot();
}

function privateCrd(definition: KubeObject): KubeObject {
  const { definition: mirrored } = mirrorDefinition(definition, { mapping: MAPPING, shim: SHIM });
  return { ...mirrored, spec: { ...(mirrored['spec'] as object), conversion: { strategy: 'None' } } };
}

/** A hosted cluster on standard types under the legacy operator, with its machines up. */
export class SimulatedMigration {
  readonly hosted: Awaited<ReturnType<typeof hostedSimulation>>;
  readonly #initial: SimulationState;

  private constructor(hosted: SimulatedMigration['hosted'], initial: SimulationState) {
    this.hosted = hosted;
    this.#initial = initial;
  }

  static async start(options: Partial<SimulationOptions>, machines: number): Promise<SimulatedMigration> {
    const hosted = await hostedSimulation(PLATFORMS, { ...options, instances: [{ args: ['--legacy'] }] });
    const fleet = new SimulatedMigration(hosted, stateOf(hosted.simulation));
    const [image = ''] = hosted.images;
    const pool = poolObject(PLATFORM, { name: POOL, cluster: CLUSTER, image }, { replicas: machines });
    await hosted.apply([...clusterObjects(PLATFORM, CLUSTER, image).map(legacy), pool]);
    await fleet.settled(machines);
    return fleet;
  }

  get simulation(): Simulation {
    return this.hosted.simulation;
  }

  /** The release that the cluster does not run yet. */
  get nextImage(): string {
    return this.hosted.images[1] ?? '';
  }

  /** Provider IDs and names in the cloud of instances that live. */
  get instances(): readonly { readonly id: string; readonly providerId: string }[] {
    return this.hosted.cloud.instances.filter((each) => isLiving(each));
  }

  async changePool(spec: object): Promise<void> {
    await this.hosted.client.patch(NODE_POOLS, POOL, { type: 'merge', value: { spec } }, AT_HOME);
  }

  async annotations(): Promise<Readonly<Record<string, string>>> {
    const { metadata } = await this.hosted.client.get(HOSTED_CLUSTERS, CLUSTER, AT_HOME);
    return metadata.annotations ?? {};
  }

  async pass(ms: number): Promise<void> {
    await this.simulation.runUntil(this.simulation.elapsed + ms);
  }

  /** Waits until so many Machines of one group are ready, each with an instance, and no others are left. */
  async settled(machines: number): Promise<void> {
    const { client, until } = this.hosted;
    await until(`${machines} machines are ready`, async () => {
      const found: KubeObject[] = [];
      for (const group of [MACHINES.group, MAPPING.swap(MACHINES.group)])
        found.push(
          ...(await client.list({ ...MACHINES, group }, { namespace: CONTROL_PLANE }).then(
            ({ items }) => items,
            () => [],
          )),
        );
      const ready = found.filter(({ status }) => {
        const { conditions, nodeRef } = (status ?? {}) as { conditions?: readonly Condition[]; nodeRef?: object };
        return nodeRef !== undefined && isConditionTrue(conditions, 'Ready');
      });
      return found.length === machines && ready.length === machines && this.instances.length === machines
        ? undefined
        : `${found.length} Machines, ${ready.length} ready, ${this.instances.length} instances`;
    });
  }

  /** Waits until the migration has ended; how it did. */
  async ended(): Promise<string> {
    let end = '';
    await this.hosted.until('the migration has ended', async () => {
      const annotations = await this.annotations();
      const isPrivate = annotations[PRIVATE_CAPI_TYPES_ANNOTATION] === 'true';
      end = annotations[MIGRATION_FAILED_ANNOTATION] ?? (isPrivate ? 'migrated' : '');
      const isLocked = annotations[MIGRATION_IN_PROGRESS_ANNOTATION] !== undefined;
      return !isLocked && end !== '' ? undefined : this.#progress();
    });
    return end;
  }

  async #progress(): Promise<string> {
    const { status } = await this.hosted.client.get(HOSTED_CLUSTERS, CLUSTER, AT_HOME);
    const { conditions = [] } = (status ?? {}) as { readonly conditions?: readonly Condition[] };
    return conditions.find(({ type }) => type === 'PrivateCAPIMigration')?.message ?? 'no condition';
  }

  /** What was asked of the cloud since a moment, but for reads: of how many instances. A repeated call is one. */
  cloudCalls(sinceMs: number): Readonly<Record<string, number>> {
    const calls = new Set(
      this.hosted.cloud.log
        .filter(
          ({ at, caller, operation, outcome }) =>
            at >= sinceMs && caller !== '' && WRITES.has(operation) && outcome === 'ok',
        )
        .map(({ id, operation }) => `${operation} ${id}`),
    );
    const counts: Record<string, number> = {};
    for (const call of calls) {
      const [operation = ''] = call.split(' ');
      counts[operation] = (counts[operation] ?? 0) + 1;
    }
    return counts;
  }

  /** What must not be, of everything that has happened. */
  violations(): readonly string[] {
    const { cloud, simulation } = this.hosted;
    const options: MigrationOracleOptions = {
      cloud,
      mapping: MAPPING,
      hostedCluster: `${HOME}/${CLUSTER}`,
      namespace: CONTROL_PLANE,
      others: OTHERS,
      operators: OPERATORS,
    };
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
    return migrationOracles(options).flatMap((oracle) =>
      oracle.check(record).map(({ message }) => `${oracle.name}: ${message}`),
    );
  }
}

function legacy(object: KubeObject): KubeObject {
  if (object.kind !== HOSTED_CLUSTERS.kind) return object;
  const annotations = { ...object.metadata.annotations, [SCOPE_ANNOTATION]: LEGACY_SCOPE };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

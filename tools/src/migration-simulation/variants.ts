import type { MigrationSettings } from '@capstan/hypershift';
import type { KubeObject } from '@capstan/meta';
import { CONTROL_PLANE, LEGACY_PROCESS } from './fleet.js';
import type { SimulatedMigration } from './fleet.js';

const CRDS = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
} as const;
const PODS = { group: '', version: 'v1', plural: 'pods', namespaced: true };
const DEFAULT = { namespace: 'default' } as const;
const DELETE_MACHINE = 'cluster.x-k8s.io/delete-machine';
/** Longer than the cluster may take to be healthy. */
const NEVER_HEALTHY: Partial<MigrationSettings> = { healthyForMs: 600_000 };

/** How a migration ends that no fault disturbs, and what makes it end so. */
export interface Ending {
  readonly name: string;
  /** Why it is rolled back; undefined for one that succeeds. */
  readonly reason?: string | undefined;
  readonly settings?: Partial<MigrationSettings> | undefined;
  /** The cluster is migrated first; what is under way is so while it is rolled back by hand. */
  readonly isByHand?: boolean | undefined;
  readonly prepare?: ((fleet: SimulatedMigration) => Promise<void>) | undefined;
  /** Ends what made it fail, once it is rolled back. */
  readonly relieve?: ((fleet: SimulatedMigration) => void) | undefined;
}

export const ENDINGS: readonly Ending[] = [
  { name: 'success' },
  {
    name: 'acknowledge-timeout',
    reason: 'acknowledge-timeout',
    prepare: ({ simulation }) => {
      simulation.stop(LEGACY_PROCESS);
      return Promise.resolve();
    },
  },
  {
    name: 'missing-private-crd',
    reason: 'missing-private-crd',
    prepare: async ({ hosted }) => {
      await hosted.client.delete(CRDS, 'machinesets.cluster.hypershift.openshift.io');
    },
  },
  {
    name: 'deployment-timeout',
    reason: 'deployment-timeout',
    prepare: ({ hosted }) => {
      hosted.refusals.set(`${CONTROL_PLANE}/cluster-api`, 'no quota');
      return Promise.resolve();
    },
    relieve: ({ hosted }) => hosted.refusals.clear(),
  },
  { name: 'health-check-timeout', reason: 'health-check-timeout', settings: NEVER_HEALTHY },
  { name: 'manual-rollback', reason: 'manual-rollback', isByHand: true, prepare: (fleet) => fleet.rollBack() },
];

/** What is under way when the cluster is locked, and what it takes of the cloud: no call less, no call more. */
export interface InFlight {
  readonly name: string;
  readonly machines: number;
  readonly calls: Readonly<Record<string, number>>;
  /** Instances that fail by themselves. Default: none. */
  readonly lostInstances?: number | undefined;
  readonly begin: (fleet: SimulatedMigration) => Promise<void>;
}

export const MACHINES_AT_FIRST = 2;

export const NOTHING: InFlight = {
  name: 'nothing',
  machines: MACHINES_AT_FIRST,
  calls: {},
  begin: () => Promise.resolve(),
};

export const IN_FLIGHT: readonly InFlight[] = [
  NOTHING,
  {
    name: 'scaling up',
    machines: 3,
    calls: { create: 1 },
    begin: async (fleet) => {
      await fleet.changePool({ replicas: 3 });
      await fleet.pass(3_000);
    },
  },
  {
    name: 'scaling down',
    machines: 1,
    calls: { terminate: 1 },
    begin: async (fleet) => {
      await fleet.changePool({ replicas: 1 });
      await fleet.pass(3_000);
    },
  },
  {
    name: 'a rolling update',
    machines: MACHINES_AT_FIRST,
    calls: { create: 2, terminate: 2 },
    begin: async (fleet) => {
      await fleet.changePool({ release: { image: fleet.nextImage } });
      await fleet.pass(10_000);
    },
  },
  {
    name: 'a machine to remediate',
    machines: MACHINES_AT_FIRST,
    calls: { create: 1 },
    lostInstances: 1,
    begin: ({ hosted, instances }) => {
      hosted.cloud.lose(instances[0]?.id ?? '');
      return Promise.resolve();
    },
  },
  {
    name: 'an autoscaler that scales up',
    machines: 3,
    calls: { create: 1 },
    begin: async (fleet) => {
      await fleet.changePool({ replicas: null, autoScaling: { min: MACHINES_AT_FIRST, max: 3 } });
      await crowd(fleet, 3);
      // Long enough for it to have decided, and for its machine not to be there yet.
      await fleet.until('the autoscaler has scaled', async () => (await fleet.machines()).length > MACHINES_AT_FIRST);
    },
  },
  {
    name: 'an autoscaler that scales down',
    machines: MACHINES_AT_FIRST - 1,
    calls: { terminate: 1 },
    begin: async (fleet) => {
      // No pod runs: once that has been so for ten minutes, it chooses a machine.
      await fleet.changePool({ replicas: null, autoScaling: { min: MACHINES_AT_FIRST - 1, max: MACHINES_AT_FIRST } });
      await fleet.until('the autoscaler has chosen a machine', async () => (await fleet.machines()).some(isLeaving));
    },
  },
];

function isLeaving({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp != null || metadata.annotations?.[DELETE_MACHINE] !== undefined;
}

/** Pods of which each node has room for one. */
async function crowd({ guest }: SimulatedMigration, count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    const name = `crowd-${at}`;
    const containers = [{ name: 'c', image: 'pause', resources: { requests: { cpu: '3' } } }];
    await guest.create(PODS, { apiVersion: 'v1', kind: 'Pod', metadata: { name, ...DEFAULT }, spec: { containers } });
    const conditions = [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: 'no room' }];
    const value = { status: { conditions } };
    await guest.patch(PODS, name, { type: 'merge', value }, { ...DEFAULT, subresource: 'status' });
  }
}

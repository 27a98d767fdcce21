import { Client, timestamp } from '@capstan/kube';
import type { Clock, KubeObject, Random, Timer } from '@capstan/meta';
import type { Cloud, CloudEvent, Instance } from '@capstan/upstream';
import { NODES } from '@capstan/upstream/cluster-api';
import type { Node } from '@capstan/upstream/cluster-api';
import type { GuestCluster } from '../../guests/guest-cluster.js';
import { GUEST_CONTROLLERS } from '../../guests/guest-cluster.js';

export interface GuestNodesOptions {
  readonly cloud: Cloud;
  readonly clock: Clock;
  readonly random: Random;
  /** The cluster an instance joins. */
  readonly guestOf: (instance: Instance) => GuestCluster;
}

const HEALTH: readonly (readonly [type: string, well: string])[] = [
  ['Ready', 'True'],
  ['MemoryPressure', 'False'],
  ['DiskPressure', 'False'],
  ['PIDPressure', 'False'],
];

const LEASES = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases', namespaced: true };
const LEASE_NAMESPACE = 'kube-node-lease';
const BEAT_MS = 10_000;

/** Puts a node into the guest for every instance that runs, and lets its heart beat until the instance stops. */
export function joinNodes({ cloud, clock, random, guestOf }: GuestNodesOptions): () => void {
  const beating = new Map<string, Timer>();
  const clientOf = (instance: Instance): Client =>
    new Client(guestOf(instance).server, { clock, random: random.split('nodes'), user: GUEST_CONTROLLERS });
  // One client for the life of an instance: its heart beats often.
  const beat = (instance: Instance, client: Client): void => {
    const { spec } = leaseOf(instance, clock);
    void client
      .patch(LEASES, instance.hostname, { type: 'merge', value: { spec } }, { namespace: LEASE_NAMESPACE })
      .catch(() => undefined);
    beating.set(
      instance.id,
      clock.after(BEAT_MS, () => beat(instance, client)),
    );
  };
  const join = async (instance: Instance, client: Client): Promise<void> => {
    await client.create(LEASES, leaseOf(instance, clock));
    await client.create(NODES, nodeOf(instance, timestamp(clock)));
  };
  const changed = ({ operation, instance, outcome }: CloudEvent): void => {
    if (operation !== 'change' || instance === undefined) return;
    beating.get(instance.id)?.cancel();
    if (outcome !== 'running') return;
    const client = clientOf(instance);
    void join(instance, client).catch(() => undefined);
    beating.set(
      instance.id,
      clock.after(BEAT_MS, () => beat(instance, client)),
    );
  };
  return cloud.subscribe(changed);
}

function leaseOf({ hostname }: Instance, clock: Clock): KubeObject {
  const renewTime = new Date(clock.now()).toISOString().replace('Z', '000Z');
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: hostname, namespace: LEASE_NAMESPACE },
    spec: { holderIdentity: hostname, leaseDurationSeconds: 40, renewTime },
  };
}

function nodeOf({ hostname, providerId }: Instance, now: string): Node {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: hostname },
    spec: { providerID: providerId },
    status: {
      conditions: HEALTH.map(([type, status]) => ({
        type,
        status,
        reason: 'Test',
        message: '',
        lastTransitionTime: now,
      })),
    },
  };
}

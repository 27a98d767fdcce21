import { Client } from '@capstan/kube';
import type { KubeObject, Random, Clock } from '@capstan/meta';
import { isLiving } from '@capstan/upstream';
import type { Cloud } from '@capstan/upstream';
import { coreResource, isTrue, NODES } from '@capstan/upstream/cluster-api';
import type {
  Cluster,
  CoreKind,
  Machine,
  MachineDeployment,
  MachineHealthCheck,
  Node,
} from '@capstan/upstream/cluster-api';
import { GUEST_CONTROLLERS } from '../../guests/guest-cluster.js';
import type { GuestCluster } from '../../guests/guest-cluster.js';
import {
  CLUSTER,
  clusterObjects,
  configTemplate,
  healthCheck,
  machineDeployment,
  machineSpec,
  machineTemplate,
  NAMESPACE,
} from './objects.js';

/** Where a scenario runs: in virtual time or in real time, on any server. */
export interface ScenarioEnvironment {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly cloud: Cloud;
  readonly guest: (namespace: string, name: string) => GuestCluster;
  /** Waits for something that is already on its way. */
  act<T>(work: Promise<T>): Promise<T>;
  /** Lets time pass until something holds. */
  until(what: string, holds: () => Promise<boolean>): Promise<void>;
}

/** A moment of the scenario at which nothing changes. */
export type Moment = 'grown' | 'rolled' | 'healed';

export interface ScenarioOptions {
  readonly replicas: number;
  /** How long a node may be unwell before its machine is replaced. */
  readonly unhealthySeconds: number;
  /** Called while nothing moves. */
  readonly at?: ((moment: Moment) => Promise<void>) | undefined;
}

const LISTED: readonly CoreKind[] = ['Cluster', 'MachineDeployment', 'MachineSet', 'Machine', 'MachineHealthCheck'];

/** Runs the life of a cluster: it grows, is rolled to another template, replaces an unhealthy machine, and is deleted. */
export class Scenario {
  readonly #place: ScenarioEnvironment;
  readonly #options: ScenarioOptions;

  constructor(place: ScenarioEnvironment, options: ScenarioOptions) {
    this.#place = place;
    this.#options = options;
  }

  list<T extends KubeObject>(kind: CoreKind): Promise<readonly T[]> {
    const { client } = this.#place;
    return client.list<T>(coreResource(kind, 'v1beta2'), { namespace: NAMESPACE }).then(({ items }) => items);
  }

  /** From nothing to as many machines as there should be. */
  async grow(): Promise<void> {
    const { replicas, unhealthySeconds } = this.#options;
    await this.#create([
      ...clusterObjects(),
      machineTemplate('small'),
      machineTemplate('large'),
      configTemplate('workers'),
    ]);
    await this.#create([machineDeployment('workers', 0, 'small'), healthCheck('workers', 'workers', unhealthySeconds)]);
    await this.#place.until('the cluster is available', async () => {
      const [cluster] = await this.list<Cluster>('Cluster');
      return isTrue(cluster, 'Available');
    });
    await this.#patch('MachineDeployment', { spec: { replicas } });
    await this.#rest('all machines are there');
    await this.#options.at?.('grown');
  }

  /** All machines are replaced by others of another template. */
  async roll(): Promise<void> {
    const before = (await this.#place.act(this.list<Machine>('Machine'))).map(({ metadata }) => metadata.name);
    await this.#patch('MachineDeployment', { spec: { template: { spec: machineSpec('large') } } });
    await this.#rest('all are replaced', (machine) => !before.includes(machine.metadata.name));
    await this.#place.until('the old set is gone', async () => (await this.list('MachineSet')).length === 1);
    await this.#options.at?.('rolled');
  }

  /** A node falls ill; its machine is replaced. */
  async heal(): Promise<void> {
    const { cloud } = this.#place;
    const [victim] = cloud.instances.filter(isLiving);
    await this.#place.act(this.#sicken(victim?.hostname ?? ''));
    await this.#rest('the sick one is replaced', ({ spec }) => spec.providerID !== victim?.providerId);
    await this.#options.at?.('healed');
  }

  /** The cluster is deleted, and with it everything that belongs to it. */
  async end(): Promise<void> {
    const place = this.#place;
    await place.act(place.client.delete(coreResource('Cluster', 'v1beta2'), CLUSTER, { namespace: NAMESPACE }));
    await place.until('all is gone', async () => {
      const left = await Promise.all(LISTED.map((kind) => this.list(kind)));
      return left.every((objects) => objects.length === 0);
    });
  }

  async #sicken(hostname: string): Promise<void> {
    const { guest, clock, random } = this.#place;
    const client = new Client(guest(NAMESPACE, CLUSTER).server, { clock, random, user: GUEST_CONTROLLERS });
    const node = await client.get<Node>(NODES, hostname);
    const lastTransitionTime = `${new Date(clock.now()).toISOString().slice(0, 19)}Z`;
    const conditions = (node.status?.conditions ?? []).map((condition) =>
      condition.type === 'Ready'
        ? { ...condition, status: 'False', reason: 'KubeletNotReady', message: 'out of order', lastTransitionTime }
        : condition,
    );
    await client.patch(
      NODES,
      hostname,
      { type: 'merge', value: { status: { conditions } } },
      { subresource: 'status' },
    );
  }

  /** Waits until every machine is as it should be, and its owners report so. */
  async #rest(what: string, isRight: (machine: Machine) => boolean = () => true): Promise<void> {
    const { replicas } = this.#options;
    const isWell = (machine: Machine): boolean =>
      isRight(machine) && isTrue(machine, 'Available') && isTrue(machine, 'HealthCheckSucceeded');
    await this.#place.until(what, async () => {
      const machines = await this.list<Machine>('Machine');
      return machines.length === replicas && machines.every(isWell) && (await this.#isCounted());
    });
  }

  /** Whether every object that counts machines has counted them all. */
  async #isCounted(): Promise<boolean> {
    const { replicas } = this.#options;
    const deployments = await this.list<MachineDeployment>('MachineDeployment');
    const sets = await this.list<MachineDeployment>('MachineSet');
    const [cluster] = await this.list<Cluster>('Cluster');
    const [check] = await this.list<MachineHealthCheck>('MachineHealthCheck');
    const counts = [
      check?.status?.currentHealthy,
      check?.status?.expectedMachines,
      cluster?.status?.workers?.availableReplicas,
    ];
    const active = sets.filter(({ spec }) => (spec.replicas ?? 0) > 0);
    const isSure =
      [...deployments, ...active].every((each) => isSettled(each, replicas)) && isTrue(cluster, 'Available');
    return isSure && counts.every((count) => count === replicas);
  }

  async #patch(kind: CoreKind, value: object): Promise<void> {
    const { client } = this.#place;
    const resource = coreResource(kind, 'v1beta2');
    await this.#place.act(client.patch(resource, 'workers', { type: 'merge', value }, { namespace: NAMESPACE }));
  }

  async #create(objects: readonly KubeObject[]): Promise<void> {
    const { client } = this.#place;
    for (const object of objects) {
      const [group = '', version = ''] = object.apiVersion.split('/');
      const ref = { group, version, plural: `${object.kind.toLowerCase()}s`, namespaced: true };
      await this.#place.act(client.create(ref, object));
    }
  }
}

function isSettled({ metadata, status }: MachineDeployment, replicas: number): boolean {
  const counts = [status?.replicas, status?.readyReplicas, status?.availableReplicas, status?.upToDateReplicas];
  return status?.observedGeneration === metadata.generation && counts.every((count) => count === replicas);
}

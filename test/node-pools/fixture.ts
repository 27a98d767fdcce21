import type { Machine, MachineDeployment, MachineSet } from '@capstan/api/cluster-api';
import type { NodePool } from '@capstan/api/hypershift';
import { ApiServer } from '@capstan/apiserver';
import type { StoreSnapshot } from '@capstan/apiserver';
import { addNodePoolController, CACHE, Turns } from '@capstan/hypershift';
import { IGNITION_REACHED_ANNOTATION, MACHINE_DEPLOYMENTS, MACHINE_SETS, MACHINES, NODE_POOLS } from '@capstan/hosting';
import { Client, defineOperator, Manager, systemRandom } from '@capstan/kube';
import { ManualClock, waitUntil } from '@capstan/kube/testing';
import type { ResourceRef } from '@capstan/kube';
import { isNotFound } from '@capstan/meta';
import type { JsonObject, KubeObject, Transport } from '@capstan/meta';
import { HostingPlatforms } from '@capstan/provider';
import type { HostingPlatform } from '@capstan/provider';
import { HARBOUR_MACHINE_TEMPLATES } from '@capstan/provider/testing';
import { collectorProcess, Guests, operatorProcess, Simulation, SIMULATION_START } from '@capstan/simulation';
import type { FaultSource } from '@capstan/simulation';
import { GUEST_CONTROLLERS, joinNodes } from '@capstan/simulation/testing';
import { Cloud, clusterApiOperator, infrastructureOperator } from '@capstan/upstream';
import { definitions, hostCluster, setStatus } from './host.js';
import { endOf, requestsOf, writesOf } from './log.js';
import { CRDS, EVENTS, HARBOUR, HOME, INFRA_ID, NAMESPACE, NAMESPACES, SECRETS, TestReleases } from './objects.js';

/** The process under test. */
export const OPERATOR = 'node-pools';

let kinds: Promise<StoreSnapshot> | undefined;

async function makeKinds(): Promise<StoreSnapshot> {
  const clock = new ManualClock(SIMULATION_START);
  const server = new ApiServer({ clock, random: systemRandom('kinds of pools') });
  const client = new Client(server, { clock, random: systemRandom('client') });
  for (const definition of definitions()) await client.create(CRDS, definition);
  for (const name of [NAMESPACE, HOME])
    await client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  return server.snapshot();
}

export interface FixtureOptions {
  readonly seed?: number | undefined;
  readonly faults?: FaultSource | undefined;
  readonly platform?: HostingPlatform | undefined;
  /** Whether Cluster API and the provider run; without them nothing but the pools' controller writes. Default true. */
  readonly hasMachines?: boolean | undefined;
  /** Whether the cluster that pools name is there and answers. Default true. */
  readonly hasCluster?: boolean | undefined;
}

/** A management cluster in virtual time where one hosted cluster runs. */
export class Fixture {
  readonly simulation: Simulation;
  readonly client: Client;
  readonly cloud: Cloud;
  readonly releases = new TestReleases();
  /** Of the process under test that began last. */
  manager: Manager | undefined;
  readonly #options: FixtureOptions;
  readonly #guests: Guests;

  constructor(snapshot: StoreSnapshot, options: FixtureOptions) {
    this.#options = options;
    this.simulation = new Simulation({ seed: options.seed ?? 1, snapshot, faults: options.faults });
    const clock = this.simulation.timeline.clock();
    const random = this.simulation.random.split('stage');
    // Looked for at each request: after a restart it is another.
    const transport: Transport = { send: (request) => this.simulation.server.send(request) };
    this.client = new Client(transport, { clock, random: random.split('client') });
    this.cloud = new Cloud({ clock, random: random.split('cloud') });
    this.#guests = new Guests({ clock, random: random.split('guests'), isSimulated: true });
    const guestOf = () => this.#guests.ensure(HOME, INFRA_ID);
    joinNodes({ cloud: this.cloud, clock, random: random.split('nodes'), guestOf });
  }

  static async begin(options: FixtureOptions = {}): Promise<Fixture> {
    kinds ??= makeKinds();
    const fixture = new Fixture(await kinds, options);
    await fixture.#raise();
    return fixture;
  }

  async #raise(): Promise<void> {
    const { hasCluster = true, hasMachines = true, platform = HARBOUR } = this.#options;
    if (hasCluster) await this.#host();
    const { releases, simulation } = this;
    const operator = defineOperator({
      name: OPERATOR,
      flags: {},
      build: ({ options }) => {
        const manager = new Manager({ ...options, cache: CACHE });
        this.manager = manager;
        const { clock, logger, random } = options;
        const platforms = new HostingPlatforms([platform]);
        const recorder = manager.eventRecorder('nodepool-controller');
        addNodePoolController(manager, {
          client: manager.client,
          turns: Turns.alone(manager.client),
          platforms,
          releases,
          clock,
          logger,
          recorder,
          random: random.split('tokens'),
        });
        return manager;
      },
    });
    simulation.spawn(operatorProcess(operator));
    simulation.spawn(collectorProcess());
    if (!hasMachines) return;
    simulation.spawn(
      operatorProcess(clusterApiOperator, { servers: this.#guests.known, namespace: HOME, isReliable: true }),
    );
    const args = ['--platform=harbour', `--namespace=${HOME}`];
    simulation.spawn(operatorProcess(infrastructureOperator(this.cloud), { args, isReliable: true }));
  }

  async #host(): Promise<void> {
    await this.client.create(SECRETS, this.#guests.ensure(HOME, INFRA_ID).kubeconfigSecret());
    await hostCluster(this.client);
  }

  async setStatus(ref: ResourceRef, namespace: string, name: string, status: object): Promise<void> {
    await setStatus(this.client, ref, { namespace, name }, status);
  }

  merge(ref: ResourceRef, namespace: string, name: string, value: JsonObject): Promise<KubeObject> {
    return this.client.patch(ref, name, { type: 'merge', value }, { namespace });
  }

  pool(name: string): Promise<NodePool> {
    return this.client.get<NodePool>(NODE_POOLS, name, { namespace: NAMESPACE });
  }

  deployment(name: string): Promise<MachineDeployment> {
    return this.client.get<MachineDeployment>(MACHINE_DEPLOYMENTS, name, { namespace: HOME });
  }

  machineSet(name: string): Promise<MachineSet> {
    return this.client.get<MachineSet>(MACHINE_SETS, name, { namespace: HOME });
  }

  async machines(): Promise<readonly Machine[]> {
    return (await this.client.list<Machine>(MACHINES, { namespace: HOME })).items;
  }

  /** Names of objects in the control plane namespace, sorted. */
  async names(ref: ResourceRef): Promise<readonly string[]> {
    const { items } = await this.client.list(ref, { namespace: HOME });
    return items.map(({ metadata }) => metadata.name ?? '').toSorted();
  }

  templates(): Promise<readonly string[]> {
    return this.names(HARBOUR_MACHINE_TEMPLATES);
  }

  /** Secrets that were made for pools. */
  async poolSecrets(): Promise<readonly string[]> {
    return (await this.names(SECRETS)).filter((name) => name.startsWith('token-') || name.startsWith('user-data-'));
  }

  /** `reason: message` of events about an object. */
  async events(name: string): Promise<readonly string[]> {
    const { items } = await this.client.list(EVENTS, { namespace: NAMESPACE });
    return items
      .filter((event) => (event['involvedObject'] as JsonObject)['name'] === name)
      .map((event) => `${String(event['reason'])}: ${String(event['message'])}`);
  }

  async exists(ref: ResourceRef, namespace: string, name: string): Promise<boolean> {
    try {
      await this.client.get(ref, name, { namespace });
      return true;
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  }

  /** What the ignition server does when the first instance comes. */
  async reachIgnition(): Promise<void> {
    for (const name of (await this.poolSecrets()).filter((each) => each.startsWith('token-')))
      await this.merge(SECRETS, HOME, name, { metadata: { annotations: { [IGNITION_REACHED_ANNOTATION]: 'true' } } });
  }

  /** Lets time pass until something holds. */
  async until(what: string, holds: () => Promise<boolean> | boolean, limitMs = 3_600_000): Promise<void> {
    const clock = this.simulation.timeline.clock();
    await waitUntil(what, holds, { clock, limitMs, everyMs: 1_000, pass: (ms) => this.pass(ms) });
  }

  pass(ms: number): Promise<void> {
    return this.simulation.runUntil(this.simulation.elapsed + ms);
  }

  /** Whether a condition of a pool has this status. */
  async hasCondition(pool: string, type: string, status: string): Promise<boolean> {
    const { conditions = [] } = (await this.pool(pool)).status ?? {};
    return conditions.some((condition) => condition.type === type && condition.status === status);
  }

  /** Everything that a pool asks for is there. */
  async isRolledOut(pool: string, version: string): Promise<boolean> {
    const { spec, status } = await this.pool(pool);
    const quiet = await Promise.all(
      ['UpdatingVersion', 'UpdatingConfig', 'UpdatingPlatformMachineTemplate'].map((type) =>
        this.hasCondition(pool, type, 'False'),
      ),
    );
    const wanted = spec?.replicas ?? status?.replicas;
    return status?.version === version && status.replicas === wanted && quiet.every(Boolean);
  }

  /** What the process under test has written since an event of the log: `create secrets user-data-a-1`. */
  writes(since = 0): readonly string[] {
    return writesOf(this.simulation.log.events.slice(since), OPERATOR);
  }

  /** The requests of the process under test, except watches. */
  requests(since = 0): readonly string[] {
    return requestsOf(this.simulation.log.events.slice(since), OPERATOR);
  }

  /** How what has a word in its name came to its end. */
  scenario(since: number, word: string): readonly string[] {
    return endOf(this.simulation.log.events.slice(since), word, OPERATOR);
  }

  /** A client that may do everything in the hosted cluster. */
  guest(): Client {
    const { server } = this.#guests.ensure(HOME, INFRA_ID);
    const clock = this.simulation.timeline.clock();
    return new Client(server, { clock, random: systemRandom('guest'), user: GUEST_CONTROLLERS });
  }

  get logLength(): number {
    return this.simulation.log.events.length;
  }
}

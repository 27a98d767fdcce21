import type { StoreSnapshot } from '@capstan/apiserver';
import { conversionPlatforms } from '@capstan/cli/platforms';
import { Client, systemRandom } from '@capstan/kube';
import type { ResourceKind } from '@capstan/kube';
import { waitToSee, waitUntil } from '@capstan/kube/testing';
import { CLUSTER_API_NAMESPACE, MAPI_MACHINE_SETS, MAPI_MACHINES } from '@capstan/machine-api';
import { ignoreNotFound, isConflict } from '@capstan/meta';
import type { JsonObject, KubeObject, Random, Transport } from '@capstan/meta';
import type { ConversionPlatforms } from '@capstan/provider';
import { MACHINE_API_NAMESPACE, machineSetObject, Simulation } from '@capstan/simulation';
import type { ProcessDefinition, SimulationOptions } from '@capstan/simulation';
import { Cloud } from '@capstan/upstream';
import { accountOf, ADMINS, controllersOf, OPERATOR, operatorOf } from './processes.js';
import type { ProcessSettings } from './processes.js';
import { SET, unsettled } from './settled.js';
import type { Mirrored, Settled } from './settled.js';
import { syncSnapshot } from './snapshot.js';

/** Whether an object is not there (any more). */
export async function isGone(reading: Promise<unknown>): Promise<boolean> {
  return (await reading.catch(ignoreNotFound)) === undefined;
}

const LIMIT_MS = 900_000;
const SERVER_MS = 1_000;
/** Who calls the cloud for Machine API. */
export const MACHINE_API_CALLER = 'machine-api';
const CALLS: ReadonlySet<string> = new Set(['create', 'terminate']);

/** What the cluster of a test is like. */
export interface SyncOptions extends Partial<SimulationOptions> {
  /** Whether the operator is started later. */
  readonly isOperatorAbsent?: boolean | undefined;
  readonly processes?: ProcessSettings | undefined;
}

/** Both APIs, their controllers, one cloud, and the operator between them, in virtual time. */
export class SyncFixture {
  readonly simulation: Simulation;
  readonly cloud: Cloud;
  /** An administrator, for whom nothing goes wrong. */
  readonly client: Client;
  readonly #random: Random;
  readonly #operator: ProcessDefinition;

  constructor(snapshot: StoreSnapshot, platforms: ConversionPlatforms, options: SyncOptions = {}) {
    const { isOperatorAbsent = false, processes, ...simulated } = options;
    this.simulation = new Simulation({ seed: 1, authorization: 'rbac', ...simulated, snapshot });
    const clock = this.simulation.timeline.clock();
    this.cloud = new Cloud({ clock, random: this.simulation.random.split('cloud') });
    const send: Transport['send'] = async (request) => {
      while (!this.simulation.isServerUp) await this.pass(SERVER_MS);
      return this.simulation.server.send(request);
    };
    this.client = new Client({ send }, { clock, random: systemRandom('user'), userAgent: 'kubectl' });
    this.#random = systemRandom(`user ${options.seed ?? 1}`);
    this.#operator = operatorOf(platforms, processes);
    for (const each of controllersOf(this.simulation, this.cloud, processes)) this.simulation.spawn(each);
    if (!isOperatorAbsent) this.startOperator();
  }

  static async create(options: SyncOptions = {}): Promise<SyncFixture> {
    return new SyncFixture(await syncSnapshot(), await conversionPlatforms(), options);
  }

  /** Ends the operator, at once. */
  stopOperator(): void {
    this.simulation.stop(OPERATOR);
  }

  startOperator(): void {
    this.simulation.spawn(this.#operator);
  }

  /** Lets virtual time pass until something is so. */
  until<T>(what: string, look: () => Promise<T | undefined | false>, limitMs = LIMIT_MS): Promise<T> {
    const { simulation } = this;
    const clock = simulation.timeline.clock();
    return waitUntil(what, look, {
      clock,
      limitMs,
      everyMs: 500,
      pass: (ms) => simulation.runUntil(simulation.elapsed + ms),
    });
  }

  async pass(ms: number): Promise<void> {
    await this.simulation.runUntil(this.simulation.elapsed + ms);
  }

  /** A whole number below another, of this trial. */
  below(limit: number): number {
    return this.#random.below(limit);
  }

  /** Writes again what another client has changed in between. */
  async retried<T>(write: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await write();
      } catch (error) {
        if (!isConflict(error)) throw error;
        await this.pass(SERVER_MS);
      }
    }
  }

  /** A client of an account, with the permissions of an administrator besides. */
  #as(namespace: string, name: string): Client {
    const { server, timeline } = this.simulation;
    const user = accountOf(namespace, name, ADMINS);
    return new Client(server, { clock: timeline.clock(), random: systemRandom(name), userAgent: name, user });
  }

  /** Changes an object of Cluster API as one of its controllers, which no policy restricts. */
  async dispute(kind: ResourceKind, name: string, value: JsonObject): Promise<void> {
    const controller = this.#as(CLUSTER_API_NAMESPACE, 'capi-controller-manager');
    await this.retried(() =>
      controller.patch(kind, name, { type: 'merge', value }, { namespace: CLUSTER_API_NAMESPACE }),
    );
  }

  /** Scales a set as the cluster autoscaler does. */
  async autoscale(kind: ResourceKind, name: string, namespace: string, replicas: number): Promise<void> {
    const autoscaler = this.#as(MACHINE_API_NAMESPACE, 'cluster-autoscaler');
    const value = { spec: { replicas } };
    await this.retried(() =>
      autoscaler.patch(kind, name, { type: 'merge', value }, { namespace, subresource: 'scale' }),
    );
  }

  async machines(): Promise<readonly Mirrored[]> {
    return (await this.client.list<Mirrored>(MAPI_MACHINES, { namespace: MACHINE_API_NAMESPACE })).items;
  }

  /** Creates the set, and waits until its machines run and are mirrored. */
  async begin(machines: number): Promise<void> {
    await this.client.create(MAPI_MACHINE_SETS, machineSetObject(SET, machines));
    await this.settled({ machines, authority: 'MachineAPI' });
  }

  /** Asks for authority over the set and its machines to move. */
  async ask(authority: 'ClusterAPI' | 'MachineAPI', of = { set: true, machines: true }): Promise<void> {
    const value = { spec: { authoritativeAPI: authority } };
    const at = { namespace: MACHINE_API_NAMESPACE };
    const patch = (kind: ResourceKind, name: string): Promise<unknown> =>
      this.retried(() => this.client.patch(kind, name, { type: 'merge', value }, at)).catch(ignoreNotFound);
    if (of.set) await patch(MAPI_MACHINE_SETS, SET);
    if (!of.machines) return;
    for (const { metadata } of await this.machines()) await patch(MAPI_MACHINES, metadata.name ?? '');
  }

  /** Waits until so many machines run, all with one authority, and both copies of each agree. */
  async settled({ authority, machines }: Settled): Promise<void> {
    const look = (): Promise<string> => unsettled(this, { machines, authority });
    const { simulation } = this;
    await waitToSee(`${machines} machines with ${authority}`, look, (seen) => seen === '', {
      clock: simulation.timeline.clock(),
      limitMs: LIMIT_MS,
      everyMs: 500,
      pass: (ms) => simulation.runUntil(simulation.elapsed + ms),
    });
  }

  /** What was asked of the cloud since a moment, but for reads: of how many instances. A repeated call is one. */
  cloudCalls(sinceMs: number): Readonly<Record<string, number>> {
    const counts: Record<string, number> = {};
    const calls = this.cloud.log.filter(
      ({ at, caller, operation, outcome }) =>
        at >= sinceMs && caller !== '' && CALLS.has(operation) && outcome === 'ok',
    );
    for (const { operation } of new Map(calls.map((each) => [`${each.operation} ${each.id}`, each])).values())
      counts[operation] = (counts[operation] ?? 0) + 1;
    return counts;
  }

  find<T extends KubeObject>(kind: ResourceKind, name: string, namespace: string): Promise<T | undefined> {
    return this.client.get<T>(kind, name, { namespace }).catch(ignoreNotFound);
  }

  end(): void {
    this.simulation.end();
  }
}

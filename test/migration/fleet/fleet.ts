import { ApiServer } from '@capstan/apiserver';
import type { StoreSnapshot } from '@capstan/apiserver';
import type { HostedCluster } from '@capstan/api/hypershift';
import {
  FLEET_CONFIG_MAP,
  HOSTED_CLUSTERS,
  lockOf,
  MANUAL_ROLLBACK,
  rollbackOf,
  withLock,
  withRollback,
} from '@capstan/hosting';
import { addMigrationController } from '@capstan/hypershift';
import { Client, Manager, patchFrom, silentLogger, systemRandom } from '@capstan/kube';
import { ManualClock } from '@capstan/kube/testing';
import type { KubeObject, Transport } from '@capstan/meta';
import { installDefinitions } from '@capstan/tools/hosting';
import { bothGroups, CONFIG_MAPS, createFleet, MigrationFixture } from '../fixture.js';
import { hostedKinds, HostedMigration } from '../hosted.js';
import { sharingProvider } from '../sharing-provider.js';

const NAMESPACES = { group: '', version: 'v1', plural: 'namespaces', namespaced: false } as const;
const OPERATOR = 'hypershift';
const START = Date.parse('2026-01-01T00:00:00Z');
const STEP_MS = 2_500;
const MOST_STEPS = 4_000;

/** A server with the kinds of hosted clusters and of Cluster API, and the namespace of the operator. */
export async function emptyServer(): Promise<StoreSnapshot> {
  const server = new ApiServer({ clock: new ManualClock(START - 1_000), random: systemRandom('fleet') });
  const client = new Client(server, { userAgent: 'test' });
  await installDefinitions(client, [...bothGroups(), ...hostedKinds(), ...sharingProvider()]);
  await client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: OPERATOR } });
  return server.store.snapshot({ history: false });
}

/** Several hosted clusters under one migration controller, which runs as the operator runs it; time is its own. */
export class Fleet {
  readonly clock = new ManualClock(START);
  readonly server: ApiServer;
  readonly client: Client;
  readonly clusters = new Map<string, HostedMigration>();
  /** Which clusters were locked together, and which were locked for a migration, in order. */
  readonly lockedTogether: string[] = [];
  readonly started: string[] = [];
  /** The connection of the migration. */
  transport: Transport;
  /** Called after each step of time. */
  onStep: () => Promise<void> = () => Promise.resolve();
  readonly #locks = new Map<string, string>();
  #manager: Manager | undefined;
  #end: AbortController | undefined;
  #ended: Promise<void> = Promise.resolve();

  constructor(snapshot: StoreSnapshot) {
    this.server = new ApiServer({ clock: this.clock, random: systemRandom('fleet-run'), snapshot });
    this.transport = this.server;
    this.client = new Client(this.server, { userAgent: 'test' });
    this.server.store.subscribe(({ current }) => this.#observe(current.object()));
  }

  static async of(snapshot: StoreSnapshot, names: readonly string[]): Promise<Fleet> {
    const fleet = new Fleet(snapshot);
    for (const name of names) {
      const fixture = await MigrationFixture.start(fleet.server, `clusters-${name}`);
      const hosted = HostedMigration.on(fixture, fleet.clock);
      await hosted.ensureHome();
      await createFleet(fixture, false);
      await hosted.begin();
      fleet.clusters.set(name, hosted);
      // Of another age than the next one.
      await fleet.clock.advance(1_000);
    }
    return fleet;
  }

  /** Which attempts hold a lock, and of them which are rollbacks by hand. */
  #observe(object: KubeObject): void {
    if (object.kind !== HOSTED_CLUSTERS.kind) return;
    const name = object.metadata.name ?? '';
    const lock = lockOf(object);
    if (lock.holder !== 'migration') this.#locks.delete(name);
    else if (this.#locks.get(name) !== lock.journal.id) {
      this.#locks.set(name, lock.journal.id);
      if (rollbackOf(object as HostedCluster)?.reason !== MANUAL_ROLLBACK) this.started.push(name);
      if (this.#locks.size > 1) this.lockedTogether.push([...this.#locks.keys()].join(' '));
    }
  }

  get locked(): readonly string[] {
    return [...this.#locks.keys()];
  }

  get metrics(): readonly string[] {
    const page = this.#manager?.metrics.render() ?? '';
    return page.split('\n').filter((line) => line.startsWith('hypershift_private_capi') && !line.includes('_bucket'));
  }

  hosted(name: string): HostedMigration {
    const found = this.clusters.get(name);
    if (found === undefined) throw new Error(`no cluster ${name}`);
    return found;
  }

  /** The operator begins to run. */
  start(): void {
    const end = new AbortController();
    const manager = new Manager({ transport: this.transport, clock: this.clock, random: systemRandom('operator') });
    const [hosted] = this.clusters.values();
    if (hosted === undefined) throw new Error('there are no clusters');
    const mayAct = (): Promise<boolean> => Promise.resolve(true);
    const { ignoresClusterPause: _, ...parts } = hosted.partsOn(this.transport);
    const ignoresClusterPause = (): boolean => false;
    addMigrationController(manager, {
      ...parts,
      logger: silentLogger(),
      ignoresClusterPause,
      namespace: OPERATOR,
      mayAct,
    });
    this.#manager = manager;
    this.#end = end;
    this.#ended = manager.run(end.signal).catch(() => undefined);
  }

  /** The operator ends. */
  async stop(): Promise<void> {
    this.#end?.abort();
    await this.pass(60_000);
    await this.#ended;
    this.#manager = undefined;
  }

  /** Lets time pass; everybody else acts on what is locked. */
  async pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += STEP_MS) await this.#step();
  }

  /** Lets time pass until something is so. */
  async until(what: string, isSo: () => Promise<boolean> | boolean): Promise<void> {
    for (let steps = 0; steps < MOST_STEPS; steps += 1) {
      if (await isSo()) return;
      await this.#step();
    }
    const conditions = await Promise.all([...this.clusters.values()].map((each) => each.condition()));
    throw new Error(`never: ${what}; ${conditions.join('; ')}`);
  }

  async #step(): Promise<void> {
    await this.clock.advance(STEP_MS);
    for (const name of this.locked) await this.hosted(name).play();
    await this.onStep();
    await new Promise((resolve) => setImmediate(resolve));
  }

  /** How each cluster stands: the reason of its condition. */
  async states(): Promise<Readonly<Record<string, string>>> {
    const found: Record<string, string> = {};
    for (const [name, hosted] of this.clusters) found[name] = /^\S+ (\w+)/u.exec(await hosted.condition())?.[1] ?? '';
    return found;
  }

  /** What users order. */
  async order(data: Readonly<Record<string, string>>): Promise<void> {
    const metadata = { name: FLEET_CONFIG_MAP, namespace: OPERATOR };
    const at = { namespace: OPERATOR };
    await this.client.delete(CONFIG_MAPS, FLEET_CONFIG_MAP, at).catch(() => undefined);
    await this.client.create(CONFIG_MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data });
  }

  async hold(): Promise<string | undefined> {
    const stored = await this.client.get(CONFIG_MAPS, FLEET_CONFIG_MAP, { namespace: OPERATOR });
    return (stored['data'] as Readonly<Record<string, string>>)['hold'];
  }

  /** A user asks for a migrated cluster to be brought back. */
  async rollBack(name: string): Promise<void> {
    const before = await this.hosted(name).hostedCluster();
    const locked = withLock(before, { id: `back-${name}`, startedAt: '2026-01-01T00:00:00Z' });
    const after = withRollback(locked, { reason: MANUAL_ROLLBACK });
    await patchFrom(this.client, HOSTED_CLUSTERS, { before, after }, { optimisticLock: true });
  }

  async close(): Promise<void> {
    if (this.#manager !== undefined) await this.stop();
    for (const { fixture } of this.clusters.values()) await fixture.close();
  }
}

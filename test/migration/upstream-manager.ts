import { setTimeout as delay } from 'node:timers/promises';
import { Client, systemClock, systemRandom } from '@capstan/kube';
import { waitToSee, waitUntil } from '@capstan/kube/testing';
import type { KubeObject } from '@capstan/meta';
import { serveGuests } from '@capstan/simulation';
import {
  CLUSTER,
  GUEST_CONTROLLERS,
  joinNodes,
  NAMESPACE,
  Scenario,
  snapshot,
  testDefinitions,
  testProvider,
} from '@capstan/simulation/testing';
import { clusterApiDefinitions, OriginalManager } from '@capstan/tools';
import { installDefinitions } from '@capstan/tools/hosting';
import type { ServerAccess } from '@capstan/tools';
import { clockCarry, Cloud, cloudClient, isLiving } from '@capstan/upstream';
import { parse } from 'yaml';
import { startFront } from '../cluster-api/private-front.js';
import type { PrivateFront } from '../cluster-api/private-front.js';
import { transportTo } from '../src/transport.js';
import { requestRollback } from './by-hand.js';
import { MigrationFixture } from './fixture.js';
import { hostedKinds, HostedMigration, TEST_SIDECAR } from './hosted.js';

const NAMESPACES = { group: '', version: 'v1', plural: 'namespaces', namespaced: false };
const SERVED_MS = 3_000;
const LIMIT_MS = 300_000;
/** Longer than the upstream manager lets a MachineHealthCheck wait for its next reconcile. */
const QUIET_MS = 18_000;
const LOOK_MS = 500;
const QUICK = { boot: [300, 900], terminate: [200, 500], stop: [100, 200], consistency: [0, 50] } as const;

/** The objects as text, with their number. */
export type Snapshot = Record<string, number>;

/** What a manager sees before and after each move, and the instances that live then. */
export interface Moves {
  readonly seen: readonly Snapshot[];
  readonly instances: readonly (readonly string[])[];
  /** How each way ended, as the HostedCluster reports it. */
  readonly conditions: readonly string[];
}

/** Who runs a cluster at a time: the upstream manager and a provider, that see the server one way. */
interface Crew {
  readonly client: Client;
  stop(): Promise<void>;
}

/**
 * A cluster of the upstream manager of Cluster API that the migration moves to the private groups, where another process
 * of it goes on through the proxy, and back again to a third.
 */
export async function moveThereAndBack(access: ServerAccess): Promise<Moves> {
  const front = await startFront(access);
  const clock = systemClock();
  const transport = transportTo(access);
  const direct = new Client(transport, { userAgent: 'test' });
  const served = await serveGuests({ clock, random: systemRandom(), port: 0 });
  const guest: Surroundings['guest'] = (namespace, name) => served.guests.ensure(namespace, name);
  const cloud = new Cloud({ clock, random: systemRandom(), timings: QUICK });
  joinNodes({ cloud, clock, random: systemRandom(), guestOf: () => guest(NAMESPACE, CLUSTER) });
  const moves: { seen: Snapshot[]; instances: string[][]; conditions: string[] } = {
    seen: [],
    instances: [],
    conditions: [],
  };
  let fixture: MigrationFixture | undefined;
  let crews: Crews | undefined;
  try {
    await install(direct, front);
    fixture = MigrationFixture.on(transport, NAMESPACE);
    const hosted = await HostedMigration.create(fixture);
    await hosted.begin();
    const at = { standard: access, private: front.access };
    const current = (crews = new Crews(hosted, at, { cloud, guest }));
    await current.follow();
    hosted.playOthers = () => current.follow();
    const look = async (): Promise<void> => {
      const admin = new Client(guest(NAMESPACE, CLUSTER).server, { user: GUEST_CONTROLLERS });
      moves.seen.push(await settled(current.client, admin));
      const living = cloud.instances.filter(isLiving).map(({ id }) => id);
      moves.instances.push(living.toSorted());
    };
    const scenario = (): Scenario =>
      new Scenario(
        { client: current.client, clock, random: systemRandom(), cloud, guest, act: (work) => work, until },
        { replicas: 2, unhealthySeconds: 1 },
      );
    await scenario().grow();
    await look();
    await hosted.lock();
    await hosted.run();
    moves.conditions.push(await hosted.condition());
    await look();
    await scenario().roll();
    await look();
    await requestRollback(hosted);
    await hosted.run();
    moves.conditions.push(await hosted.condition());
    await look();
    await scenario().heal();
    await scenario().end();
    const left = cloud.instances.filter(isLiving);
    if (left.length > 0) throw new Error(`instances are left: ${left.map(({ id }) => id).join(', ')}`);
    return moves;
  } finally {
    await crews?.stop();
    await fixture?.close();
    await transport.close();
    await front.close();
    await served.close();
  }
}

/** What the Deployment of the manager specifies: who runs, and how that sees the server; undefined at no replicas. */
type Shift = 'private' | 'standard' | undefined;

/** Runs the upstream manager and a provider where the Deployment `cluster-api` has a replica, as a kubelet would. */
class Crews {
  readonly #hosted: HostedMigration;
  readonly #access: Readonly<Record<'private' | 'standard', ServerAccess>>;
  readonly #surroundings: Surroundings;
  #shift: Shift;
  #crew: Crew | undefined;

  constructor(
    hosted: HostedMigration,
    access: Readonly<Record<'private' | 'standard', ServerAccess>>,
    surroundings: Surroundings,
  ) {
    this.#hosted = hosted;
    this.#access = access;
    this.#surroundings = surroundings;
  }

  /** As a user of the manager that runs now sees the server. */
  get client(): Client {
    if (this.#crew === undefined) throw new Error('no manager runs');
    return this.#crew.client;
  }

  async follow(): Promise<void> {
    const found = (await this.#hosted.deployments()).find(({ metadata }) => metadata.name === 'cluster-api');
    const replicas = found?.spec.replicas ?? 0;
    const side = found !== undefined && TEST_SIDECAR.has(found) ? 'private' : 'standard';
    const shift = replicas === 0 ? undefined : side;
    if (shift !== this.#shift) {
      await this.stop();
      if (shift !== undefined) this.#crew = await startCrew(this.#access[shift], this.#surroundings);
      this.#shift = shift;
    }
    // The clock of the migration goes on at once, while the manager needs its time.
    if (shift !== undefined) await delay(LOOK_MS);
  }

  async stop(): Promise<void> {
    await this.#crew?.stop();
    this.#crew = undefined;
    this.#shift = undefined;
  }
}

interface Surroundings {
  readonly cloud: Cloud;
  readonly guest: Parameters<typeof testProvider>[0]['guest'];
}

async function startCrew(seen: ServerAccess, { cloud, guest }: Surroundings): Promise<Crew> {
  const client = new Client(transportTo(seen), { userAgent: 'scenario' });
  const stop = new AbortController();
  const carry = clockCarry(systemClock(), systemRandom());
  const provider = testProvider({ transport: transportTo(seen), cloud: cloudClient(cloud, 'provider', carry), guest });
  const running = provider.run(stop.signal);
  const manager = new OriginalManager();
  await manager.start(seen, client, { admits: false, electsIn: undefined });
  return {
    client,
    stop: async () => {
      stop.abort();
      await running.catch(() => undefined);
      await manager.stop();
    },
  };
}

async function install(client: Client, front: PrivateFront): Promise<void> {
  const published = (await clusterApiDefinitions()).map((text) => parse(text) as KubeObject);
  const infrastructure = testDefinitions().filter(({ metadata }) => metadata.name?.startsWith('test') === true);
  await installDefinitions(client, [...front.definitions([...published, ...infrastructure]), ...hostedKinds()]);
  await client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
  await delay(SERVED_MS);
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  await waitUntil(what, holds, { clock: systemClock(), limitMs: LIMIT_MS, everyMs: 200 });
}

/** What the manager sees once nothing is written any more. */
async function settled(client: Client, guest: Client): Promise<Snapshot> {
  let before: Snapshot | undefined;
  const look = async (): Promise<Snapshot | undefined> => {
    const now = await snapshot(client, guest);
    const last = before;
    before = now;
    return last !== undefined && JSON.stringify(sorted(last)) === JSON.stringify(sorted(now)) ? now : undefined;
  };
  const options = { clock: systemClock(), limitMs: LIMIT_MS, everyMs: QUIET_MS };
  const found = await waitToSee('the controllers stop writing', look, (now) => now !== undefined, options);
  return found as Snapshot;
}

function sorted(of: Snapshot): [string, number][] {
  return Object.entries(of).toSorted(([a], [b]) => (a < b ? -1 : 1));
}

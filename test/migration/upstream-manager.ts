import { setTimeout as delay } from 'node:timers/promises';
import { GarbageCollector } from '@capstan/cluster';
import { Client, Discovery, patchFrom, silentLogger, systemClock, systemRandom } from '@capstan/kube';
import { waitToSee, waitUntil } from '@capstan/kube/testing';
import type { KubeObject } from '@capstan/meta';
import {
  copyObjects,
  findOwned,
  ownerOf,
  removeWithoutFinalizing,
  repointOwned,
  takeInventory,
} from '@capstan/migration';
import type { MovedObject } from '@capstan/migration';
import type { Side } from '@capstan/translate';
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
import type { ServerAccess } from '@capstan/tools';
import { clockCarry, Cloud, cloudClient, isLiving } from '@capstan/upstream';
import { parse } from 'yaml';
import { startFront } from '../cluster-api/private-front.js';
import type { PrivateFront } from '../cluster-api/private-front.js';
import { transportTo } from '../src/transport.js';
import { MAPPING } from './fixture.js';

const DEFINITIONS = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
};
const NAMESPACES = { group: '', version: 'v1', plural: 'namespaces', namespaced: false };
const SERVED_MS = 3_000;
const LIMIT_MS = 240_000;
const QUICK = { boot: [300, 900], terminate: [200, 500], stop: [100, 200], consistency: [0, 50] } as const;

/** The objects as text, with their number. */
export type Snapshot = Record<string, number>;

/** What a manager sees before and after each move, and the instances that live then. */
export interface Moves {
  readonly seen: readonly Snapshot[];
  readonly instances: readonly (readonly string[])[];
}

/** Who runs a cluster at a time: the upstream manager and a provider, that see the server one way. */
interface Crew {
  readonly client: Client;
  stop(): Promise<void>;
}

/**
 * A cluster of the upstream manager of Cluster API that is moved to the private groups, where another one goes on with it
 * through the proxy, and back again to a third.
 */
export async function moveThereAndBack(access: ServerAccess): Promise<Moves> {
  const front = await startFront(access);
  const clock = systemClock();
  const direct = new Client(transportTo(access), { userAgent: 'migration' });
  const served = await serveGuests({ clock, random: systemRandom(), port: 0 });
  const guest = (namespace: string, name: string): ReturnType<typeof served.guests.ensure> =>
    served.guests.ensure(namespace, name);
  const cloud = new Cloud({ clock, random: systemRandom(), timings: QUICK });
  joinNodes({ cloud, clock, random: systemRandom(), guestOf: () => guest(NAMESPACE, CLUSTER) });
  const stop = new AbortController();
  const collector = new GarbageCollector({
    client: new Client(transportTo(access), { userAgent: 'collector' }),
    clock,
    random: systemRandom(),
    logger: silentLogger(),
  });
  const collecting = collector.start(stop.signal);
  const hire = async (seen: ServerAccess): Promise<Crew> => startCrew(seen, { cloud, guest });
  const moves: { seen: Snapshot[]; instances: string[][] } = { seen: [], instances: [] };
  let crew: Crew | undefined;
  try {
    await install(direct, front);
    crew = await hire(access);
    const look = async (client: Client): Promise<void> => {
      const admin = new Client(guest(NAMESPACE, CLUSTER).server, { user: GUEST_CONTROLLERS });
      moves.seen.push(await settled(client, admin));
      moves.instances.push(
        cloud.instances
          .filter(isLiving)
          .map(({ id }) => id)
          .toSorted(),
      );
    };
    const scenarioOf = (client: Client): Scenario =>
      new Scenario(
        { client, clock, random: systemRandom(), cloud, guest, act: (work) => work, until },
        { replicas: 2, unhealthySeconds: 1 },
      );
    await scenarioOf(crew.client).grow();
    await look(crew.client);
    await crew.stop();
    await move(direct, 'standard');
    crew = await hire(front.access);
    await look(crew.client);
    await scenarioOf(crew.client).roll();
    await look(crew.client);
    await crew.stop();
    await move(direct, 'private');
    crew = await hire(access);
    await look(crew.client);
    const last = scenarioOf(crew.client);
    await last.heal();
    await last.end();
    const left = cloud.instances.filter(isLiving);
    if (left.length > 0) throw new Error(`instances are left: ${left.map(({ id }) => id).join(', ')}`);
    return moves;
  } finally {
    stop.abort();
    await crew?.stop();
    await collecting.catch(() => undefined);
    await front.close();
    await served.close();
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

/** What the migration controller does between scaling down and scaling up. */
async function move(client: Client, side: Side): Promise<void> {
  const options = { client, discovery: new Discovery(client), mapping: MAPPING, namespace: NAMESPACE };
  const clusters = (await takeInventory({ ...options, side })).filter(({ object }) => object.kind === 'Cluster');
  for (const cluster of clusters) await pause(client, cluster, true);
  const originals = await takeInventory({ ...options, side });
  const copies = await copyObjects(originals, options);
  const { objects } = await findOwned(options, new Set(copies.keys()));
  await repointOwned(options, objects, new Map([...copies].map(([uid, copy]) => [uid, ownerOf(copy)])));
  await removeWithoutFinalizing(originals, { client });
  await until('the originals are deleted', async () => (await takeInventory({ ...options, side })).length === 0);
  const other = side === 'standard' ? 'private' : 'standard';
  for (const cluster of await takeInventory({ ...options, side: other }))
    if (cluster.object.kind === 'Cluster') await pause(client, cluster, false);
}

async function pause(client: Client, { kind, object: before }: MovedObject, paused: boolean): Promise<void> {
  const { paused: _, ...spec } = before['spec'] as { readonly paused?: boolean };
  const after: KubeObject = { ...before, spec: paused ? { ...spec, paused } : spec };
  await patchFrom(client, kind.source, { before, after }, { optimisticLock: true });
}

async function install(client: Client, front: PrivateFront): Promise<void> {
  const published = (await clusterApiDefinitions()).map((text) => parse(text) as KubeObject);
  const infrastructure = testDefinitions().filter(({ metadata }) => metadata.name?.startsWith('test') === true);
  for (const definition of front.definitions([...published, ...infrastructure]))
    await client.create(DEFINITIONS, definition);
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
  const options = { clock: systemClock(), limitMs: LIMIT_MS, everyMs: 3_000 };
  const found = await waitToSee('the controllers stop writing', look, (now) => now !== undefined, options);
  return found as Snapshot;
}

function sorted(of: Snapshot): [string, number][] {
  return Object.entries(of).toSorted(([a], [b]) => (a < b ? -1 : 1));
}

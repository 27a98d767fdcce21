import { GarbageCollector } from '@capstan/cluster';
import { Client, HttpTransport, silentLogger, systemClock, systemRandom, untrustedConnection } from '@capstan/kube';
import { waitToSee, waitUntil } from '@capstan/kube/testing';
import type { KubeObject, Transport } from '@capstan/meta';
import { serveGuests } from '@capstan/simulation';
import {
  CLUSTER,
  GUEST_CONTROLLERS,
  joinNodes,
  NAMESPACE,
  snapshot,
  Scenario,
  testDefinitions,
  testProvider,
} from '@capstan/simulation/testing';
import type { Moment } from '@capstan/simulation/testing';
import { clusterApiDefinitions } from '@capstan/tools';
import { parse } from 'yaml';
import { hasOriginal, OriginalManager } from '@capstan/tools';
import type { ServerAccess } from '@capstan/tools';
import { installDefinitions } from '@capstan/tools/hosting';
import { clockCarry, Cloud, cloudClient, clusterApiManager, isLiving } from '@capstan/upstream';
import type { PrivateFront } from './private-front.js';
import { Managers } from './managers.js';
import { transportTo } from '../src/transport.js';

/** Whose core manager does the work. */
export type Who = 'ours' | 'upstream';

const NAMESPACES = { group: '', version: 'v1', plural: 'namespaces', namespaced: false };
const STEP_LIMIT_MS = 240_000;
const REST_LIMIT_MS = 120_000;
const REPLICAS = 2;
const QUICK = { boot: [300, 900], terminate: [200, 500], stop: [100, 200], consistency: [0, 50] } as const;

/** The objects at each moment of the scenario, each as text, with their number. */
export type Snapshots = Partial<Record<Moment, Record<string, number>>>;

/** Runs the life of a cluster on a server with one of the managers; returns the objects at each moment. */
export async function runScenario(access: ServerAccess, who: Who, front?: PrivateFront): Promise<Snapshots> {
  const clock = systemClock();
  // The manager of Cluster API may be shown private kinds; the other controllers of the server are not.
  const seen = front?.access ?? access;
  const transport = (): Transport => transportTo(seen);
  const client = new Client(transport(), { userAgent: 'scenario' });
  const direct = new Client(transportTo(access), { userAgent: 'scenario' });
  const upstream = who === 'upstream' ? new OriginalManager() : undefined;
  const managers = upstream === undefined ? undefined : new Managers(upstream, { direct, until, front });
  const stop = new AbortController();
  const { signal } = stop;
  const served = await serveGuests({ clock, random: systemRandom(), port: 0 });
  const running: Promise<unknown>[] = [];
  try {
    await install(direct, upstream, front);
    const cloud = new Cloud({ clock, random: systemRandom(), timings: QUICK });
    const guest = (namespace: string, name: string): ReturnType<typeof served.guests.ensure> =>
      served.guests.ensure(namespace, name);
    joinNodes({ cloud, clock, random: systemRandom(), guestOf: () => guest(NAMESPACE, CLUSTER) });
    const carry = clockCarry(clock, systemRandom());
    const provider = testProvider({ transport: transport(), cloud: cloudClient(cloud, 'provider', carry), guest });
    const collector = new GarbageCollector({
      client: new Client(transportTo(access), { userAgent: 'collector' }),
      clock,
      random: systemRandom(),
      logger: silentLogger(),
    });
    running.push(provider.run(signal), collector.start(signal));
    if (upstream === undefined) {
      const connectGuest = async ({ kubeconfig }: { kubeconfig: string }): Promise<Transport> =>
        new HttpTransport(await untrustedConnection(kubeconfig, { origin: 'the Secret' }));
      running.push(clusterApiManager({ transport: transport(), connectGuest }).run(signal));
    } else await managers?.begin(seen, client);
    const snapshots: Snapshots = {};
    const guestClient = (): Client => new Client(guest(NAMESPACE, CLUSTER).server, { user: GUEST_CONTROLLERS });
    const at = async (moment: Moment): Promise<void> => {
      snapshots[moment] = await settledSnapshot(client, guestClient());
      await front?.look(client, direct);
    };
    const scenario = new Scenario(
      { client, clock, random: systemRandom(), cloud, guest, act: (work) => work, until },
      { replicas: REPLICAS, unhealthySeconds: 1, at },
    );
    await wholeLife(scenario, managers, cloud);
    await front?.expectUntouched(direct);
    return snapshots;
  } catch (error) {
    throw managers === undefined ? error : new Error(`${String(error)}\n${managers.logTail()}`, { cause: error });
  } finally {
    stop.abort();
    await Promise.allSettled(running);
    await managers?.end();
    await served.close();
  }
}

/** From the first machine to the last, with another manager in the middle where there is one. */
async function wholeLife(scenario: Scenario, managers: Managers | undefined, cloud: Cloud): Promise<void> {
  await scenario.grow();
  await scenario.roll();
  await managers?.pass();
  await scenario.heal();
  await scenario.end();
  const left = cloud.instances.filter(isLiving).map(({ id }) => id);
  if (left.length > 0) throw new Error(`the cluster is gone and instances are left: ${left.join(', ')}`);
}

/** The same twice in a row: no controller is still writing. */
async function settledSnapshot(client: Client, guest: Client): Promise<Record<string, number>> {
  let before: Record<string, number> | undefined;
  const look = async (): Promise<{ now: Record<string, number>; changed: string[] | undefined }> => {
    const [now, last] = [await snapshot(client, guest), before];
    before = now;
    if (last === undefined) return { now, changed: undefined };
    const keys = [...new Set([...Object.keys(now), ...Object.keys(last)])];
    return { now, changed: keys.filter((text) => now[text] !== last[text]) };
  };
  const options = { clock: systemClock(), limitMs: REST_LIMIT_MS, everyMs: 2_000 };
  const isAtRest = ({ changed }: { changed: string[] | undefined }): boolean => changed?.length === 0;
  return (await waitToSee('the controllers stop writing', look, isAtRest, options)).now;
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  await waitUntil(what, holds, { clock: systemClock(), limitMs: STEP_LIMIT_MS, everyMs: 200 });
}

async function install(
  client: Client,
  upstream: OriginalManager | undefined,
  front: PrivateFront | undefined,
): Promise<void> {
  const definitions = await definitionsFor(upstream);
  await installDefinitions(client, front?.definitions(definitions) ?? definitions);
  await client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
  await front?.settle(client);
}

/** The published CRDs where there is an upstream manager to compare with, else our own. */
async function definitionsFor(upstream: OriginalManager | undefined): Promise<KubeObject[]> {
  if (!hasOriginal()) return testDefinitions();
  const published = (await clusterApiDefinitions()).map((text) => parse(text) as KubeObject);
  const core = upstream === undefined ? published : await upstream.definitions(published);
  return [...core, ...testDefinitions().filter(({ metadata }) => metadata.name?.startsWith('test') === true)];
}

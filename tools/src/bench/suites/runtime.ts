import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ApiServer } from '@capstan/apiserver';
import {
  Cache,
  Client,
  EventChannel,
  fixedCredentials,
  HttpTransport,
  Manager,
  silentLogger,
  systemClock,
  systemRandom,
  WorkQueue,
} from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import {
  deployment,
  deploymentProcess,
  DEPLOYMENTS,
  nodeProcess,
  schedulerProcess,
  simulateFleet,
  Simulation,
} from '@capstan/simulation';
import type { BenchContext, BenchRow, BenchSuite, OpenSuite } from '../model.js';
import { Load, configMap } from './apiserver/load.js';
import { startCapstan, type RunningProgram } from './apiserver/programs.js';

const CONFIG_MAPS = { group: '', version: 'v1', plural: 'configmaps', namespaced: true, kind: 'ConfigMap' };
const PATH = '/api/v1/namespaces/default/configmaps';
const CACHED = 10_000;
const RECONCILED = 1_000;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Bytes in use once all that can go has gone. */
async function usedBytes(): Promise<number> {
  for (let round = 0; round < 3; round += 1) {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { external, heapUsed } = process.memoryUsage();
  return heapUsed + external;
}

/** One controller whose reconcile reads its object from the cache and finds nothing to do. */
async function reconciles(context: BenchContext): Promise<number> {
  const server = new ApiServer({ clock: systemClock(), random: systemRandom() });
  const client = new Client(server);
  const objects: KubeObject[] = [];
  for (let at = 0; at < RECONCILED; at += 1) {
    const metadata = { name: `r-${at}`, namespace: 'default' };
    objects.push(await client.create(CONFIG_MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata }));
  }
  const manager = new Manager({ transport: server });
  const channel = new EventChannel('bench');
  let count = 0;
  let turn = (): void => {};
  const controller = manager.controller({
    name: 'bench',
    reconcile: async ({ namespace, name }) => {
      await manager.cache.get(CONFIG_MAPS, name, { namespace });
      count += 1;
      if (count % RECONCILED === 0) turn();
    },
  });
  controller.for(CONFIG_MAPS).from(channel, ({ metadata: { name = '', namespace = '' } }) => [{ name, namespace }]);
  const stop = new AbortController();
  const initial = new Promise<void>((resolve) => (turn = resolve));
  const running = manager.run(stop.signal);
  await initial;
  const round = async (): Promise<void> => {
    const done = new Promise<void>((resolve) => (turn = resolve));
    for (const object of objects) channel.send(object);
    await done;
  };
  const rounds = await context.rateAsync(round);
  stop.abort();
  await running;
  return rounds * RECONCILED;
}

/** The same keys through a bare queue. */
async function bareQueue(context: BenchContext): Promise<number> {
  const queue = new WorkQueue<string>({ clock: systemClock() });
  const keys = Array.from({ length: RECONCILED }, (_, at) => `default/r-${at}`);
  const rounds = await context.rateAsync(async () => {
    for (const key of keys) queue.add(key);
    for (let at = 0; at < RECONCILED; at += 1) queue.done((await queue.get()) ?? '');
  });
  return rounds * RECONCILED;
}

const HOUR_MS = 3_600_000;
const DEPLOYMENTS_AT_ONCE = 10;

/** An hour of ten Deployments with scheduler and node, in a simulation without faults: milliseconds it takes. */
async function simulatedHour(): Promise<number> {
  const simulation = new Simulation({ seed: 1 });
  for (const process of [deploymentProcess(), schedulerProcess(), nodeProcess()]) simulation.spawn(process);
  simulation.spawn({
    name: 'user',
    start: async ({ client }) => {
      for (let at = 0; at < DEPLOYMENTS_AT_ONCE; at += 1)
        await client.create(DEPLOYMENTS, deployment('default', `app-${at}`, 3, 'app:1'));
    },
  });
  const began = performance.now();
  await simulation.runUntil(HOUR_MS);
  const ms = performance.now() - began;
  simulation.end();
  return ms;
}

const CLUSTERS = 10;
const MACHINES_EACH = 2;
const UP_WITHIN_MS = 20 * 60_000;

/** An hour of clusters whose machines are up already: milliseconds it takes. */
async function fleetHour(): Promise<number> {
  const { readyMachines, simulation } = await simulateFleet(CLUSTERS, MACHINES_EACH);
  await simulation.runUntil(UP_WITHIN_MS);
  const ready = await readyMachines();
  if (ready !== CLUSTERS * MACHINES_EACH) throw new Error(`${ready} machines are ready`);
  const began = performance.now();
  await simulation.runUntil(UP_WITHIN_MS + HOUR_MS);
  const ms = performance.now() - began;
  simulation.end();
  return ms;
}

/** As many turns of the event loop as the hour has steps: the cost of a simulation in which nothing is done. */
async function emptyHour(): Promise<number> {
  const simulation = new Simulation({ seed: 1 });
  const clock = simulation.timeline.clock();
  const beat = (): void => void clock.after(1000, beat);
  beat();
  const began = performance.now();
  await simulation.runUntil(HOUR_MS);
  return performance.now() - began;
}

interface Synced {
  readonly ms: number;
  readonly kbPerObject: number;
}

/** A cache of every ConfigMap of the program, from nothing to complete. */
async function sync({ caPem, token, url }: RunningProgram, weigh: boolean): Promise<Synced> {
  const credentials = fixedCredentials({ headers: { authorization: `Bearer ${token}` } });
  const transport = new HttpTransport({ server: url, trust: { caPem }, credentials, namespace: 'default' });
  const client = new Client(transport);
  // The connection is there before: what is measured is the cache.
  await client.get(CONFIG_MAPS, 's-1', { namespace: 'default' });
  const cache = new Cache({ client, clock: systemClock(), random: systemRandom(), logger: silentLogger() });
  const informer = cache.informer(CONFIG_MAPS, { namespace: 'default' });
  const stop = new AbortController();
  const before = weigh ? await usedBytes() : 0;
  const began = performance.now();
  const running = cache.run(stop.signal);
  await cache.whenSynced();
  const ms = performance.now() - began;
  const { size } = informer.store;
  const bytes = weigh ? (await usedBytes()) - before : 0;
  stop.abort();
  await running;
  await transport.close();
  return { ms, kbPerObject: bytes / 1024 / size };
}

/** The same list taken and parsed, and nothing done with it. */
async function plainList({ caPem, token, url }: RunningProgram): Promise<number> {
  const credentials = fixedCredentials({ headers: { authorization: `Bearer ${token}` } });
  const transport = new HttpTransport({ server: url, trust: { caPem }, credentials, namespace: 'default' });
  const client = new Client(transport);
  await client.get(CONFIG_MAPS, 's-1', { namespace: 'default' });
  const began = performance.now();
  await client.list(CONFIG_MAPS, { namespace: 'default', pageSize: 0 });
  const ms = performance.now() - began;
  await transport.close();
  return ms;
}

function rowsOf(program: RunningProgram): BenchRow[] {
  const objects = CACHED.toLocaleString('en');
  return [
    {
      name: 'no-op reconciles of one controller',
      unit: 'ops/s',
      better: 'higher',
      target: 5_000,
      run: reconciles,
      reference: { name: 'a bare queue', run: bareQueue },
    },
    {
      name: `cache of ${objects} objects of 2 KB over HTTPS`,
      unit: 'ms',
      better: 'lower',
      target: 1_000,
      run: async () => (await sync(program, false)).ms,
      reference: { name: 'a list', run: () => plainList(program) },
    },
    {
      name: 'memory of a cached object of 2 KB',
      unit: 'KB',
      better: 'lower',
      target: 6,
      run: async () => (await sync(program, true)).kbPerObject,
    },
    {
      name: `simulated hour of ${DEPLOYMENTS_AT_ONCE} Deployments`,
      unit: 'ms',
      better: 'lower',
      run: simulatedHour,
      reference: { name: 'an hour of 3,600 timers', run: emptyHour },
    },
    {
      name: `simulated hour of a fleet of ${CLUSTERS} clusters`,
      unit: 'ms',
      better: 'lower',
      target: 2_000,
      run: fleetHour,
      reference: { name: 'an hour of 3,600 timers', run: emptyHour },
    },
  ];
}

async function open(): Promise<OpenSuite> {
  const program = await startCapstan('--no-controllers');
  const load = new Load(program);
  await load.fill(CACHED, (at) => load.send('POST', PATH, configMap(`s-${at}`)));
  await load.close();
  return { rows: rowsOf(program), close: () => program.stop() };
}

/** What the controller runtime costs. */
export const runtimeSuite: BenchSuite = { name: 'runtime', open };

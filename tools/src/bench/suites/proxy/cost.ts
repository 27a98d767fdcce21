import type { BenchRow, Measurement } from '../../model.js';
import { Crowd } from './crowd.js';
import { Line } from './latency.js';
import { residentMb, startKubectl, startOurs, kubectlPath, workedMs } from './programs.js';
import type { Behind, Served } from './programs.js';
import type { Proxies } from './way.js';

const OBJECT = '/api/v1/namespaces/default/configmaps/x';
/** More than a proxy remembers: each request is for one that nobody has asked for of late. */
const OBJECTS = Array.from({ length: 20_000 }, (_, at) => `${OBJECT}${at}`);
const LIST = '/api/v1/namespaces/default/configmaps';
const CONNECTIONS = 16;
const WATCHES = 100;
const BUSY_SECONDS = 10;
const REQUESTS_PER_SECOND = 100;
const LARGE_BYTES = 100_000_000;
const LOOK_MS = 10;
const MEGABYTE = 1024 * 1024;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Lets a proxy serve for a while before anything is measured. It runs for weeks: how fast it is in its first second, while
 * its code is compiled and its connections are opened, is nobody's measure of it.
 */
export async function warmUp(proxy: Served, quick: boolean): Promise<void> {
  const crowd = new Crowd(proxy.url, OBJECTS, CONNECTIONS);
  await crowd.many(quick ? 10_000 : 20_000);
  crowd.close();
}

/** Time that a proxy works for 1,000 requests, which other processes on the machine do not lengthen much. */
export function cpuMs(proxy: Served, thousands: number): Measurement {
  return async () => {
    const crowd = new Crowd(proxy.url, OBJECTS, CONNECTIONS);
    await crowd.many(1000);
    const before = workedMs(proxy.pid);
    await crowd.many(thousands * 1000);
    const worked = workedMs(proxy.pid) - before;
    crowd.close();
    return Math.max(1, worked) / thousands;
  };
}

/** How many small requests a proxy takes in a second. */
export function rate(proxy: Served): Measurement {
  return async (context) => {
    const crowd = new Crowd(proxy.url, OBJECTS, CONNECTIONS);
    const asked = await context.rateAsync(() => crowd.ask(), CONNECTIONS);
    crowd.close();
    return asked;
  };
}

async function idleMb(start: () => Promise<Served>): Promise<number> {
  const running = await start();
  await pause(1000);
  const mb = residentMb(running.pid);
  await running.stop();
  return mb;
}

/** The most that is taken while watches are open and requests come. */
async function busyMb(start: () => Promise<Served>): Promise<number> {
  const running = await start();
  const watches = Array.from({ length: WATCHES }, () => new Line(running.url));
  const open = await Promise.all(watches.map((watch) => watch.open('GET', `${LIST}?watch=true`)));
  const asking = new Line(running.url);
  let most = 0;
  for (let at = 0; at < BUSY_SECONDS * REQUESTS_PER_SECOND; at += 1) {
    await Promise.all([asking.ask('GET', OBJECT), pause(1000 / REQUESTS_PER_SECOND)]);
    if (at % REQUESTS_PER_SECOND === 0) most = Math.max(most, residentMb(running.pid));
  }
  most = Math.max(most, residentMb(running.pid));
  for (const response of open) response.on('error', () => {}).destroy();
  for (const line of [asking, ...watches]) line.close();
  await running.stop();
  return most;
}

async function heldBytes(healthUrl: string): Promise<number> {
  const text = await (await fetch(`${healthUrl}/metrics`)).text();
  const value = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  return value('nodejs_heap_size_used_bytes') + value('nodejs_external_memory_bytes');
}

/** How much more heap and external memory a large list takes while it passes, at most. */
async function largeListMb(start: () => Promise<Served>): Promise<number> {
  const running = await start();
  const line = new Line(running.url);
  const health = running.healthUrl ?? '';
  await line.ask('GET', OBJECT);
  const before = await heldBytes(health);
  let most = before;
  let isDone = false;
  const passing = line.ask('GET', `${LIST}?bytes=${LARGE_BYTES}`).finally(() => (isDone = true));
  while (!isDone) {
    most = Math.max(most, await heldBytes(health));
    await pause(LOOK_MS);
  }
  await passing;
  line.close();
  await running.stop();
  return Math.max(0.1, (most - before) / MEGABYTE);
}

/** What a proxy costs before a server that costs next to nothing. */
export function costRows(upstream: Behind, { kubectl, ours }: Proxies, quick: boolean): BenchRow[] {
  const against = (measure: (proxy: Served) => Measurement): Pick<BenchRow, 'reference'> =>
    kubectl === undefined ? {} : { reference: { name: 'kubectl proxy', run: measure(kubectl) } };
  const thousands = quick ? 2 : 5;
  const work: readonly BenchRow[] = [
    { name: 'small bodies over TLS', unit: 'ops/s', better: 'higher', run: rate(ours), ...against(rate) },
    {
      name: 'processor time of 1,000 small bodies over TLS',
      unit: 'ms',
      better: 'lower',
      run: cpuMs(ours, thousands),
      ...against((proxy) => cpuMs(proxy, thousands)),
    },
  ];
  return quick ? [...work] : [...work, ...memoryRows(upstream)];
}

/** Each of them starts a proxy of its own, and takes its time. */
function memoryRows(upstream: Behind): BenchRow[] {
  const program = kubectlPath();
  const start = (): Promise<Served> => startOurs(upstream);
  const against = (measure: (from: () => Promise<Served>) => Promise<number>): Pick<BenchRow, 'reference'> =>
    program === undefined
      ? {}
      : { reference: { name: 'kubectl proxy', run: () => measure(() => startKubectl(program, upstream)) } };
  const row = (
    name: string,
    target: number,
    measure: (from: () => Promise<Served>) => Promise<number>,
  ): Omit<BenchRow, 'reference'> => ({ name, unit: 'MB', better: 'lower', target, run: () => measure(start) });
  const busy = `resident memory, ${REQUESTS_PER_SECOND} requests/s and ${WATCHES} watches`;
  return [
    { ...row('resident memory, idle', 60, idleMb), ...against(idleMb) },
    { ...row(busy, 80, busyMb), ...against(busyMb) },
    row('more heap and external memory while 100 MB pass', 32, largeListMb),
  ];
}

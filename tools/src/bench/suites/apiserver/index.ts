import { ApiServer } from '@capstan/apiserver';
import { systemClock, systemRandom } from '@capstan/kube';
import type { ApiResponse } from '@capstan/meta';
import { locateRealKube, startRealKube, type RealKube } from '../../../real-kube/index.js';
import type { BenchContext, BenchRow, BenchSuite, Measurement, OpenSuite } from '../../model.js';
import { accessRows } from './access.js';
import { customWireRows, defineMachines, definitionRows } from './custom.js';
import { Load, configMap } from './load.js';
import { memoryRows } from './memory.js';
import { podRows } from './pods.js';
import { emptyProcessMs, firstServerMs, startBare, startCapstan, startMs } from './programs.js';
import { storedRows } from './stored.js';
import { webhookRows } from './webhook.js';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const LISTED = 10_000;
const WATCHERS = 1_000;

/** One server under load, with the objects the rows ask for. */
interface Bed {
  readonly load: Load;
  readonly pid: number;
  close(): Promise<void>;
}

async function prepare(target: { url: string; token: string; caPem: string }, count: number): Promise<Load> {
  const load = new Load(target);
  await load.send('POST', '/api/v1/namespaces', JSON.stringify({ metadata: { name: 'listed' } }));
  await load.send('POST', CONFIG_MAPS, configMap('one'));
  await load.fill(count, (at) => load.send('POST', '/api/v1/namespaces/listed/configmaps', configMap(`l-${at}`)));
  return load;
}

const create =
  (load: Load, path = CONFIG_MAPS): Measurement =>
  (context) =>
    load.rate(context, () => load.send('POST', path, configMap(load.nextName())));

const get =
  (load: Load, path = `${CONFIG_MAPS}/one`): Measurement =>
  (context) =>
    load.rate(context, () => load.send('GET', path));

const list =
  (load: Load, path = '/api/v1/namespaces/listed/configmaps'): Measurement =>
  async () => {
    const begin = performance.now();
    await load.send('GET', path);
    return performance.now() - begin;
  };

function wireRows(ours: Load, bare: Load): BenchRow[] {
  const reference = (run: Measurement): { name: string; run: Measurement } => ({ name: 'bare node:https', run });
  return [
    {
      name: 'create a 2 KB ConfigMap over HTTPS',
      unit: 'ops/s',
      better: 'higher',
      target: 2000,
      run: create(ours),
      reference: reference(create(bare, '/')),
    },
    {
      name: 'get a 2 KB ConfigMap over HTTPS',
      unit: 'ops/s',
      better: 'higher',
      target: 5000,
      run: get(ours),
      reference: reference(get(bare, '/')),
    },
    {
      name: 'list 10,000 ConfigMaps over HTTPS',
      unit: 'ms',
      better: 'lower',
      target: 150,
      run: list(ours),
      reference: reference(list(bare, '/list')),
    },
  ];
}

/** The same client against both servers, where the real one can be had. */
function realRows(ours: Load, real: Load, start: { ours: Measurement; realMs: number }): BenchRow[] {
  const reference = (run: Measurement): { name: string; run: Measurement } => ({ name: 'kube-apiserver', run });
  return [
    {
      name: 'create against kube-apiserver',
      unit: 'ops/s',
      better: 'higher',
      target: 2000,
      run: create(ours),
      reference: reference(create(real)),
    },
    {
      name: 'get against kube-apiserver',
      unit: 'ops/s',
      better: 'higher',
      target: 5000,
      run: get(ours),
      reference: reference(get(real)),
    },
    {
      name: 'list 10,000 against kube-apiserver',
      unit: 'ms',
      better: 'lower',
      target: 150,
      run: list(ours),
      reference: reference(list(real)),
    },
    {
      name: 'process start against kube-apiserver',
      unit: 'ms',
      better: 'lower',
      target: 500,
      run: start.ours,
      reference: reference(() => start.realMs),
    },
  ];
}

function newServer(): ApiServer {
  return new ApiServer({ clock: systemClock(), random: systemRandom() });
}

function createIn(server: ApiServer, name: string): ApiResponse {
  const value = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name }, data: { key: 'v'.repeat(1880) } };
  const response = server.handle({ method: 'POST', target: CONFIG_MAPS, headers: {}, body: { type: 'value', value } });
  if (response instanceof Promise || response.status !== 201) throw new Error('the create did not go through');
  return response;
}

/** Opens watchers of one kind; each counts the bytes it is given, as a socket would. */
function watchAll(server: ApiServer, count: number): { bytes: number } {
  const seen = { bytes: 0 };
  for (let at = 0; at < count; at += 1) {
    const response = server.handle({ method: 'GET', target: `${CONFIG_MAPS}?watch=1&resourceVersion=1`, headers: {} });
    if (response instanceof Promise || response.body.type !== 'watch') throw new Error('the watch did not open');
    response.body.start({ frame: (frame) => void (seen.bytes += frame.bytes().length), end: () => undefined });
  }
  return seen;
}

function processRows(): BenchRow[] {
  let count = 0;
  const server = newServer();
  const watched = newServer();
  const seen = watchAll(watched, WATCHERS);
  const sample = configMap('sample');
  return [
    {
      name: 'start in process',
      unit: 'ms',
      better: 'lower',
      target: 20,
      run: (context) => 1000 / context.rate(newServer),
      reference: {
        name: '1,000 JSON.parse of 2 KB',
        run: (context) => 1000 / context.rate(() => repeat(1000, () => JSON.parse(sample) as unknown)),
      },
    },
    {
      name: 'first start in process, with roles',
      unit: 'ms',
      better: 'lower',
      target: 20,
      run: firstServerMs,
      reference: { name: 'an empty process', run: emptyProcessMs },
    },
    {
      name: 'create in process',
      unit: 'ops/s',
      better: 'higher',
      target: 10_000,
      run: (context) => context.rate(() => createIn(server, `p-${(count += 1)}`)),
      reference: {
        name: 'JSON.parse + stringify',
        run: (context) => context.rate(() => JSON.stringify(JSON.parse(sample))),
      },
    },
    {
      name: 'one write to 1,000 watchers',
      unit: 'us',
      better: 'lower',
      run: (context) => 1e6 / context.rate(() => (createIn(watched, `w-${(count += 1)}`), seen.bytes)),
      reference: {
        name: '1,000 JSON.stringify of it',
        run: (context) =>
          1e6 / context.rate(() => repeat(1000, () => JSON.stringify({ type: 'ADDED', object: sample }))),
      },
    },
  ];
}

function repeat(times: number, work: () => unknown): unknown {
  let last: unknown;
  for (let at = 0; at < times; at += 1) last = work();
  return last;
}

async function openReal(context: BenchContext): Promise<RealKube | undefined> {
  return context.quick || locateRealKube() === undefined ? undefined : startRealKube();
}

async function open(context: BenchContext): Promise<OpenSuite> {
  const [capstan, bare] = [await startCapstan(), await startBare()];
  const beds: Bed[] = [];
  const bed = async (program: { pid: number; stop(): Promise<void> }, load: Load): Promise<Load> => {
    beds.push({ load, pid: program.pid, close: () => load.close().then(() => program.stop()) });
    return load;
  };
  const ours = await bed(capstan, await prepare(capstan, LISTED));
  const plain = await bed(bare, new Load(bare));
  await defineMachines(ours);
  const hooked = await webhookRows(ours, plain);
  const stored = await storedRows(context);
  const startRow: BenchRow = {
    name: 'process start to ready',
    unit: 'ms',
    better: 'lower',
    target: 500,
    run: () => startMs(startCapstan),
    reference: { name: 'bare node:https', run: () => startMs(startBare) },
  };
  const rows = [
    startRow,
    ...processRows(),
    ...accessRows(),
    ...definitionRows(),
    ...podRows(),
    ...wireRows(ours, plain),
    ...customWireRows(ours, plain),
    ...hooked.rows,
    ...stored.rows,
    ...(context.quick ? [] : memoryRows()),
  ];
  const real = await openReal(context);
  if (real !== undefined) {
    const { etcdMs, apiserverMs } = real.metricsOfStart;
    const load = await bed({ pid: real.pids.apiserver, stop: () => real.stop() }, await prepare(real, LISTED));
    rows.push(...realRows(ours, load, { ours: () => startMs(startCapstan), realMs: etcdMs + apiserverMs }));
  }
  const close = async (): Promise<void> => {
    await Promise.all(beds.map((each) => each.close()));
    await hooked.close();
    stored.close();
  };
  return { rows, close };
}

/** The embedded API server against a bare HTTPS server and, in full runs, against the real kube-apiserver. */
export const apiserverSuite: BenchSuite = { name: 'apiserver', open };

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchContext, BenchRow, BenchSuite, Measurement, OpenSuite } from '../model.js';
import { Load, configMap } from './apiserver/load.js';
import { startCapstan } from './apiserver/programs.js';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const STORED = 100_000;
const STORED_QUICK = 1_000;

const create =
  (load: Load): Measurement =>
  (context) =>
    load.rate(context, () => load.send('POST', CONFIG_MAPS, configMap(load.nextName())));

/** From spawning a server on the directory to the first page of what is in it, and to all of it. */
async function reopen(data: string, query: string): Promise<number> {
  const running = await startCapstan('--data', data);
  const load = new Load(running);
  const begin = performance.now();
  await load.send('GET', `${CONFIG_MAPS}${query}`);
  const listMs = performance.now() - begin;
  await load.close();
  await running.stop();
  return running.readyMs + listMs;
}

async function fill(data: string, count: number): Promise<void> {
  const running = await startCapstan('--data', data, '--no-controllers');
  const load = new Load(running);
  await load.fill(count, (at) => load.send('POST', CONFIG_MAPS, configMap(`s-${at}`)));
  await load.close();
  await running.stop();
}

function startRows(data: string, count: number): BenchRow[] {
  const objects = count.toLocaleString('en');
  return [
    {
      name: `start with ${objects} stored objects to a page of 500`,
      unit: 'ms',
      better: 'lower',
      target: 3_000,
      run: () => reopen(data, '?limit=500'),
    },
    {
      name: `start with ${objects} stored objects to a list of all`,
      unit: 'ms',
      better: 'lower',
      target: 3_000,
      run: () => reopen(data, ''),
    },
  ];
}

async function open(context: BenchContext): Promise<OpenSuite> {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-bench-'));
  const count = context.quick ? STORED_QUICK : STORED;
  const filled = join(folder, 'filled');
  await fill(filled, count);
  const [durable, memory] = [await startCapstan('--data', join(folder, 'fresh')), await startCapstan()];
  const loads = [new Load(durable), new Load(memory)] as const;
  const rows: BenchRow[] = [
    {
      name: 'durable create of a 2 KB ConfigMap over HTTPS',
      unit: 'ops/s',
      better: 'higher',
      target: 1_000,
      run: create(loads[0]),
      reference: { name: 'in memory', run: create(loads[1]) },
    },
    ...startRows(filled, count),
  ];
  const close = async (): Promise<void> => {
    await Promise.all(loads.map((load) => load.close()));
    await Promise.all([durable.stop(), memory.stop()]);
    rmSync(folder, { recursive: true, force: true });
  };
  return { rows, close };
}

/** What it costs to keep everything on disk. */
export const durableSuite: BenchSuite = { name: 'durable', open };

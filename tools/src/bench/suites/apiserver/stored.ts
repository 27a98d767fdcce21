import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchContext, BenchRow } from '../../model.js';
import { Load, configMap } from './load.js';
import { startBare, startCapstan, startMs } from './programs.js';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const STORED = 100_000;
const STORED_QUICK = 1_000;

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
  const reference = { name: 'start of bare node:https', run: () => startMs(startBare) };
  return [
    {
      name: `start with ${objects} stored objects to a page of 500`,
      unit: 'ms',
      better: 'lower',
      target: 3_000,
      run: () => reopen(data, '?limit=500'),
      reference,
    },
    {
      name: `start with ${objects} stored objects to a list of all`,
      unit: 'ms',
      better: 'lower',
      target: 3_000,
      run: () => reopen(data, ''),
      reference,
    },
  ];
}

/** How soon a server is of use that finds much in its data directory. */
export async function storedRows({ quick }: BenchContext): Promise<{ rows: BenchRow[]; close(): void }> {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-bench-'));
  const count = quick ? STORED_QUICK : STORED;
  await fill(folder, count);
  return { rows: startRows(folder, count), close: () => rmSync(folder, { recursive: true, force: true }) };
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchRow, BenchSuite, Measurement, OpenSuite } from '../model.js';
import { Load, configMap } from './apiserver/load.js';
import { startCapstan } from './apiserver/programs.js';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

const create =
  (load: Load): Measurement =>
  (context) =>
    load.rate(context, () => load.send('POST', CONFIG_MAPS, configMap(load.nextName())));

async function open(): Promise<OpenSuite> {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-bench-'));
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

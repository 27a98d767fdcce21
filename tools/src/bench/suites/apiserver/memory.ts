import type { BenchRow, Measurement } from '../../model.js';
import { Load, configMap } from './load.js';
import { settledMb, startBare, startCapstan, type RunningProgram } from './programs.js';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const OBJECTS = 20_000;

async function idleMb(start: () => Promise<RunningProgram>): Promise<number> {
  const running = await start();
  const mb = await settledMb(running.pid);
  await running.stop();
  return mb;
}

interface Growth {
  /** KB per object over the first load of a process that had nothing to do before. */
  readonly first: number;
  /** KB per object over a second load as large. */
  readonly next: number;
}

/** Memory is read from a process that does nothing else, its controllers at work, when it has come to rest. */
async function grow(start: () => Promise<RunningProgram>): Promise<Growth> {
  const running = await start();
  const load = new Load(running);
  const fill = (from: number): Promise<void> =>
    load.fill(OBJECTS, (at) => load.send('POST', CONFIG_MAPS, configMap(`m-${from + at}`)));
  const sizes = [await settledMb(running.pid)];
  for (const from of [0, OBJECTS]) {
    await fill(from);
    sizes.push(await settledMb(running.pid));
  }
  await load.close();
  await running.stop();
  const [idle = 0, first = 0, next = 0] = sizes;
  const each = (mb: number): number => (mb * 1024) / OBJECTS;
  return { first: each(first - idle), next: each(next - first) };
}

/** One load gives both numbers; the second row takes those the first has left. */
function growth(start: () => Promise<RunningProgram>): { first: Measurement; next: Measurement } {
  const left: Growth[] = [];
  const first: Measurement = async () => {
    const grown = await grow(start);
    left.push(grown);
    return grown.first;
  };
  return { first, next: async () => (left.shift() ?? (await grow(start))).next };
}

/** What the shipped server takes at rest, and for each object it keeps. */
export function memoryRows(): BenchRow[] {
  const ours = growth(startCapstan);
  const bare = growth(() => startBare('--keep'));
  const name = 'kept by bare node:https';
  const objects = OBJECTS.toLocaleString('en');
  return [
    {
      name: 'resident memory, idle',
      unit: 'MB',
      better: 'lower',
      target: 85,
      run: () => idleMb(startCapstan),
      reference: { name: 'bare node:https', run: () => idleMb(startBare) },
    },
    {
      name: `memory of a 2 KB object with history, the first ${objects}`,
      unit: 'KB',
      better: 'lower',
      target: 6,
      run: ours.first,
      reference: { name, run: bare.first },
    },
    {
      name: `memory of a 2 KB object with history, the next ${objects}`,
      unit: 'KB',
      better: 'lower',
      target: 6,
      run: ours.next,
      reference: { name, run: bare.next },
    },
  ];
}

import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Store } from '@capstan/apiserver';
import { systemClock, systemRandom } from '@capstan/kube';
import { expect, it } from 'vitest';
import { openData } from './open.js';

const TRIES = 40;
const OBJECTS = 30;
const quiet = { failed: () => undefined, recovered: () => undefined };

/** Opens, writes objects and closes; gives all that was there at the beginning. */
async function visit(path: string, ...names: string[]): Promise<string> {
  const { journal, state } = await openData(path, quiet);
  const found = [...state.objects].map(({ bytes, name }) => `${name} ${Buffer.from(bytes).toString()}`);
  const store = Store.reopen(state, { clock: systemClock() });
  store.subscribe((event) => journal.append(event));
  for (const name of names)
    store.create('/configmaps', 'ns', name, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
  await journal.close();
  return found.join('\n');
}

it('a data directory with a changed byte or a lost end is refused, or has all there was', async () => {
  const seed = Number(process.env['CAPSTAN_SEED'] ?? Date.now() % 1_000_000);
  const random = systemRandom(seed);
  const folder = mkdtempSync(join(tmpdir(), 'capstan-damage-'));
  try {
    const whole = join(folder, 'whole');
    const names = (from: string): string[] => Array.from({ length: OBJECTS }, (_, at) => `${from}-${at}`);
    // The first are in tables by the time the last are in the log.
    await visit(whole, ...names('a'));
    await visit(whole, ...names('b'));
    const copyOf = (name: string): string => {
      cpSync(whole, join(folder, name), { recursive: true });
      return join(folder, name);
    };
    const all = await visit(copyOf('reference'));
    const files = readdirSync(join(whole, 'db')).filter((name) => /\.(?:ldb|log)$|^MANIFEST|^CURRENT$/.test(name));
    for (let time = 0; time < TRIES; time++) {
      const copy = copyOf(`copy-${time}`);
      const file = join(copy, 'db', files[random.below(files.length)] ?? '');
      const bytes = readFileSync(file);
      const at = random.below(bytes.length);
      const isCut = random.below(4) === 0;
      if (!isCut) bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
      writeFileSync(file, isCut ? bytes.subarray(0, at) : bytes);
      const found = await visit(copy).catch((error: unknown) => (error as Error).name);
      const change = isCut ? 'cut at' : 'changed at';
      expect([all, 'CliError', 'DamagedData'], `seed ${seed}: ${file}, ${change} ${at}`).toContain(found);
      rmSync(copy, { recursive: true });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

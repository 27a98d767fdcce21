import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemRandom } from '@capstan/kube';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { crc32c } from './crc32c.js';
import { LevelDatabase } from './database.js';
import { liveTables } from './live-tables.js';
import type { Operation } from './records.js';
import { isTableSound } from './table-check.js';

const OBJECTS = 4_000;
const TRIES = 300;
const seed = Number(process.env['CAPSTAN_SEED'] ?? Date.now() % 1_000_000);

it('a checksum is that of the standard', () => {
  expect(crc32c(Buffer.from('123456789'), 0, 9)).toBe(0xe3069283);
});

describe('a table of LevelDB', () => {
  const random = systemRandom(seed);
  let folder = '';
  let tables: string[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'capstan-tables-'));
    const put = (at: number): Operation => {
      const text = Array.from({ length: 20 }, () => random.below(1_000_000).toString(36)).join(' again and again ');
      return {
        type: 'put',
        key: Buffer.from(`o/configmaps\0a-long-namespace/an-object-${at}`),
        value: Buffer.from(text),
      };
    };
    const database = new LevelDatabase(folder, true);
    await database.open();
    await database.write(Array.from({ length: OBJECTS }, (_, at) => put(at)));
    // What is in the log becomes a table.
    await database.reopen();
    await database.close();
    tables = readdirSync(folder).filter((name) => name.endsWith('.ldb'));
  });

  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('is sound as it was written, and named by its manifest', () => {
    const manifest = readFileSync(join(folder, readFileSync(join(folder, 'CURRENT'), 'utf8').trim()));
    expect(tables.map((name) => [isTableSound(join(folder, name)), Number.parseInt(name, 10)])).toEqual(
      [...liveTables(manifest)].map((number) => [true, number]),
    );
  });

  it('is not sound with a changed bit anywhere but in what nobody reads, nor without its end', () => {
    const bytes = readFileSync(join(folder, tables[0] ?? ''));
    const copy = join(folder, 'copy');
    const padding = [bytes.length - 48, bytes.length - 8] as const;
    for (let time = 0; time < TRIES; time++) {
      const at = random.below(bytes.length);
      if (at >= padding[0] && at < padding[1]) continue;
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ (1 << random.below(8));
      writeFileSync(copy, changed);
      expect(isTableSound(copy), `seed ${seed}: changed at ${at}`).toBe(false);
      if (time % 10 > 0) continue;
      writeFileSync(copy, bytes.subarray(0, at));
      expect(isTableSound(copy), `seed ${seed}: cut at ${at}`).toBe(false);
    }
  });
});

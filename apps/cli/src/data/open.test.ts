import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Store } from '@capstan/apiserver';
import { systemClock } from '@capstan/kube';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LevelDatabase } from './database.js';
import { type OpenData, openData } from './open.js';
import type { Operation } from './records.js';

let folder = '';
let path = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'capstan-data-'));
  path = join(folder, 'data');
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const open = (): Promise<OpenData> => openData(path, () => undefined);

/** Opens, writes ConfigMaps of these names and closes; gives the revision reached. */
async function fill(...names: string[]): Promise<number> {
  const { state, journal } = await open();
  const store = Store.reopen(state, { clock: systemClock() });
  store.subscribe((event) => journal.append(event));
  for (const name of names) {
    store.create('/configmaps', 'ns', name, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
  }
  await journal.close();
  return store.revision;
}

/** Does something to the records behind the server's back. */
async function meddle(change: (records: Map<string, Buffer>) => Operation[]): Promise<void> {
  const database = new LevelDatabase(join(path, 'db'));
  await database.open();
  const records = new Map<string, Buffer>();
  await database.readAll((key, value) => records.set(key.toString(), value));
  await database.write(change(records));
  await database.close();
}

const objectKey = (name: string): Buffer => Buffer.from(`o/configmaps\0ns/${name}`);

async function failure(): Promise<{ message: string; hint: string }> {
  try {
    const { journal } = await open();
    await journal.close();
  } catch (error) {
    const { message, hint } = error as { message: string; hint: string };
    return { message, hint };
  }
  return { message: 'opened', hint: '' };
}

describe('a data directory', () => {
  it('is for the owner alone', async () => {
    await fill();
    expect([path, join(path, 'db')].map((each) => statSync(each).mode & 0o777)).toEqual([0o700, 0o700]);
  });

  it('that was there and empty is taken, and closed to others', async () => {
    mkdirSync(path);
    chmodSync(path, 0o755);
    await fill();
    expect(statSync(path).mode & 0o777).toBe(0o700);
  });

  it('gives back what was written, and after a clean end goes on at the next revision', async () => {
    expect(await fill('b', 'a')).toBe(3);
    const { state, journal } = await open();
    expect(state.revision).toBe(3);
    const objects = [...state.objects].map(({ bytes, ...rest }) => ({ ...rest, text: Buffer.from(bytes).toString() }));
    const text = (name: string, revision: number): string =>
      `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"${name}","resourceVersion":"${revision}"}}`;
    expect(objects).toEqual([
      { resource: '/configmaps', namespace: 'ns', name: 'a', revision: 3, text: text('a', 3) },
      { resource: '/configmaps', namespace: 'ns', name: 'b', revision: 2, text: text('b', 2) },
    ]);
    await journal.close();
  });

  it('can be in use once only', async () => {
    const { journal } = await open();
    expect(await failure()).toEqual({
      message: `another process uses ${join(path, 'db')}`,
      hint: 'stop the other server, or name another directory with --data',
    });
    await journal.close();
    expect(await failure()).toEqual({ message: 'opened', hint: '' });
  });

  it('with other things in it is refused and left alone', async () => {
    mkdirSync(path);
    writeFileSync(join(path, 'letter.txt'), 'dear');
    expect(await failure()).toEqual({
      message: `${path} is not empty and holds no data of an API server`,
      hint: 'name an empty directory with --data, or one that does not exist',
    });
    expect(readdirSync(path)).toEqual(['letter.txt']);
  });

  it.each([
    ['{"format": 2}', 'has data of format 2, this version reads format 1'],
    ['', 'does not say which format the data has'],
  ])('whose marker is %j is refused', async (text, message) => {
    await fill('a');
    writeFileSync(join(path, 'capstan-data.json'), text);
    expect((await failure()).message).toContain(message);
  });

  it.each<[string, (records: Map<string, Buffer>) => Operation[], string]>([
    [
      'a changed byte',
      (records) => {
        const value = Buffer.from(records.get(objectKey('a').toString()) ?? '');
        value[20] = (value[20] ?? 0) ^ 1;
        return [{ type: 'put', key: objectKey('a'), value }];
      },
      'the stored data is damaged: the checksum of "o/configmaps\\u0000ns/a" is wrong',
    ],
    [
      'a lost object',
      () => [{ type: 'del', key: objectKey('a') }],
      'the stored data is damaged: it has 1 objects where 2 were stored',
    ],
    [
      'a lost summary',
      () => [{ type: 'del', key: Buffer.from('s') }],
      'the stored data is damaged: its summary is missing',
    ],
  ])('with %s is refused', async (_what, change, message) => {
    await fill('a', 'b');
    await meddle(change);
    expect((await failure()).message).toBe(message);
  });

  it('with an object older than what was stored last is refused', async () => {
    await fill('a');
    let old: Buffer | undefined;
    await meddle((records) => {
      old = records.get(objectKey('a').toString());
      return [];
    });
    const { state, journal } = await open();
    const store = Store.reopen(state, { clock: systemClock() });
    store.subscribe((event) => journal.append(event));
    const stored = store.get('/configmaps', 'ns', 'a');
    if (stored !== undefined) store.replace(stored, { ...stored.object(), data: { x: '1' } });
    await journal.close();
    await meddle(() => (old === undefined ? [] : [{ type: 'put', key: objectKey('a'), value: old }]));
    expect((await failure()).message).toBe(
      'the stored data is damaged: it has objects that are older than what was stored last',
    );
  });

  it.each<[string, (database: string) => void, RegExp]>([
    [
      'names nonsense as current',
      (database) => writeFileSync(join(database, 'CURRENT'), 'nonsense\n'),
      /^the database in .* cannot be read: \S+/,
    ],
    [
      'is gone',
      (database) => rmSync(database, { recursive: true }),
      /^the stored data is damaged: its summary is missing$/,
    ],
    [
      'lost its log',
      (database) => {
        for (const name of readdirSync(database)) if (name.endsWith('.log')) rmSync(join(database, name));
      },
      /^the stored data is damaged: its summary is missing$/,
    ],
  ])('whose database %s is refused', async (_what, damage, message) => {
    await fill('a');
    damage(join(path, 'db'));
    expect((await failure()).message).toMatch(message);
  });
});

import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Store } from '@capstan/apiserver';
import { systemClock } from '@capstan/kube';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LevelDatabase } from './database.js';
import { type OpenData, openData } from './open.js';
import { type Operation, summaryOperation } from './records.js';

let folder = '';
let path = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'capstan-data-'));
  path = join(folder, 'data');
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const quiet = { failed: () => undefined, recovered: () => undefined };
const open = (): Promise<OpenData> => openData(path, quiet);

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

  it.each<[string, (database: string) => void, string]>([
    [
      'names nonsense as current',
      (database) => writeFileSync(join(database, 'CURRENT'), 'nonsense\n'),
      'cannot be read: ',
    ],
    ['is gone', (database) => rmSync(database, { recursive: true }), 'db is missing'],
    ['lost its log', (database) => lose(database, /\.log$/), 'the log of the last writes ('],
    ['lost its manifest', (database) => lose(database, /^MANIFEST/), ' is missing'],
    ['lost CURRENT', (database) => lose(database, /^CURRENT$/), 'CURRENT is missing'],
    ['lost a table', (database) => lose(database, /\.ldb$/), 'missing files'],
  ])('whose database %s is refused and left alone', async (_what, damage, message) => {
    await fill('a');
    // Opened once more, what was in the log is in a table.
    await fill();
    damage(join(path, 'db'));
    const before = files();
    expect((await failure()).message).toContain(message);
    expect(files()).toEqual(before);
  });

  it('whose log lost its last writes is refused, unless the mark is removed', async () => {
    const revision = await fill('a', 'b');
    const [log = ''] = readdirSync(join(path, 'db')).filter((name) => name.endsWith('.log'));
    truncateSync(join(path, 'db', log), 0);
    await meddle(() => [summaryOperation({ revision: 2, ceiling: 2, objects: 0, sum: 0 })]);
    const mark = join(path, 'last-revision');
    expect(await failure()).toEqual({
      message: `the stored data is damaged: it ends at revision 2, but ${revision} was stored`,
      hint: `restore the whole directory from a backup, or name another with --data; to continue without the lost writes, remove ${mark}`,
    });
    rmSync(mark);
    expect((await failure()).message).toBe('opened');
  });

  it('with half a table that an interrupted run left is opened', async () => {
    await fill('a');
    writeFileSync(join(path, 'db', '000999.ldb'), 'half');
    expect((await failure()).message).toBe('opened');
  });

  it('with a changed table is refused', async () => {
    await fill('a');
    await fill();
    const [name = ''] = readdirSync(join(path, 'db')).filter((each) => each.endsWith('.ldb'));
    const bytes = readFileSync(join(path, 'db', name));
    bytes[9] = (bytes[9] ?? 0) ^ 1;
    writeFileSync(join(path, 'db', name), bytes);
    expect((await failure()).message).toMatch(/^the stored data is damaged: .*\.ldb is not what was written there$/);
  });

  it('whose mark cannot be read is opened', async () => {
    await fill('a');
    writeFileSync(join(path, 'last-revision'), '999 0');
    expect((await failure()).message).toBe('opened');
  });
});

/** Files with their sizes, but for those that only say what was done. */
function files(): string[] {
  const database = join(path, 'db');
  if (!existsSync(database)) return [];
  const kept = readdirSync(database).filter((name) => /^(?:CURRENT|MANIFEST.*|.*\.(?:log|ldb))$/.test(name));
  return kept.map((name) => `${name} ${statSync(join(database, name)).size}`);
}

function lose(database: string, pattern: RegExp): void {
  for (const name of readdirSync(database)) if (pattern.test(name)) rmSync(join(database, name));
}

import { spawnSync } from 'node:child_process';
import {
  cpSync,
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
import { waitUntil } from '@capstan/kube/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { isWhole } from './bounds.js';
import { DiskServer, type Enter, waitOptions, runCapstan } from './disk-server.js';
import { canMount, SmallDisk } from './small-disk.js';

/** What kube-apiserver passes on when etcd has no room. */
const NO_SPACE = { status: 'Failure', message: 'etcdserver: mvcc: database space exceeded', code: 500 };
const REVIEWS = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
const LIMIT_MS = 60_000;
/** Enough of an object to be converted. */
const HEALTH_CHECK = `
apiVersion: machine.openshift.io/v1beta1
kind: MachineHealthCheck
metadata: { name: workers, namespace: openshift-machine-api }
spec:
  selector: { matchLabels: { machine.openshift.io/cluster-api-machine-role: worker } }
  unhealthyConditions: [{ type: Ready, status: 'False', timeout: 300s }]
`;

let folder = '';
const servers: DiskServer[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'capstan-disk-test-'));
});

afterEach(async () => {
  for (const server of servers.splice(0)) await server.end('SIGKILL');
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

async function start(enter: Enter, command: readonly string[], acknowledged = new Set<string>()): Promise<DiskServer> {
  const server = await DiskServer.start(enter, command, { kubeconfig: join(folder, 'kubeconfig'), acknowledged });
  servers.push(server);
  return server;
}

/** It stays alive, serves what it acknowledged, reports the cause, and refuses what it cannot store. */
async function expectReadsAlone(server: DiskServer, refusal: Record<string, unknown>, reason: string): Promise<void> {
  expect((await server.write('refused')).json()).toMatchObject(refusal);
  expect(await server.missing()).toEqual([]);
  expect(await server.text('/readyz')).toContain('[-]etcd failed: reason withheld');
  expect(await server.text('/readyz/etcd')).toContain(reason);
  const review = { spec: { resourceAttributes: { verb: 'get', resource: 'pods' } } };
  expect((await server.send('POST', REVIEWS, review)).status).toBe(201);
  expect(server.isAlive).toBe(true);
}

// Where no process may have a disk of its own, files that may not grow stand for one that is full: see below.
describe.runIf(canMount())('on a disk of four megabytes', () => {
  let disk: SmallDisk;
  let enter: Enter;
  let command: string[] = [];

  beforeAll(async () => {
    disk = await SmallDisk.make(4);
    enter = (program, args) => disk.enter(program, args);
    const log = ['--audit-log-path', join(disk.path, 'audit.log')];
    command = ['apiserver', '--no-controllers', '--data', join(disk.path, 'data'), ...log];
  });

  afterAll(async () => {
    await disk.close();
  });

  it(
    'a server that finds it full, read-only or writable again loses nothing it acknowledged',
    async () => {
      const first = await start(enter, command);
      await first.write('before');
      disk.fill();
      expect(await first.writeUntilRefused('full')).toMatchObject(NO_SPACE);
      await expectReadsAlone(first, NO_SPACE, 'No space left on device');
      expect(await first.text('/metrics')).toMatch(/^apiserver_audit_error_total\{plugin="log"\} [1-9]/m);
      disk.free();
      await first.writeWhenTaken('freed');
      expect(await first.text('/readyz')).toBe('ok');
      disk.fill();
      await first.writeUntilRefused('again');
      // Logged at most once each time; repeated messages are logged at growing intervals.
      expect(first.log.match(/cannot store writes/g)?.length).toBeLessThanOrEqual(2);
      await first.end('SIGKILL');

      const second = await start(enter, command, first.acknowledged);
      await expectReadsAlone(second, NO_SPACE, 'No space left on device');
      disk.free();
      await second.writeWhenTaken('restarted');
      expect(await second.end('SIGTERM')).toBe(0);

      disk.remount('ro');
      // A log that cannot be opened is refused at the start, as by kube-apiserver.
      const third = await start(enter, command.slice(0, 4), first.acknowledged);
      const refusal = { reason: 'InternalError', code: 500 };
      await expectReadsAlone(third, refusal, 'Read-only file system');
      disk.remount('rw');
      await third.writeWhenTaken('writable');
      expect(await third.missing()).toEqual([]);
      expect(await third.end('SIGTERM')).toBe(0);
      const lines = readFileSync(join(disk.seen, 'audit.log'), 'utf8').trim().split('\n');
      const broken = lines.filter((line) => !/^\{.*\}$/.test(line));
      // Where the process was killed in the midst of a line.
      expect(broken.length).toBeLessThanOrEqual(1);
    },
    LIMIT_MS,
  );

  it('an audit log that must be written refuses what it cannot record', async () => {
    const strict = ['apiserver', '--no-controllers', '--audit-log-mode', 'blocking-strict'];
    const server = await start(enter, [...strict, '--audit-log-path', join(disk.path, 'strict.log')]);
    expect((await server.write('before')).status).toBe(201);
    disk.fill();
    const refused = await waitUntil(
      'a refusal',
      async () => {
        const answer = await server.write(`strict-${server.acknowledged.size}`);
        return answer.status !== 201 && answer;
      },
      { ...waitOptions, everyMs: 1 },
    );
    expect([refused.status, refused.text()]).toEqual([
      500,
      'Internal Server Error: "/api/v1/namespaces/default/configmaps": failed to store audit event\n',
    ]);
    disk.free();
    await server.writeWhenTaken('freed');
  });

  it('files are written whole or not at all', async () => {
    const checks = join(folder, 'checks.yaml');
    writeFileSync(checks, HEALTH_CHECK);
    const at = (name: string): string => join(disk.path, 'sinks', name);
    const convert = ['convert', '-f', checks, '--cluster-name', 'one'];
    const toFile: Enter = (program, args) =>
      enter('sh', ['-c', 'out=$1; shift; exec "$@" > "$out"', 'sh', at('printed'), program, ...args]);
    mkdirSync(join(disk.seen, 'sinks', 'out'), { recursive: true });
    writeFileSync(join(disk.seen, 'sinks', 'printed'), '');
    disk.fill();
    const outcomes = await Promise.all([
      runCapstan(enter, [...convert, '--output-dir', at('out')]),
      runCapstan(enter, [...convert, '--report', 'json', '--report-file', at('report')]),
      runCapstan(enter, ['apiserver', '--data', at('new'), '--no-controllers']),
      runCapstan(enter, ['apiserver', '--kubeconfig-out', at('kubeconfig'), '--no-controllers']),
      runCapstan(toFile, ['manifests', 'conversion-shim', '--image', 'shim']),
    ]);
    disk.free();
    for (const { err } of outcomes) expect(err).toMatch(/no space left\n.+\n$/);
    // Of convert, 1 is a finding about the input.
    expect(outcomes.map(({ code }) => code)).toEqual([2, 2, 1, 1, 1]);
    const left = readdirSync(join(disk.seen, 'sinks'), { recursive: true, withFileTypes: true });
    expect(left.filter((entry) => entry.isFile()).map(({ name }) => name)).toEqual(['printed']);
  });
});

if (isWhole && canMount()) {
  it(
    'capstan up lives through it, and starts on it',
    async () => {
      const large = await SmallDisk.make(32);
      try {
        const into: Enter = (program, args) => large.enter(program, args);
        const data = ['--data', join(large.path, 'data'), '--audit-log-path', join(large.path, 'audit.log')];
        const up = ['up', '--hosted', '0', '--fleet', '1', '-o', 'json', ...data];
        const first = await start(into, up);
        large.fill();
        expect(await first.writeUntilRefused('full')).toMatchObject(NO_SPACE);
        await new Promise((resolve) => setTimeout(resolve, 5_000));
        await expectReadsAlone(first, NO_SPACE, 'No space left on device');
        large.free();
        await first.writeWhenTaken('freed');
        large.fill();
        await first.writeUntilRefused('again');
        await first.end('SIGKILL');
        // It is ready once there is room; until then it can be read.
        const starting = start(into, up, first.acknowledged);
        const reader = new DiskServer(first.child, first.acknowledged);
        const seen = async (): Promise<string[]> => {
          await reader.connect(join(folder, 'kubeconfig'));
          return reader.missing();
        };
        // The kubeconfig of the first names a port where no server listens.
        const missing = await waitUntil('an answer', () => seen().catch(() => undefined), waitOptions);
        expect(missing).toEqual([]);
        large.free();
        const second = await starting;
        await second.writeWhenTaken('restarted');
        expect(await second.missing()).toEqual([]);
        expect(await second.end('SIGTERM')).toBe(0);
      } finally {
        await large.close();
      }
    },
    4 * LIMIT_MS,
  );
}

if (isWhole || !canMount()) {
  describe('where files may not grow', () => {
    it(
      'a server serves what it has, and goes on when they may',
      async () => {
        const data = join(folder, 'limited');
        const limited: Enter = (program, args) => ['sh', ['-c', 'ulimit -S -f 400; exec "$0" "$@"', program, ...args]];
        const server = await start(limited, ['apiserver', '--no-controllers', '--data', data]);
        const refusal = { status: 'Failure', reason: 'InternalError', code: 500 };
        expect(await server.writeUntilRefused('limited')).toMatchObject(refusal);
        await expectReadsAlone(server, refusal, 'File too large');
        expect(spawnSync('prlimit', ['--pid', String(server.child.pid), '--fsize=unlimited:']).status).toBe(0);
        await server.writeWhenTaken('raised');
        await server.end('SIGKILL');
        const again = await start(
          (program, args) => [program, [...args]],
          ['apiserver', '--no-controllers', '--data', data],
          server.acknowledged,
        );
        expect(await again.missing()).toEqual([]);
      },
      LIMIT_MS,
    );
  });
}

it(
  'a data directory that lost acknowledged writes is refused, also after a kill',
  async () => {
    const here: Enter = (program, args) => [program, [...args]];
    const data = join(folder, 'data');
    const serve = (directory: string): string[] => ['apiserver', '--no-controllers', '--data', directory];
    const server = await start(here, serve(data));
    await server.write('a');
    const { size } = statSync(logOf(data));
    const { metadata } = (await server.write('b')).json() as { metadata: { resourceVersion: string } };
    // The mark follows within a second.
    const mark = join(data, 'last-revision');
    const isMarked = (): boolean =>
      existsSync(mark) && Number.parseInt(readFileSync(mark, 'utf8')) >= Number(metadata.resourceVersion);
    await waitUntil('the mark', isMarked, waitOptions);
    await server.end('SIGKILL');
    const damages: readonly [RegExp, (directory: string) => void][] = [
      [/the log of the last writes \(.*\*\.log\) is missing/, (directory) => rmSync(logOf(directory))],
      [/CURRENT is missing/, (directory) => rmSync(join(directory, 'db', 'CURRENT'))],
      [/it ends at revision \d+, but \d+ was stored/, (directory) => truncateSync(logOf(directory), size)],
    ];
    const refusals = damages.map(async ([message, damage], index) => {
      const copy = join(folder, `damaged-${index}`);
      cpSync(data, copy, { recursive: true });
      damage(copy);
      const { code, err } = await runCapstan(here, serve(copy));
      expect([code, err]).toEqual([1, expect.stringMatching(message)]);
      expect(err).toContain('restore the whole directory from a backup, or name another with --data');
    });
    await Promise.all(refusals);
  },
  LIMIT_MS,
);

function logOf(directory: string): string {
  const database = join(directory, 'db');
  const [name = ''] = readdirSync(database).filter((each) => each.endsWith('.log'));
  return join(database, name);
}

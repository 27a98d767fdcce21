import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Client, HttpTransport, loadConnection } from '@capstan/kube';
import { isNotFound } from '@capstan/meta';
import { main } from '../main.js';
import { TestIo } from '../testing-io.js';

interface Ready {
  readonly url: string;
  readonly kubeconfig: string;
  readonly pid: number;
  readonly version: string;
}

interface Running {
  readonly io: TestIo;
  readonly ready: Ready;
  readonly client: Client;
  readonly stop: () => Promise<number>;
}

const NAMESPACES = { group: '', version: 'v1', plural: 'namespaces', namespaced: false };
let cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
  cleanups = [];
});

async function start(argv: readonly string[] = [], io = new TestIo()): Promise<Running> {
  const ended = main(['apiserver', ...argv], io);
  const line = await Promise.race([io.firstLine(), ended.then((code) => `ended with ${code}: ${io.stderr}`)]);
  const ready = JSON.parse(line) as Ready;
  const transport = new HttpTransport(await loadConnection({ path: ready.kubeconfig }));
  const stop = async (): Promise<number> => {
    await transport.close();
    io.stop();
    return ended;
  };
  cleanups.push(async () => io.listeners > 0 && (await stop()));
  return { io, ready, client: new Client(transport, { maxRetries: 0 }), stop };
}

/** Notes which flags are set, and when. */
class TunedIo extends TestIo {
  readonly tuned: (readonly [flag: string, at: string])[] = [];
  readonly setV8Flag = (flag: string): void => {
    this.tuned.push([flag, this.stdout === '' ? 'starting' : 'ready']);
  };
}

describe('capstan apiserver', () => {
  it.each([[[]], [['--no-controllers']]])(
    'keeps its heap small while it starts, and gives it room once it serves, with %j',
    async (argv) => {
      const io = new TunedIo();
      const { stop } = await start(argv, io);
      const all = [
        ['--optimize-for-size', 'starting'],
        ['--semi-space-growth-factor=1', 'starting'],
        ['--no-optimize-for-size', 'ready'],
        ['--semi-space-growth-factor=2', 'ready'],
        ['--heap-growing-percent=50', 'ready'],
      ];
      await vi.waitFor(() => expect(io.tuned).toEqual(all), { timeout: 40_000, interval: 100 });
      await stop();
      expect(io.tuned).toEqual(all);
    },
    60_000,
  );

  it('leaves the heap alone where it reads back what was kept', async () => {
    const io = new TunedIo();
    const directory = mkdtempSync(join(tmpdir(), 'capstan-run-'));
    const { stop } = await start(['--data', join(directory, 'kept')], io);
    await stop();
    rmSync(directory, { recursive: true });
    expect(io.tuned).toEqual([]);
  });

  it('prints one line when ready, serves the holder of its kubeconfig, and leaves nothing behind', async () => {
    const { io, ready, client, stop } = await start();
    expect(Object.keys(ready)).toEqual(['url', 'kubeconfig', 'pid', 'version']);
    expect(ready.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    expect(ready.pid).toBe(process.pid);
    expect(ready.version).toMatch(/^v1\.\d+\.\d+$/);
    expect(statSync(ready.kubeconfig).mode & 0o777).toBe(0o600);
    const { items } = await client.list(NAMESPACES);
    expect(items.map(({ metadata }) => metadata.name)).toContain('kube-system');
    expect(await stop()).toBe(0);
    expect(existsSync(dirname(ready.kubeconfig))).toBe(false);
    expect(io.listeners).toBe(0);
    expect({ out: io.stdout.split('\n').length, err: io.stderr }).toEqual({ out: 2, err: '' });
  });

  it('prints the next step for a person', async () => {
    const { io, ready } = await start([], new TestIo({ isTty: true }));
    expect(io.stderr).toContain(`export KUBECONFIG=${ready.kubeconfig}\n`);
  });

  it('writes the kubeconfig to the given path, with the given token, and leaves it there', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'capstan-test-'));
    const file = join(folder, 'deep', 'config');
    const { ready, stop } = await start(['--kubeconfig-out', file, '--token', 'my-secret']);
    expect(ready.kubeconfig).toBe(file);
    expect(readFileSync(file, 'utf8')).toContain('token: "my-secret"\n');
    expect(await stop()).toBe(0);
    expect(existsSync(file)).toBe(true);
    rmSync(folder, { recursive: true });
  });

  it('lets nobody in without the token', async () => {
    const { ready } = await start(['--no-controllers']);
    const connection = await loadConnection({ path: ready.kubeconfig });
    const anonymous = new HttpTransport({
      ...connection,
      credentials: { get: async () => ({ headers: {} }), refresh: () => false },
    });
    const response = await anonymous.send({ method: 'GET', target: '/api/v1/namespaces', headers: {} });
    const version = await anonymous.send({ method: 'GET', target: '/version', headers: {} });
    await anonymous.close();
    expect([response.status, version.status]).toEqual([403, 200]);
  });

  it('empties and removes deleted namespaces, unless run without controllers', async () => {
    const { client } = await start();
    const still = await start(['--no-controllers']);
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'gone' } };
    for (const each of [client, still.client]) {
      await each.create(NAMESPACES, namespace);
      await each.delete(NAMESPACES, 'gone');
    }
    const end = Date.now() + 5_000;
    let error: unknown;
    while (error === undefined && Date.now() < end) {
      error = await client.get(NAMESPACES, 'gone').then(
        () => undefined,
        (each: unknown) => each,
      );
    }
    expect(isNotFound(error)).toBe(true);
    expect(await still.client.get(NAMESPACES, 'gone')).toMatchObject({ status: { phase: 'Terminating' } });
  });

  it.each([
    [['--enable-fault-injection'], 200],
    [[], 404],
  ])('with %j answers /debug/faults with %i', async (argv, status) => {
    const { client } = await start(['--no-controllers', ...argv]);
    const answer = await client.request({ method: 'GET', target: '/debug/faults' }).then(
      (response) => response.status,
      (error: { code: number }) => error.code,
    );
    expect(answer).toBe(status);
  });

  it('with -v logs requests', async () => {
    const { io, client } = await start(['-v', '--no-controllers']);
    await client.list(NAMESPACES);
    expect(io.stderr).toMatch(/^\S+Z DEBUG request \{"method":"GET","target":"\/api\/v1\/namespaces\?limit=500"\}$/m);
  });

  it('fails with a hint when the port is taken, and leaves nothing behind', async () => {
    const { ready } = await start(['--no-controllers']);
    const { port } = new URL(ready.url);
    const io = new TestIo();
    expect(await main(['apiserver', '--port', port], io)).toBe(1);
    expect(io.stderr).toBe(
      `error: listen EADDRINUSE: address already in use 127.0.0.1:${port}\nchoose another port with --port, or --port 0 for any free one\n`,
    );
    expect({ out: io.stdout, listeners: io.listeners }).toEqual({ out: '', listeners: 0 });
  });

  it('asked twice to stop, ends at once', async () => {
    const { io, ready, stop } = await start(['--no-controllers']);
    io.stop();
    expect(io.exits).toEqual([]);
    io.stop();
    expect(io.exits).toEqual([1]);
    expect(existsSync(dirname(ready.kubeconfig))).toBe(false);
    expect(await stop()).toBe(0);
  });
});

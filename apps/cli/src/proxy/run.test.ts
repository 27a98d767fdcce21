import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCa, loadConnection, writeKubeconfig } from '@capstan/kube';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { main } from '../main.js';
import { TestIo } from '../testing-io.js';

let folder = '';
let server: Server;
let kubeconfig = '';
const asked: (string | undefined)[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'capstan-proxy-'));
  kubeconfig = join(folder, 'kubeconfig');
  const ca = createCa({ commonName: 'x' });
  const { certPem: cert, keyPem: key } = ca.issueServing({ commonName: 'u', ipAddresses: ['127.0.0.1'] });
  server = createServer({ cert, key }, (request, response) => {
    asked.push(request.url);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await writeKubeconfig({ path: kubeconfig, server: address, caPem: ca.certPem, token: 't', namespace: 'mine' });
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true });
});

/** Runs it until it is ready, then asks and stops. */
async function run(argv: readonly string[], use: (io: TestIo) => Promise<void>): Promise<TestIo> {
  const io = new TestIo();
  const ended = main(['proxy', '--kubeconfig', kubeconfig, '--listen', '127.0.0.1:0', ...argv], io);
  await Promise.race([io.firstLine(), ended]);
  await use(io);
  io.stop();
  expect(await ended).toBe(0);
  expect(io.listeners).toBe(0);
  return io;
}

describe('capstan proxy', () => {
  it('prints one line when ready, writes a kubeconfig that points at it, and translates the given groups', async () => {
    const out = join(folder, 'out', 'kubeconfig');
    const more = ['--group-pair', 'a.example.com=b.example.com', '--group-pair', 'c.example.com=d.example.com'];
    const io = await run(['-o', 'json', '--kubeconfig-out', out, ...more], async ({ stdout }) => {
      const ready = JSON.parse(stdout) as Record<'url' | 'healthUrl' | 'kubeconfig', string>;
      expect(Object.keys(ready)).toEqual(['url', 'healthUrl', 'kubeconfig', 'server', 'pid']);
      expect([ready.kubeconfig, readFileSync(out, 'utf8').includes('token')]).toEqual([out, false]);
      const { namespace, server: through } = await loadConnection({ path: out, env: {} });
      expect([through, namespace]).toEqual([ready.url, 'mine']);
      for (const group of ['a.example.com', 'c.example.com', 'cluster.x-k8s.io'])
        expect((await fetch(`${through}/apis/${group}/v1/things`)).status).toBe(200);
      expect((await fetch(`${ready.healthUrl}/healthz`)).status).toBe(200);
    });
    expect(asked).toEqual([
      '/apis/b.example.com/v1/things',
      '/apis/d.example.com/v1/things',
      '/apis/cluster.hypershift.openshift.io/v1/things',
    ]);
    expect([io.stdout.split('\n').length, io.stderr]).toEqual([2, '']);
  });

  it('prints for people where it listens', async () => {
    const { stdout } = await run(['--health-listen', '-'], () => Promise.resolve());
    expect(stdout).toMatch(/^The proxy of https:\/\/127\.0\.0\.1:\d+ listens on http:\/\/127\.0\.0\.1:\d+\n$/);
  });

  it.each([
    [['--listen', '0.0.0.0:0'], 2, /reached from other machines.*--listen-anywhere/],
    [['--listen', 'nowhere'], 2, /"nowhere" is not an address such as 127.0.0.1:8080/],
    [['--group-pair', 'x'], 2, /"x" is not a pair of groups/],
    [['--context', 'none'], 1, /context "none" does not exist/],
    [['--listen', 'taken'], 1, /EADDRINUSE.*\nchoose another port with --listen/],
  ])('refuses %j', async (argv, code, message) => {
    const io = new TestIo();
    const taken = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const line = argv.map((word) => (word === 'taken' ? taken : word));
    expect(await main(['proxy', '--kubeconfig', kubeconfig, '--listen', '127.0.0.1:0', ...line], io)).toBe(code);
    expect(io.stderr).toMatch(message);
    expect([io.stdout, io.listeners]).toEqual(['', 0]);
  });
});

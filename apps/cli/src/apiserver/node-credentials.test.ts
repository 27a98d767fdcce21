import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { Client, HttpTransport, loadConnection } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { main } from '../main.js';
import { TestIo } from '../testing-io.js';

const core = (plural: string): { group: string; version: string; plural: string; namespaced: boolean } => ({
  group: '',
  version: 'v1',
  plural,
  namespaced: true,
});
const PODS = core('pods');
const namespace = 'default';
const folder = mkdtempSync(join(tmpdir(), 'capstan-nodes-'));
let cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
  cleanups = [];
  rmSync(folder, { recursive: true, force: true });
});

interface Audited {
  readonly verb: string;
  readonly user: { readonly username: string; readonly groups: readonly string[] };
  readonly userAgent: string;
  readonly objectRef?: { readonly resource: string; readonly subresource?: string };
  readonly responseStatus?: { readonly code: number };
}

it('kubelets do all of their work as their nodes', async () => {
  const io = new TestIo();
  const log = join(folder, 'audit.log');
  const ended = main(['apiserver', '--nodes', '2', '--audit-log-path', log], io);
  const { kubeconfig } = JSON.parse(await io.firstLine()) as { kubeconfig: string };
  const transport = new HttpTransport(await loadConnection({ path: kubeconfig }));
  cleanups.push(async () => {
    await transport.close();
    io.stop();
    expect(await ended).toBe(0);
    expect(io.stderr).toBe('');
  });
  const client = new Client(transport, { maxRetries: 0 });
  const metadata = { name: 'p', namespace };
  await client.create(core('secrets'), { apiVersion: 'v1', kind: 'Secret', metadata, data: { a: 'MQ==' } });
  await client.create(core('configmaps'), { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { a: '1' } });
  const volumes = [
    { name: 's', secret: { secretName: 'p' } },
    { name: 'c', configMap: { name: 'p' } },
  ];
  const volumeMounts = volumes.map(({ name }) => ({ name, mountPath: `/${name}` }));
  const spec = { containers: [{ name: 'main', image: 'nginx', volumeMounts }], volumes };
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata, spec };
  await expect
    .poll(
      () =>
        client.create(PODS, pod).then(
          () => 'created',
          (error: Error) => error.message,
        ),
      { timeout: 10_000 },
    )
    .toMatch(/created|already exists/);
  const phase = async (): Promise<unknown> =>
    ((await client.get(PODS, 'p', { namespace })) as KubeObject & { status?: { phase?: string } }).status?.phase;
  await expect.poll(phase, { timeout: 10_000 }).toBe('Running');
  await client.delete(PODS, 'p', { namespace });
  const left = async (): Promise<number> => (await client.list(PODS)).items.length;
  await expect.poll(left, { timeout: 10_000 }).toBe(0);

  const read = (): Audited[] =>
    readFileSync(log, 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Audited);
  const isNode = ({ user }: Audited): boolean => user.username.startsWith('system:node:capstan-');
  const done = (): string[] =>
    read()
      .filter(isNode)
      .map(({ verb, objectRef }) => `${verb} ${objectRef?.resource}/${objectRef?.subresource ?? ''}`);
  const work = ['patch pods/status', 'delete pods/', 'get secrets/', 'get configmaps/'];
  await expect.poll(done, { timeout: 10_000 }).toEqual(expect.arrayContaining(work));
  const ofNodes = read().filter(isNode);
  expect(ofNodes.filter(({ responseStatus }) => responseStatus?.code === 403)).toEqual([]);
  for (const { user } of ofNodes) expect(user.groups).toEqual(['system:nodes', 'system:authenticated']);
  const ofKubelets = read().filter(({ user }) => user.username.endsWith(':kubelet'));
  expect(ofKubelets.filter(({ verb }) => verb !== 'list' && verb !== 'watch')).toEqual([]);
});

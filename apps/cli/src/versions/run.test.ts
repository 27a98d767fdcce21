import { hostedCluster } from '@capstan/api/hypershift';
import { crd } from '@capstan/api/model';
import { HOSTED_CLUSTERS } from '@capstan/hosting';
import { Client, HttpTransport, loadConnection } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { hostedClusterOn, testPlatform } from '@capstan/provider/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { main } from '../main.js';
import { TestIo } from '../testing-io.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });
const soon = { timeout: 60_000, interval: 20 };
const DEFINITIONS = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
};
const NAMESPACE = 'default';

const server = new TestIo();
let ended: Promise<number>;
let transport: HttpTransport | undefined;
let client: Client;
let kubeconfig = '';

beforeAll(async () => {
  ended = main(['apiserver', '--no-controllers'], server);
  ({ kubeconfig } = JSON.parse(await server.firstLine()) as { kubeconfig: string });
  transport = new HttpTransport(await loadConnection({ path: kubeconfig }));
  client = new Client(transport);
});

afterAll(async () => {
  await transport?.close();
  server.stop();
  await ended;
});

async function run(...argv: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const io = new TestIo();
  const code = await main(['get', 'versions', ...argv, '--kubeconfig', kubeconfig], io);
  return { code, out: io.stdout, err: io.stderr };
}

/** As the operator would. */
async function setVersion(name: string, version: string, state: string): Promise<void> {
  const entry = { state, version, image: 'x', startedTime: '2026-02-20T10:00:00Z' };
  const completionTime = state === 'Completed' ? '2026-02-20T10:15:00Z' : null;
  const controlPlaneVersion = {
    desired: { version, image: 'x' },
    history: [{ ...entry, completionTime }],
    observedGeneration: 1,
  };
  // Whole: a merge patch cannot say null.
  const found = await client.get(HOSTED_CLUSTERS, name, { namespace: NAMESPACE });
  await client.update(HOSTED_CLUSTERS, { ...found, status: { controlPlaneVersion } } as KubeObject, {
    subresource: 'status',
  });
}

async function create(name: string): Promise<void> {
  const made = hostedClusterOn(testPlatform());
  const spec = { ...made.spec, platform: { type: 'None' } };
  await client.create(HOSTED_CLUSTERS, { ...made, metadata: { name, namespace: NAMESPACE }, spec } as KubeObject);
}

describe('capstan get versions', () => {
  it('reports a cluster without the HostedCluster CRD', async () => {
    expect(await run()).toMatchObject({
      code: 1,
      err: expect.stringContaining('this cluster does not serve HostedClusters') as string,
    });
    await client.create(DEFINITIONS, crd(hostedCluster) as unknown as KubeObject);
    await expect.poll(async () => (await run()).err, soon).toBe('There are no hosted clusters\n');
  });

  it('prints the versions of the fleet, and which control planes may lack a fix', async () => {
    for (const name of ['brig', 'cutter']) await create(name);
    await setVersion('brig', '4.20.1', 'Completed');
    await setVersion('cutter', '4.20.0', 'Partial');
    const { out } = await run();
    const lines = out.split('\n').map((line) => line.split(/ {3,}/));
    expect(lines[1]?.toSpliced(4, 1)).toEqual([
      'default',
      'brig',
      '4.20.1',
      'Completed',
      '4.20.1',
      '4.19 to 4.20.1',
      '<none>',
    ]);
    expect(lines[2]?.slice(0, 4)).toEqual(['default', 'cutter', '4.20.0', 'Partial']);
    const names = async (...argv: readonly string[]): Promise<string[]> =>
      (JSON.parse((await run(...argv, '-o', 'json')).out) as { name: string }[]).map(({ name }) => name);
    expect(await names()).toEqual(['brig', 'cutter']);
    expect(await names('--below', '4.20.1')).toEqual(['cutter']);
    expect(await names('-n', 'kube-system')).toEqual([]);
    expect(await run('--below', '4.20.0')).toMatchObject({
      code: 0,
      err: 'No control plane may be running anything below 4.20.0\n',
    });
    expect((await run('--node-pool-version-skew', '3')).out).toContain('4.17 to 4.20.1');
  });

  it('follows an upgrade until it is stopped', async () => {
    const io = new TestIo();
    const watching = main(['get', 'versions', '--watch', '-o', 'json', '--kubeconfig', kubeconfig], io);
    const lines = (): string[] =>
      io.stdout
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as { name: string; state: string })
        .map(({ name, state }) => `${name} ${state}`);
    await expect.poll(lines, soon).toEqual(['brig Completed', 'cutter Partial']);
    await setVersion('cutter', '4.20.0', 'Completed');
    await expect.poll(lines, soon).toEqual(['brig Completed', 'cutter Partial', 'cutter Completed']);
    io.stop();
    expect(await watching).toBe(0);
  });

  it('refuses what is no version', async () => {
    const { code, err } = await run('--below', '4.20');
    expect([code, err]).toEqual([
      2,
      'error: --below "4.20" is no version such as 4.20.1\nSee \'capstan get versions --help\' for usage.\n',
    ]);
  });
});

import { afterEach, expect, it } from 'vitest';
import { Client, HttpTransport, loadConnection } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { main } from '../main.js';
import { TestIo } from '../testing-io.js';

const PODS = { group: '', version: 'v1', plural: 'pods', namespaced: true };
const NODES = { group: '', version: 'v1', plural: 'nodes', namespaced: false };
let cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
  cleanups = [];
});

async function start(argv: readonly string[]): Promise<Client> {
  const io = new TestIo();
  const ended = main(['apiserver', ...argv], io);
  const { kubeconfig } = JSON.parse(await io.firstLine()) as { kubeconfig: string };
  const transport = new HttpTransport(await loadConnection({ path: kubeconfig }));
  cleanups.push(async () => {
    await transport.close();
    io.stop();
    expect(await ended).toBe(0);
    expect(io.stderr).toBe('');
  });
  return new Client(transport, { maxRetries: 0 });
}

async function createPod(client: Client): Promise<void> {
  const spec = { containers: [{ name: 'main', image: 'nginx' }] };
  await client.create(PODS, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'default' }, spec });
}

const phase = async (client: Client): Promise<unknown> => {
  const pod: KubeObject & { status?: { phase?: string } } = await client.get(PODS, 'p', { namespace: 'default' });
  return pod.status?.phase;
};

const names = async (client: Client): Promise<unknown> =>
  (await client.list(NODES)).items.map(({ metadata }) => metadata.name);

it.each<[string[], string[]]>([
  [[], ['capstan-0']],
  [
    ['--nodes', '3'],
    ['capstan-0', 'capstan-1', 'capstan-2'],
  ],
])('capstan apiserver %j runs pods on %j', async (argv, nodes) => {
  const client = await start(argv);
  await expect.poll(() => names(client), { timeout: 10_000 }).toEqual(nodes);
  await createPod(client);
  await expect.poll(() => phase(client), { timeout: 10_000 }).toBe('Running');
});

it('without nodes pods stay pending', async () => {
  const client = await start(['--nodes', '0']);
  // Its account is made by a controller: they have started when it is there.
  const accounts = { group: '', version: 'v1', plural: 'serviceaccounts', namespaced: true };
  const account = (): Promise<unknown> =>
    client.get(accounts, 'default', { namespace: 'default' }).catch(() => undefined);
  await expect.poll(account, { timeout: 10_000 }).toBeDefined();
  await createPod(client);
  expect([await names(client), await phase(client)]).toEqual([[], 'Pending']);
});

import { Client, connectionFromText, HttpTransport, systemClock } from '@capstan/kube';
import type { HostedCluster } from '@capstan/api/hypershift';
import type { JsonObject, KubeObject } from '@capstan/meta';
import { controlPlaneNamespace, HOSTED_CLUSTERS, MACHINES, NODE_POOLS } from '@capstan/provider';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { RunningUp } from './running-up.js';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const HOME = 'clusters';
const NAME = 'brig';
const NAMESPACE = controlPlaneNamespace(HOME, NAME);
const SECRETS = { group: '', version: 'v1', plural: 'secrets', namespaced: true };
const NAMESPACES = { group: '', version: 'v1', plural: 'namespaces', namespaced: false };
const NODES = { group: '', version: 'v1', plural: 'nodes', namespaced: false };
const soon = { timeout: 150_000, interval: 100 };

interface Told extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

const says = ({ status }: Told, type: string): string | undefined =>
  status?.conditions?.find((condition) => condition.type === type)?.status;

let up: RunningUp;
let guest: HttpTransport | undefined;

beforeAll(async () => {
  up = await RunningUp.start('--hosted', '1', '--fleet', '0');
});

afterAll(async () => {
  await guest?.close();
  expect(await up.stop()).toBe(0);
});

/** The hosted cluster, as who has its kubeconfig reaches it: over TLS, at a port of this machine. */
async function administrator(): Promise<Client> {
  const { data } = await up.client.get<Told>(SECRETS, `${NAME}-admin-kubeconfig`, { namespace: HOME });
  const text = Buffer.from(data?.['kubeconfig'] ?? '', 'base64').toString('utf8');
  guest ??= new HttpTransport(await connectionFromText(text, { clock: systemClock() }));
  return new Client(guest);
}

async function readyNodes(): Promise<number> {
  const { items } = await (await administrator()).list<Told>(NODES);
  return items.filter((node) => says(node, 'Ready') === 'True').length;
}

describe('a hosted cluster in capstan up', () => {
  it('is available, and its administrator finds its nodes', async () => {
    expect(says(await up.client.get<Told>(HOSTED_CLUSTERS, NAME, { namespace: HOME }), 'Available')).toBe('True');
    await expect.poll(readyNodes, soon).toBe(2);
  });

  it('gets a node for every machine that its pool is scaled to', async () => {
    const value = { spec: { replicas: 3 } };
    await up.client.patch(NODE_POOLS, `${NAME}-workers`, { type: 'merge', value }, { namespace: HOME });
    await expect.poll(readyNodes, soon).toBe(3);
    const { items } = await up.client.list(MACHINES, { namespace: NAMESPACE });
    expect(items).toHaveLength(3);
  });

  it('takes no pool that is newer than its control plane', async () => {
    const pool = await up.client.get<Told>(NODE_POOLS, `${NAME}-workers`, { namespace: HOME });
    const { release } = pool['spec'] as { release: { image: string } };
    const newer = {
      ...pool,
      metadata: { name: 'newer', namespace: HOME },
      spec: { ...(pool['spec'] as object), release: { image: release.image.replace('4.22.0', '4.22.1') } },
    };
    await expect(up.client.create(NODE_POOLS, newer, { dryRun: true })).rejects.toThrow(
      'version 4.22.1 is newer than 4.22.0, the oldest version its control plane may be running; choose one from 4.21 to 4.22.0',
    );
  });

  it('has its control plane upgraded while it has no nodes, which the cluster as a whole cannot be', async () => {
    const merge = (kind: typeof NODE_POOLS, name: string, spec: JsonObject): Promise<KubeObject> =>
      up.client.patch(kind, name, { type: 'merge', value: { spec } }, { namespace: HOME });
    await merge(NODE_POOLS, `${NAME}-workers`, { replicas: 0 });
    await expect.poll(readyNodes, soon).toBe(0);
    const { spec } = await up.client.get<HostedCluster>(HOSTED_CLUSTERS, NAME, { namespace: HOME });
    const image = (spec?.release.image ?? '').replace('4.22.0', '4.22.1');
    await merge(HOSTED_CLUSTERS, NAME, { release: { image } });
    const told = async (): Promise<(string | undefined)[]> => {
      const { status } = await up.client.get<HostedCluster>(HOSTED_CLUSTERS, NAME, { namespace: HOME });
      return [status?.controlPlaneVersion, status?.version].map((version) => {
        const [newest] = version?.history ?? [];
        return newest === undefined ? undefined : `${newest.state} ${newest.version ?? ''}`;
      });
    };
    await expect.poll(told, soon).toEqual(['Completed 4.22.1', 'Partial 4.22.1']);
    await merge(NODE_POOLS, `${NAME}-workers`, { replicas: 1 });
    await expect.poll(told, soon).toEqual(['Completed 4.22.1', 'Completed 4.22.1']);
  });

  it('is gone with its namespace and its machines once it is deleted', async () => {
    await up.client.delete(HOSTED_CLUSTERS, NAME, { namespace: HOME });
    const left = async (): Promise<string[]> =>
      (await up.client.list(NAMESPACES)).items.map(({ metadata }) => metadata.name ?? '');
    await expect.poll(left, soon).not.toContain(NAMESPACE);
    expect((await up.client.list(HOSTED_CLUSTERS, { namespace: HOME })).items).toEqual([]);
    expect((await up.client.list(MACHINES, { namespace: NAMESPACE })).items).toEqual([]);
  });
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, HttpTransport, untrustedConnection } from '@capstan/kube';
import type { HostedCluster } from '@capstan/api/hypershift';
import {
  CONTROL_PLANE_COMPONENTS,
  controlPlaneNamespace,
  HOSTED_CLUSTERS,
  MACHINES,
  NODE_POOLS,
} from '@capstan/hosting';
import type { JsonObject, KubeObject } from '@capstan/meta';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { RunningUp } from './running-up.js';

vi.setConfig({ testTimeout: 400_000, hookTimeout: 400_000 });

const HOME = 'clusters';
const NAME = 'brig';
const NAMESPACE = controlPlaneNamespace(HOME, NAME);
const SECRETS = { group: '', version: 'v1', plural: 'secrets', namespaced: true };
const NAMESPACES = { group: '', version: 'v1', plural: 'namespaces', namespaced: false };
const CONFIG_MAPS = { group: '', version: 'v1', plural: 'configmaps', namespaced: true };
const NODES = { group: '', version: 'v1', plural: 'nodes', namespaced: false };
const soon = { timeout: 300_000, interval: 100 };

interface ObjectWithStatus extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

const statusOf = ({ status }: ObjectWithStatus, type: string): string | undefined =>
  status?.conditions?.find((condition) => condition.type === type)?.status;

const data = mkdtempSync(join(tmpdir(), 'capstan-up-'));
const begin = (): Promise<RunningUp> =>
  RunningUp.start('--hosted', '1', '--fleet', '0', '--no-migrate', '--data', data);
let up: RunningUp;
let guest: HttpTransport | undefined;

beforeAll(async () => {
  up = await begin();
});

afterAll(async () => {
  await guest?.close();
  expect(await up.stop()).toBe(0);
  rmSync(data, { recursive: true, force: true });
});

/** The hosted cluster, as who has its kubeconfig reaches it: over TLS, at a port of this machine. */
async function administrator(): Promise<Client> {
  const secret = await up.client.get<ObjectWithStatus>(SECRETS, `${NAME}-admin-kubeconfig`, { namespace: HOME });
  const text = Buffer.from(secret.data?.['kubeconfig'] ?? '', 'base64').toString('utf8');
  guest ??= new HttpTransport(await untrustedConnection(text, { origin: `Secret ${NAME}-admin-kubeconfig` }));
  return new Client(guest);
}

async function readyNodes(): Promise<number> {
  const { items } = await (await administrator()).list<ObjectWithStatus>(NODES);
  return items.filter((node) => statusOf(node, 'Ready') === 'True').length;
}

/** What must not become another by a restart: machines, where they are in the cloud, nodes, keys, and what users have made. */
async function identity(): Promise<unknown> {
  const own = await administrator();
  const nodes = (await own.list(NODES)).items.map(({ metadata }) => `${metadata.name} ${metadata.uid}`);
  const machines = (
    await up.client.list<KubeObject & { spec?: { providerID?: string } }>(MACHINES, { namespace: NAMESPACE })
  ).items;
  return {
    nodes: nodes.toSorted(),
    machines: machines.map(({ metadata, spec }) => `${metadata.uid} ${spec?.providerID}`).toSorted(),
    kubeconfig: (await up.client.get<ObjectWithStatus>(SECRETS, `${NAME}-admin-kubeconfig`, { namespace: HOME })).data,
    made: (await own.get<ObjectWithStatus>(CONFIG_MAPS, 'mine', { namespace: 'default' })).data,
  };
}

describe('a hosted cluster in capstan up', () => {
  it('is available, and its administrator finds its nodes', async () => {
    expect(
      statusOf(await up.client.get<ObjectWithStatus>(HOSTED_CLUSTERS, NAME, { namespace: HOME }), 'Available'),
    ).toBe('True');
    await expect.poll(readyNodes, soon).toBe(2);
  });

  it('has every component, also the autoscaler of its pool, and all of them are available', async () => {
    const scaled = (spec: JsonObject): Promise<KubeObject> =>
      up.client.patch(NODE_POOLS, `${NAME}-workers`, { type: 'merge', value: { spec } }, { namespace: HOME });
    await scaled({ replicas: null, autoScaling: { min: 2, max: 3 } });
    const components = async (isWell: boolean): Promise<(string | undefined)[]> => {
      const { items } = await up.client.list<ObjectWithStatus>(CONTROL_PLANE_COMPONENTS, { namespace: NAMESPACE });
      return items
        .filter((each) => (statusOf(each, 'Available') === 'True') === isWell)
        .map(({ metadata }) => metadata.name);
    };
    await expect.poll(() => components(true), soon).toContain('cluster-autoscaler');
    await expect.poll(() => components(false), soon).toEqual([]);
    const cluster = (): Promise<ObjectWithStatus> =>
      up.client.get<ObjectWithStatus>(HOSTED_CLUSTERS, NAME, { namespace: HOME });
    await expect.poll(async () => statusOf(await cluster(), 'Degraded'), soon).toBe('False');
    await scaled({ replicas: 2, autoScaling: null });
  });

  it('gets a node for every machine that its pool is scaled to', async () => {
    const value = { spec: { replicas: 3 } };
    await up.client.patch(NODE_POOLS, `${NAME}-workers`, { type: 'merge', value }, { namespace: HOME });
    await expect.poll(readyNodes, soon).toBe(3);
    const { items } = await up.client.list(MACHINES, { namespace: NAMESPACE });
    expect(items).toHaveLength(3);
  });

  it('keeps its contents when capstan up is stopped and started again', async () => {
    const mine = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'mine' }, data: { kept: 'yes' } };
    await (await administrator()).create(CONFIG_MAPS, mine, { namespace: 'default' });
    const before = await identity();
    await guest?.close();
    guest = undefined;
    expect(await up.stop()).toBe(0);
    up = await begin();
    const cluster = (): Promise<ObjectWithStatus> =>
      up.client.get<ObjectWithStatus>(HOSTED_CLUSTERS, NAME, { namespace: HOME });
    await expect.poll(async () => statusOf(await cluster(), 'Available'), soon).toBe('True');
    await expect.poll(readyNodes, soon).toBe(3);
    expect(await identity()).toEqual(before);
    const value = { spec: { replicas: 2 } };
    await up.client.patch(NODE_POOLS, `${NAME}-workers`, { type: 'merge', value }, { namespace: HOME });
    await expect.poll(readyNodes, soon).toBe(2);
  });

  it('refuses a NodePool whose version is newer than its control plane', async () => {
    const pool = await up.client.get<ObjectWithStatus>(NODE_POOLS, `${NAME}-workers`, { namespace: HOME });
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

  it('upgrades its control plane while it has no nodes, and with them the cluster as a whole cannot be', async () => {
    const merge = (kind: typeof NODE_POOLS, name: string, spec: JsonObject): Promise<KubeObject> =>
      up.client.patch(kind, name, { type: 'merge', value: { spec } }, { namespace: HOME });
    await merge(NODE_POOLS, `${NAME}-workers`, { replicas: 0 });
    await expect.poll(readyNodes, soon).toBe(0);
    const { spec } = await up.client.get<HostedCluster>(HOSTED_CLUSTERS, NAME, { namespace: HOME });
    const image = (spec?.release.image ?? '').replace('4.22.0', '4.22.1');
    await merge(HOSTED_CLUSTERS, NAME, { release: { image } });
    const history = async (): Promise<(string | undefined)[]> => {
      const { status } = await up.client.get<HostedCluster>(HOSTED_CLUSTERS, NAME, { namespace: HOME });
      return [status?.controlPlaneVersion, status?.version].map((version) => {
        const [newest] = version?.history ?? [];
        return newest === undefined ? undefined : `${newest.state} ${newest.version ?? ''}`;
      });
    };
    await expect.poll(history, soon).toEqual(['Completed 4.22.1', 'Partial 4.22.1']);
    await merge(NODE_POOLS, `${NAME}-workers`, { replicas: 1 });
    await expect.poll(history, soon).toEqual(['Completed 4.22.1', 'Completed 4.22.1']);
  });

  it('is deleted with its namespace and its machines', async () => {
    await up.client.delete(HOSTED_CLUSTERS, NAME, { namespace: HOME });
    const left = async (): Promise<string[]> =>
      (await up.client.list(NAMESPACES)).items.map(({ metadata }) => metadata.name ?? '');
    await expect.poll(left, soon).not.toContain(NAMESPACE);
    // It lets go of its own name last, when the namespace is gone.
    const clusters = async (): Promise<readonly KubeObject[]> =>
      (await up.client.list(HOSTED_CLUSTERS, { namespace: HOME })).items;
    await expect.poll(clusters, soon).toEqual([]);
    expect((await up.client.list(MACHINES, { namespace: NAMESPACE })).items).toEqual([]);
  });
});

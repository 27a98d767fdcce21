import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HostedCluster } from '@capstan/api/hypershift';
import { HOSTED_CLUSTERS, NODE_POOLS } from '@capstan/hosting';
import { Client, HttpTransport, loadConnection } from '@capstan/kube';
import { getCondition } from '@capstan/meta';
import type { Condition, KubeObject } from '@capstan/meta';
import type { HostingPlatform } from '@capstan/provider';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createArguments } from '../hosted/testing-platforms.js';
import { main } from '../main.js';
import { hostingPlatforms } from '../platforms.js';
import { TestIo } from '../testing-io.js';

interface Reported extends KubeObject {
  readonly status?: {
    readonly replicas?: number;
    readonly availableReplicas?: number;
    readonly conditions?: readonly Condition[];
  };
}

const core = (plural: string) => ({ group: '', version: 'v1', plural, namespaced: true });
const [PODS, SECRETS] = [core('pods'), core('secrets')];
const NODES = { ...core('nodes'), namespaced: false };
const LEASES = { ...core('leases'), group: 'coordination.k8s.io' };
const DEPLOYMENTS = { ...core('deployments'), group: 'apps' };
const NAMESPACES = { group: '', version: 'v1', plural: 'namespaces', namespaced: false };
const NAMESPACE = 'clusters';
const LIMIT_MS = 120_000;

const folder = mkdtempSync(join(tmpdir(), 'capstan-platforms-'));
const server = new TestIo();
let ended: Promise<number>;
let transport: HttpTransport;
let client: Client;
let common: readonly string[] = [];

beforeAll(async () => {
  ended = main(['up', '--hosted', '0', '--fleet', '0'], server);
  const { kubeconfig, releases } = JSON.parse(await server.firstLine()) as { kubeconfig: string; releases: string[] };
  transport = new HttpTransport(await loadConnection({ path: kubeconfig }));
  client = new Client(transport);
  const pull = join(folder, 'pull.json');
  writeFileSync(pull, '{"auths":{}}');
  const release = ['--release-image', releases[0] ?? '', '--pull-secret', pull, '--kubeconfig', kubeconfig];
  common = ['-n', NAMESPACE, '--base-domain', 'fleet.example.com', ...release];
}, LIMIT_MS);

afterAll(async () => {
  await transport.close();
  server.stop();
  expect(await ended).toBe(0);
  rmSync(folder, { recursive: true });
}, LIMIT_MS);

/** What a cluster still lacks. */
async function missing({ key, machineTemplate }: HostingPlatform): Promise<string | undefined> {
  const at = { namespace: NAMESPACE };
  const cluster = await client.get<Reported>(HOSTED_CLUSTERS, key, at);
  const available = getCondition(cluster.status?.conditions, 'Available');
  if (available?.status !== 'True') return available?.message ?? 'anything';
  const { status } = await client.get<Reported>(NODE_POOLS, key, at);
  return machineTemplate === undefined || status?.replicas === 1 ? undefined : 'its node';
}

/** First and last address of a range such as 10.128.0.0/20. */
function rangeOf(cidr = ''): readonly [first: number, last: number] {
  const [base = '', bits = ''] = cidr.split('/');
  const first = base.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  return [first, first + 2 ** (32 - Number(bits)) - 1];
}

/** As the administrator of a hosted cluster. */
async function guestOf(name: string): Promise<{ readonly client: Client; readonly close: () => Promise<void> }> {
  const secret = await client.get<KubeObject & { data?: { kubeconfig?: string } }>(
    SECRETS,
    `${name}-admin-kubeconfig`,
    { namespace: NAMESPACE },
  );
  const path = join(folder, `${name}.kubeconfig`);
  writeFileSync(path, Buffer.from(secret.data?.kubeconfig ?? '', 'base64'));
  const guest = new HttpTransport(await loadConnection({ path }));
  return { client: new Client(guest), close: () => guest.close() };
}

/** What a platform lacks is reported, and noticed when it appears. */
async function giveNamespaces(platform: HostingPlatform): Promise<void> {
  const clusterOf = () => client.get<Reported>(HOSTED_CLUSTERS, platform.key, { namespace: NAMESPACE });
  const wanted = platform.namespaces?.({ hostedCluster: (await clusterOf()) as HostedCluster }) ?? [];
  for (const { name, path } of wanted) {
    const message = async () => getCondition((await clusterOf()).status?.conditions, 'ValidConfiguration')?.message;
    await expect
      .poll(message, { timeout: LIMIT_MS })
      .toBe(`${path}: there is no namespace ${name}: create it, or name another one`);
    await client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }
}

it(
  'a cluster can be hosted on every platform, with a node',
  async () => {
    const platforms = [...(await hostingPlatforms())];
    for (const platform of platforms) {
      const io = new TestIo();
      const { cluster } = await createArguments(platform, folder);
      const argv = ['create', 'cluster', platform.key, '--name', platform.key, '--node-pool-replicas', '1'];
      const code = await main([...argv, ...common, ...cluster], io);
      expect({ code, err: io.stderr }).toEqual({ code: 0, err: '' });
    }
    for (const platform of platforms) await giveNamespaces(platform);
    const all = async () =>
      Object.fromEntries(await Promise.all(platforms.map(async (each) => [each.key, await missing(each)])));
    await expect
      .poll(all, { timeout: LIMIT_MS, interval: 250 })
      .toEqual(Object.fromEntries(platforms.map(({ key }) => [key, undefined])));
  },
  2 * LIMIT_MS,
);

it('no two nodes give their pods the same addresses', async () => {
  const { items } = await client.list<KubeObject & { spec?: { podCIDR?: string } }>(NODES);
  const ranges = items.map(({ spec }) => rangeOf(spec?.podCIDR)).toSorted(([a], [b]) => a - b);
  expect(ranges.length).toBeGreaterThan(2);
  for (const [at, [first]] of ranges.slice(1).entries()) expect(first).toBeGreaterThan(ranges[at]?.[1] ?? 0);
});

it(
  'a hosted cluster runs the pods of its users, on one node more where they do not fit, and ends what they end',
  async () => {
    const at = { namespace: NAMESPACE };
    const autoScaling = { min: 1, max: 3 };
    await client.patch(NODE_POOLS, 'aws', { type: 'merge', value: { spec: { replicas: null, autoScaling } } }, at);
    const guest = await guestOf('aws');
    const inside = { namespace: 'mine' };
    await guest.client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'mine' } });
    const labels = { app: 'web' };
    const containers = [{ name: 'web', image: 'web:1', resources: { requests: { cpu: '3' } } }];
    await guest.client.create(DEPLOYMENTS, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', ...inside },
      spec: {
        replicas: 2,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers } },
      },
    } as KubeObject);
    const available = async (): Promise<number | undefined> =>
      (await guest.client.get<Reported>(DEPLOYMENTS, 'web', inside)).status?.availableReplicas;
    await expect.poll(available, { timeout: LIMIT_MS, interval: 250 }).toBe(2);
    expect((await guest.client.list(NODES)).items).toHaveLength(2);
    // One of three replicas of each program works: two that did would make pods twice.
    const leases = (await guest.client.list(LEASES, { namespace: 'kube-system' })).items.map(
      ({ metadata }) => metadata.name,
    );
    expect(leases).toEqual(expect.arrayContaining(['kube-controller-manager', 'kube-scheduler']));
    const [pod, ...others] = (await guest.client.list(PODS, inside)).items;
    expect(others).toHaveLength(1);
    // Its kubelet is reached, and has no logs.
    for await (const line of guest.client.logs('mine', pod?.metadata.name ?? '')) expect(line).toHaveLength(0);

    await guest.client.delete(NAMESPACES, 'mine');
    const left = async (): Promise<number> =>
      (await guest.client.list(NAMESPACES)).items.filter(({ metadata }) => metadata.name === 'mine').length;
    await expect.poll(left, { timeout: LIMIT_MS, interval: 250 }).toBe(0);
    await guest.close();
  },
  2 * LIMIT_MS,
);

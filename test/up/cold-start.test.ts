import type { HostedCluster } from '@capstan/api/hypershift';
import { controlPlaneNamespace, HOSTED_CLUSTERS, NODE_POOLS } from '@capstan/hosting';
import { setScale } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { isConditionTrue } from '@capstan/meta';
import type { Condition } from '@capstan/meta';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { RunningUp } from './running-up.js';

vi.setConfig({ testTimeout: 400_000, hookTimeout: 400_000 });

const HOME = 'clusters';
const OPERATORS = 'hypershift';
const OLDER = 'v1beta1';
const GROUPS = /(?:^|\.)cluster\.hypershift\.openshift\.io$/u;
const PODS = { group: '', version: 'v1', plural: 'pods', namespaced: true };
const DEPLOYMENTS = { group: 'apps', version: 'v1', plural: 'deployments', namespaced: true };
const CRDS = { group: 'apiextensions.k8s.io', version: 'v1', plural: 'customresourcedefinitions', namespaced: false };
const MACHINES = { group: 'cluster.hypershift.openshift.io', version: 'v1beta2', plural: 'machines', namespaced: true };
const soon = { timeout: 300_000, interval: 100 };

interface Definition extends KubeObject {
  readonly spec: {
    readonly group: string;
    readonly names: { readonly plural: string };
    readonly scope: string;
    readonly versions: readonly { readonly name: string; readonly served: boolean; readonly storage: boolean }[];
  };
  readonly status?: { readonly storedVersions?: readonly string[] };
}

interface Machine extends KubeObject {
  readonly spec?: { readonly providerID?: string };
  readonly status?: { readonly nodeRef?: { readonly name?: string } };
}

interface Workload {
  readonly namespace: string;
  readonly name: string;
  readonly replicas: number;
}

let up: RunningUp;
let name = '';
let namespace = '';

beforeAll(async () => {
  up = await RunningUp.start('--hosted', '1', '--fleet', '0', '--private');
  const [cluster] = (await up.client.list<HostedCluster>(HOSTED_CLUSTERS, { namespace: HOME })).items;
  name = cluster?.metadata.name ?? '';
  namespace = controlPlaneNamespace(HOME, name);
});
afterAll(async () => {
  expect(await up.stop()).toBe(0);
});

const machines = async (version = MACHINES.version): Promise<readonly Machine[]> =>
  (await up.client.list<Machine>({ ...MACHINES, version }, { namespace })).items;
const joined = async (): Promise<number> =>
  (await machines()).filter(({ status }) => status?.nodeRef?.name !== undefined).length;
const identity = async (version?: string): Promise<readonly string[]> =>
  (await machines(version)).map(({ metadata, spec }) => `${metadata.uid} ${spec?.providerID}`);

/** Whatever reads or converts Cluster API objects: operators first, the shim last. */
async function workloads(): Promise<readonly Workload[]> {
  const found: Workload[] = [];
  for (const at of [OPERATORS, namespace])
    for (const { metadata, spec } of (await up.client.list(DEPLOYMENTS, { namespace: at })).items) {
      const { replicas = 1, template } = spec as { readonly replicas?: number; readonly template: object };
      const isShim = metadata.name === 'capi-conversion-webhook-shim';
      const isConcerned = isShim || JSON.stringify(template).includes('kube-apiserver-proxy');
      if (isConcerned) found.push({ namespace: at, name: metadata.name ?? '', replicas });
    }
  const rank = ({ name: of }: Workload): number =>
    ['operator', 'control-plane-operator'].indexOf(of) + 1 || (of === 'capi-conversion-webhook-shim' ? 9 : 5);
  return found.toSorted((a, b) => rank(a) - rank(b));
}

async function stop({ name: of, namespace: at }: Workload): Promise<void> {
  const { spec } = (await up.client.get(DEPLOYMENTS, of, { namespace: at })) as KubeObject & {
    readonly spec: { readonly selector: { readonly matchLabels: Readonly<Record<string, string>> } };
  };
  const labelSelector = Object.entries(spec.selector.matchLabels)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
  await setScale(up.client, DEPLOYMENTS, { namespace: at, name: of }, 0);
  await expect
    .poll(async () => (await up.client.list(PODS, { namespace: at, labelSelector })).items.length, soon)
    .toBe(0);
}

const privateCrds = async (): Promise<readonly Definition[]> =>
  (await up.client.list<Definition>(CRDS)).items.filter(
    ({ spec }) => GROUPS.test(spec.group) && spec.versions.filter(({ served }) => served).length > 1,
  );

/** Has every object stored in the older version, and the newer one the version in which others are stored from now on. */
async function storeInOlderVersion(): Promise<number> {
  let objects = 0;
  for (const { metadata, spec } of await privateCrds()) {
    const store = (isStored: (version: string) => boolean): Promise<unknown> => {
      const versions = spec.versions.map((each) => ({ ...each, storage: isStored(each.name) }));
      return up.client.patch(CRDS, metadata.name ?? '', { type: 'merge', value: { spec: { versions } } });
    };
    const newer = spec.versions.find(({ storage }) => storage)?.name ?? '';
    await store((version) => version === OLDER);
    const kind = {
      group: spec.group,
      version: OLDER,
      plural: spec.names.plural,
      namespaced: spec.scope === 'Namespaced',
    };
    for (const { metadata: of } of (await up.client.list(kind)).items) {
      const value = { metadata: { annotations: { 'example.com/stored-in': OLDER } } };
      await up.client.patch(kind, of.name ?? '', { type: 'merge', value }, { namespace: of.namespace });
      objects += 1;
    }
    await store((version) => version === (newer === OLDER ? 'v1beta2' : newer));
  }
  return objects;
}

describe('capstan up with everything stopped that reads or converts Cluster API objects', () => {
  it('has them stored in the older version, and nothing that can convert them', async () => {
    await expect.poll(joined, soon).toBe(2);
    const all = await workloads();
    expect(all.map((each) => each.name)).toEqual(
      expect.arrayContaining(['operator', 'control-plane-operator', 'cluster-api', 'capi-provider']),
    );
    const before = await identity();
    for (const each of all.slice(0, -1)) await stop(each);
    expect(await storeInOlderVersion()).toBeGreaterThan(4);
    for (const { status } of await privateCrds()) expect(status?.storedVersions).toContain(OLDER);
    await stop(all.at(-1) as Workload);
    await expect(machines()).rejects.toThrow('conversion webhook');
    expect(await identity(OLDER)).toEqual(before);
  });

  it('starts it all at once, without a deadlock, and goes on with what was asked for meanwhile', async () => {
    const before = await identity(OLDER);
    const value = { spec: { replicas: 3 } };
    const [pool] = (await up.client.list(NODE_POOLS, { namespace: HOME })).items;
    await up.client.patch(NODE_POOLS, pool?.metadata.name ?? '', { type: 'merge', value }, { namespace: HOME });
    const stopped = await workloads();
    expect(stopped.map(({ replicas }) => replicas)).toEqual(stopped.map(() => 0));
    await Promise.all(
      stopped.map((each) =>
        setScale(up.client, DEPLOYMENTS, each, each.name === 'capi-conversion-webhook-shim' ? 2 : 1),
      ),
    );
    await expect.poll(() => joined().catch(() => 0), soon).toBe(3);
    expect(await identity()).toEqual(expect.arrayContaining([...before]));
    for (const each of stopped)
      await expect
        .poll(async () => {
          const found = await up.client.get(DEPLOYMENTS, each.name, { namespace: each.namespace });
          return (found['status'] as { readonly availableReplicas?: number }).availableReplicas ?? 0;
        }, soon)
        .toBeGreaterThan(0);
    const cluster = async (): Promise<boolean> => {
      const { status } = await up.client.get<HostedCluster>(HOSTED_CLUSTERS, name, { namespace: HOME });
      return isConditionTrue(status?.conditions as readonly Condition[] | undefined, 'Available');
    };
    await expect.poll(cluster, soon).toBe(true);
  });
});

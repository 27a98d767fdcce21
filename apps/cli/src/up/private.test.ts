import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HOSTED_CLUSTERS, MACHINES, NODE_POOLS } from '@capstan/hosting';
import { Client, HttpTransport, loadConnection } from '@capstan/kube';
import { getCondition, ignoreNotFound } from '@capstan/meta';
import type { Condition, KubeObject } from '@capstan/meta';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createArguments } from '../hosted/testing-platforms.js';
import { main } from '../main.js';
import { hostingPlatforms } from '../platforms.js';
import { TestIo } from '../testing-io.js';
import { HOSTED_CORE } from './groups.js';

const LIMIT_MS = 120_000;
const NAME = 'azure';
const NAMESPACE = 'clusters';
const POLICIES = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  plural: 'validatingadmissionpolicybindings',
  namespaced: false,
};

interface Reported extends KubeObject {
  readonly status?: { readonly replicas?: number; readonly conditions?: readonly Condition[] };
}

const folder = mkdtempSync(join(tmpdir(), 'capstan-private-'));
const server = new TestIo();
let ended: Promise<number>;
let transport: HttpTransport;
let client: Client;
let common: readonly string[] = [];

beforeAll(async () => {
  ended = main(['up', '--private', '--hosted', '0', '--fleet', '0'], server);
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

describe('capstan up --private', () => {
  it(
    'hosts a cluster on a platform that its own fleet does not have, with all of its machines in the private groups',
    async () => {
      const platform = [...(await hostingPlatforms())].find(({ key }) => key === NAME);
      if (platform === undefined) throw new TypeError('there is no platform azure');
      const io = new TestIo();
      const { cluster } = await createArguments(platform, folder);
      const argv = ['create', 'cluster', NAME, '--name', NAME, '--node-pool-replicas', '1'];
      const code = await main([...argv, ...common, ...cluster], io);
      expect({ code, err: io.stderr }).toEqual({ code: 0, err: '' });
      const at = { namespace: NAMESPACE };
      const found = async (): Promise<readonly unknown[]> => {
        const { status } = await client.get<Reported>(HOSTED_CLUSTERS, NAME, at);
        const pool = await client.get<Reported>(NODE_POOLS, NAME, at);
        return [getCondition(status?.conditions, 'Available')?.status, pool.status?.replicas];
      };
      await expect.poll(found, { timeout: LIMIT_MS, interval: 250 }).toEqual(['True', 1]);
      const machines = async (group: string): Promise<number> =>
        (await client.list({ ...MACHINES, group }, { namespace: `${NAMESPACE}-${NAME}` })).items.length;
      expect([await machines(HOSTED_CORE), await machines(MACHINES.group)]).toEqual([1, 0]);
    },
    2 * LIMIT_MS,
  );

  it('refuses standard objects where there are private ones', async () => {
    expect(await client.get(POLICIES, 'hypershift-private-capi-types').catch(ignoreNotFound)).toBeDefined();
    const machine = {
      apiVersion: `${MACHINES.group}/v1beta2`,
      kind: 'Machine',
      metadata: { name: 'm', namespace: `${NAMESPACE}-${NAME}` },
      spec: {
        clusterName: NAME,
        bootstrap: { dataSecretName: 's' },
        infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AzureMachine', name: 'm' },
      },
    };
    const create = (): Promise<KubeObject> =>
      client.create({ ...MACHINES, version: 'v1beta2' }, machine, { dryRun: true });
    await expect(create()).rejects.toThrow('keeps its Cluster API objects in the private groups');
  });
});

import type { KubeObject } from '@capstan/meta';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { TIMEOUT_MS } from '../testing-server.js';
import { installPlace } from './testing-place.js';
import type { InstallPlace } from './testing-place.js';

vi.setConfig({ testTimeout: TIMEOUT_MS, hookTimeout: TIMEOUT_MS });

const NAMESPACES = { group: '', version: 'v1', plural: 'namespaces', namespaced: false };
const DEPLOYMENTS = { group: 'apps', version: 'v1', plural: 'deployments', namespaced: true };
const LEASES = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases', namespaced: true };

let place: InstallPlace;

beforeAll(async () => {
  place = await installPlace();
});

afterAll(() => place.close());

/** A Deployment of another installer. */
async function deploy(namespace: string, name: string): Promise<void> {
  await place.client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  const labels = { name };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'operator', image: 'other' }] } };
  await place.client.create(DEPLOYMENTS, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace },
    spec: { selector: { matchLabels: labels }, template },
  } as KubeObject);
}

const namespaces = async (): Promise<readonly (string | undefined)[]> =>
  (await place.client.list(NAMESPACES)).items.map(({ metadata }) => metadata.name);

describe('operators of hosted clusters', () => {
  it('are installed next to a Deployment of the same name that is none of them', async () => {
    await deploy('mesh', 'operator');
    expect(await place.install()).toMatchObject({ code: 0 });
  });

  it.each([
    ['private types', ['--private-capi-types']],
    ['standard types', []],
  ])('are not installed in a second namespace, where they would lead as well: on %s', async (_, args) => {
    expect(await place.install(...args, '--namespace', 'second')).toEqual({
      code: 1,
      out: '',
      err: `error: operator is installed in namespace hypershift: in second another one would reconcile the same hosted clusters at the same time
give --namespace hypershift, or delete that Deployment first
`,
    });
    expect(await namespaces()).not.toContain('second');
  });

  it('of a shard have a namespace to themselves, but only one', async () => {
    expect(await place.install('--scope', 'shard-1', '--namespace', 'shards')).toMatchObject({ code: 0 });
    const { code, err } = await place.install('--scope', 'shard-1');
    expect([code, err]).toEqual([
      1,
      expect.stringContaining('operator-shard-1 is installed in namespace shards') as string,
    ]);
  });

  it.each([
    ['all of them', [], 'operator is installed in namespace hypershift, not in second'],
    ['a shard', ['--scope', 'shard-1'], 'operator-shard-1 is installed in namespace shards, not in second'],
  ])('keep what is cluster-wide when the namespace of their uninstallation is wrong: %s', async (_, args, message) => {
    const { code, err, out } = await place.run('uninstall', ...args, '--namespace', 'second');
    expect([code, out, err]).toEqual([1, '', expect.stringContaining(message) as string]);
  });

  it('of HyperShift in another namespace are found by their lease', async () => {
    expect(await place.run('uninstall')).toMatchObject({ code: 0 });
    await deploy('managed', 'operator');
    await place.client.create(LEASES, {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'hypershift-operator-leader-elect', namespace: 'managed' },
    });
    const { code, err } = await place.install('--private-capi-types');
    expect([code, err]).toEqual([1, expect.stringContaining('operator is installed in namespace managed') as string]);
  });
});

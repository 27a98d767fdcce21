import { HOSTED_CLUSTERS } from '@capstan/hosting';
import { ignoreNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { main } from '../main.js';
import { TestIo } from '../testing-io.js';
import { TIMEOUT_MS } from '../testing-server.js';
import { installPlace } from './testing-place.js';
import type { InstallPlace } from './testing-place.js';

vi.setConfig({ testTimeout: TIMEOUT_MS, hookTimeout: TIMEOUT_MS });

const OWN = 'hypershift.openshift.io';
const JOURNAL = '{"id":"a","startedAt":"2026-01-01T00:00:00Z"}';
const PRIVATE_MACHINES = {
  group: 'cluster.hypershift.openshift.io',
  version: 'v1beta2',
  plural: 'machines',
  namespaced: true,
};
const DEPLOYMENTS = { group: 'apps', version: 'v1', plural: 'deployments', namespaced: true };
const AT = { namespace: 'hypershift' };

let place: InstallPlace;

beforeAll(async () => {
  place = await installPlace();
  expect((await place.install('--private-capi-types')).code).toBe(0);
});

afterAll(() => place.close());

beforeEach(async () => {
  const { client } = place;
  for (const { metadata } of (await client.list(HOSTED_CLUSTERS)).items)
    await client.delete(HOSTED_CLUSTERS, metadata.name ?? '', { namespace: metadata.namespace });
});

/** A copy that a migration has made; stored in the version that needs no conversion. */
function copy(): KubeObject {
  return {
    apiVersion: `${PRIVATE_MACHINES.group}/v1beta2`,
    kind: 'Machine',
    metadata: { name: 'worker-1', namespace: 'default' },
    spec: {
      clusterName: 'c',
      bootstrap: { dataSecretName: 's' },
      infrastructureRef: { apiGroup: `infrastructure.${PRIVATE_MACHINES.group}`, kind: 'TestMachine', name: 'm' },
    },
  };
}

describe('standard types are refused, and so is uninstalling the shim', () => {
  it.each<[string, Readonly<Record<string, string>>, string]>([
    [
      'while a hosted cluster is on private types',
      { [`${OWN}/private-capi-types`]: 'true' },
      'HostedCluster default/mine is on private Cluster API types',
    ],
    [
      'while a migration has locked one',
      { [`${OWN}/scope`]: 'legacy', [`${OWN}/migration-in-progress`]: 'true', [`${OWN}/migration-journal`]: JOURNAL },
      'HostedCluster default/mine is locked for its migration to private types',
    ],
    [
      'while one has a lock of another client',
      { [`${OWN}/scope`]: 'legacy', [`${OWN}/migration-in-progress`]: 'true' },
      'HostedCluster default/mine is locked for its migration to private types',
    ],
    [
      'while the journal of a lost lock is there',
      { [`${OWN}/scope`]: 'legacy', [`${OWN}/migration-journal`]: JOURNAL },
      'HostedCluster default/mine has the journal of an unfinished migration',
    ],
  ])('%s', async (_, annotations, message) => {
    await place.host('mine', annotations);
    const refused = await place.install();
    expect([refused.code, refused.out, refused.err]).toEqual([1, '', expect.stringContaining(message) as string]);
    const shim = await place.run('uninstall', '--component', 'conversion-shim');
    expect([shim.code, shim.out, shim.err]).toEqual([1, '', expect.stringContaining(message) as string]);
    expect(await operatorReplicas()).toBe(1);
  });

  it('while there are private objects, whosever they are', async () => {
    await place.client.create(PRIVATE_MACHINES, copy());
    const message = 'Machine default/worker-1 is in a private group of Cluster API';
    for (const args of [['install'], ['uninstall'], ['uninstall', '--component', 'conversion-shim']]) {
      const { code, err, out } = await place.run(...args);
      expect([args, code, out, err]).toEqual([args, 1, '', expect.stringContaining(message) as string]);
    }
    await place.client.delete(PRIVATE_MACHINES, 'worker-1', { namespace: 'default' });
  });

  it('but not other components, whatever the hosted clusters are on', async () => {
    await place.host('mine', { [`${OWN}/private-capi-types`]: 'true' });
    for (const component of ['crd-compatibility', 'conversion-shim']) {
      const { code, err } = await place.run('install', '--dry-run', '--wait', '--component', component);
      expect([component, code, err]).toEqual([component, 0, '']);
    }
  });

  it('but not while hosted clusters are on standard types alone', async () => {
    await place.host('mine', { [`${OWN}/scope`]: 'legacy' });
    const { code, out } = await place.install();
    expect([code, out]).toEqual([0, expect.stringContaining('deployment.apps/operator-legacy deleted\n') as string]);
    expect(await operatorReplicas()).toBe(1);
    expect((await place.install('--private-capi-types')).code).toBe(0);
  });
});

const PODS = { group: '', version: 'v1', plural: 'pods', namespaced: true };

/** A pod of the operator, which ends only when the test deletes it. */
async function withPod(during: () => Promise<void>): Promise<void> {
  const pod: KubeObject = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'operator-1', namespace: 'hypershift', labels: { app: 'operator' } },
    spec: { containers: [{ name: 'operator', image: 'x' }] },
  };
  await place.client.create(PODS, pod);
  try {
    await during();
  } finally {
    await deletePod();
  }
}

const deletePod = (): Promise<unknown> =>
  place.client.delete(PODS, 'operator-1', { ...AT, gracePeriodSeconds: 0 }).catch(ignoreNotFound);

const isStopping = (): Promise<unknown> =>
  vi.waitFor(async () => expect(await operatorReplicas()).toBe(0), { timeout: TIMEOUT_MS, interval: 5 });

describe('an operator on private types', () => {
  it('is stopped before another replaces it, and started again when it has locked a cluster meanwhile', async () => {
    await place.host('mine', { [`${OWN}/scope`]: 'legacy' });
    await withPod(async () => {
      const installed = place.install();
      // As a migration that begins after the first look.
      await isStopping();
      const value = { metadata: { annotations: { [`${OWN}/migration-in-progress`]: 'true' } } };
      await place.client.patch(HOSTED_CLUSTERS, 'mine', { type: 'merge', value }, { namespace: 'default' });
      await deletePod();
      const { code, err } = await installed;
      expect([code, err]).toEqual([1, expect.stringContaining('default/mine is locked for its migration') as string]);
    });
    expect(await operatorReplicas()).toBe(1);
  });

  it('is started again when it does not stop in time', async () => {
    await withPod(async () => {
      const { code, err } = await place.install('--timeout', '0');
      expect([code, err]).toEqual([1, expect.stringContaining('pod operator-1 is still ending') as string]);
    });
    expect(await operatorReplicas()).toBe(1);
  });

  it('is started again when the command is stopped while it waits', async () => {
    await withPod(async () => {
      const io = new TestIo();
      const installed = main(['install', '--kubeconfig', place.kubeconfig], io);
      await isStopping();
      io.stop();
      expect(await installed).toBe(1);
      expect(io.stderr).toContain('this command was stopped: run it again to go on\n');
      expect(io.listeners).toBe(0);
    });
    expect(await operatorReplicas()).toBe(1);
  });

  it('is started again when a hosted cluster is created while it is uninstalled', async () => {
    await withPod(async () => {
      const uninstalled = place.run('uninstall');
      await isStopping();
      await place.host('late');
      await deletePod();
      const { code, err } = await uninstalled;
      expect([code, err]).toEqual([1, expect.stringContaining('default/late would no longer be reconciled') as string]);
    });
    const shim = await place.client.get(DEPLOYMENTS, 'capi-conversion-webhook-shim', AT);
    expect([await operatorReplicas(), shim['spec']]).toEqual([1, expect.objectContaining({ replicas: 2 })]);
  });
});

describe('a command that is stopped', () => {
  it('writes no object after that', async () => {
    const io = new TestIo();
    const installed = main(['install', '--private-capi-types', '--no-wait', '--kubeconfig', place.kubeconfig], io);
    await io.firstLine();
    io.stop();
    expect(await installed).toBe(1);
    expect(io.stderr).toMatch(/this command was stopped before \S+\nrun it again to go on\n$/u);
    expect(io.stdout).not.toContain('deployment.apps/operator installed');
  });
});

describe('the policy on standard objects', () => {
  const IDENTITIES = {
    group: 'infrastructure.cluster.x-k8s.io',
    version: 'v1beta2',
    plural: 'awsclustercontrolleridentities',
    namespaced: false,
  };

  const MACHINES = { ...IDENTITIES, plural: 'testmachines', namespaced: true };

  it('lets the platform create objects without a namespace, such as the identities of its provider', async () => {
    const { client } = place;
    await place.define(
      { kind: 'AWSClusterControllerIdentity', ref: IDENTITIES },
      { kind: 'TestMachine', ref: MACHINES },
    );
    const labels = { [`${OWN}/private-capi-types`]: 'true' };
    const namespaces = { group: '', version: 'v1', plural: 'namespaces', namespaced: false };
    await client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'moved', labels } });
    const moved = {
      apiVersion: `${MACHINES.group}/v1beta2`,
      kind: 'TestMachine',
      metadata: { generateName: 'm-', namespace: 'moved' },
    };
    // From then on the policy is in force.
    const creating = (): Promise<KubeObject> => client.create(MACHINES, moved as never);
    await vi.waitFor(() => expect(creating()).rejects.toThrow('keeps its Cluster API objects'), TIMEOUT_MS);
    const identity = {
      apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
      kind: 'AWSClusterControllerIdentity',
      metadata: { name: 'default' },
      spec: {},
    };
    expect(await client.create(IDENTITIES, identity)).toMatchObject({ metadata: { name: 'default' } });
  });
});

async function operatorReplicas(): Promise<unknown> {
  const { spec } = await place.client.get(DEPLOYMENTS, 'operator', AT);
  return (spec as { readonly replicas: number }).replicas;
}

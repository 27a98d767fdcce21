import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HostedCluster } from '@capstan/api/hypershift';
import { HOSTED_CLUSTERS, isPrivate, lockOf, MACHINES } from '@capstan/hosting';
import { systemClock } from '@capstan/kube';
import { waitUntil } from '@capstan/kube/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { HOME, NAME, NAMESPACE } from './support-procedures.js';
import { UpProcess } from './up-process.js';

vi.setConfig({ testTimeout: 400_000, hookTimeout: 400_000 });

const PRIVATE_MACHINES = { ...MACHINES, group: 'cluster.hypershift.openshift.io' };
const LONG = { clock: systemClock(), everyMs: 250, limitMs: 300_000 };
const folder = mkdtempSync(join(tmpdir(), 'capstan-up-install-'));
let up: UpProcess;

beforeAll(async () => {
  up = await UpProcess.start(join(folder, 'kubeconfig'), '--hosted', '1', '--no-migrate');
});

afterAll(async () => {
  expect(await up.stop()).toBe(0);
  rmSync(folder, { recursive: true, force: true });
});

describe('capstan install --private-capi-types into capstan up --no-migrate', () => {
  it('takes over from its operator and migrates its hosted clusters, without an option more', async () => {
    const machines = async (resource: typeof MACHINES): Promise<string[]> =>
      (await up.client.list(resource, { namespace: NAMESPACE })).items
        .map(({ metadata }) => metadata.name ?? '')
        .toSorted();
    const before = await machines(MACHINES);
    expect(before).toHaveLength(2);
    const { code, stderr, stdout } = await up.shell('npx capstan install --private-capi-types');
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('error') as string]);
    expect(stdout).toContain('deployment.apps/operator available\n');
    const isOver = async (): Promise<boolean> => {
      const cluster = await up.client.get<HostedCluster>(HOSTED_CLUSTERS, NAME, { namespace: HOME });
      return isPrivate(cluster) && lockOf(cluster).holder === 'nobody';
    };
    await waitUntil('the cluster is on private types', isOver, LONG);
    expect([await machines(PRIVATE_MACHINES), await machines(MACHINES)]).toEqual([before, []]);
  });

  it('shows the proxy of the operator, which is a native sidecar, among the init containers', async () => {
    const ready = (list: string): Promise<{ readonly stdout: string }> =>
      up.shell(
        `kubectl get pods -n hypershift -l app=operator -o jsonpath='{.items[*].status.${list}[?(@.name=="kube-apiserver-proxy")].ready}'`,
      );
    expect((await ready('initContainerStatuses')).stdout).toBe('true');
    // What the procedures look at is there for ordinary sidecars only.
    expect((await ready('containerStatuses')).stdout).toBe('');
  });

  it('can be run again, and is refused without private types from then on', async () => {
    expect((await up.shell('npx capstan install --private-capi-types')).code).toBe(0);
    const refused = await up.shell('npx capstan install');
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining(`HostedCluster ${HOME}/${NAME} is on private Cluster API types`) as string,
    ]);
  });
});

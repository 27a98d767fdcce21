import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HostedCluster } from '@capstan/api/hypershift';
import { HOSTED_CLUSTERS, isPrivate, lockOf, MACHINES, migrationCondition } from '@capstan/hosting';
import { systemClock } from '@capstan/kube';
import { waitUntil } from '@capstan/kube/testing';
import type { KubeObject } from '@capstan/meta';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { findKubectls } from '../kubectl/binaries.js';
import { HOME, NAME, NAMESPACE, PROCEDURES } from './support-procedures.js';
import { UpProcess } from './up-process.js';

vi.setConfig({ testTimeout: 400_000, hookTimeout: 400_000 });

const PRIVATE_MACHINES = { ...MACHINES, group: 'cluster.hypershift.openshift.io' };
const LONG = { clock: systemClock(), everyMs: 100, limitMs: 300_000 };

interface Machine extends KubeObject {
  readonly spec?: { readonly providerID?: string };
}

const folder = mkdtempSync(join(tmpdir(), 'capstan-migrate-'));
const begin = (): Promise<UpProcess> =>
  UpProcess.start(join(folder, 'kubeconfig'), '--hosted', '1', '--data', join(folder, 'data'));
let up: UpProcess;

beforeAll(async () => {
  up = await begin();
});

afterAll(async () => {
  expect(await up.stop()).toBe(0);
  rmSync(folder, { recursive: true, force: true });
});

const cluster = (): Promise<HostedCluster> => up.client.get<HostedCluster>(HOSTED_CLUSTERS, NAME, { namespace: HOME });

/** Where its machines are in the cloud. */
async function instances(resource: typeof MACHINES): Promise<string[]> {
  const { items } = await up.client.list<Machine>(resource, { namespace: NAMESPACE });
  return items.map(({ metadata, spec }) => `${metadata.name} ${spec?.providerID ?? ''}`).toSorted();
}

describe('the fleet of capstan up', () => {
  let before: string[] = [];

  it('comes up on standard types, and its migration survives the end of the process in the middle of it', async () => {
    before = await instances(MACHINES);
    expect(before).toHaveLength(2);
    const isAtWork = async (): Promise<boolean> =>
      / of \d+, (?:scale down|copy objects|scale up|verify health)/.test(
        migrationCondition(await cluster())?.message ?? '',
      );
    await waitUntil('the migration is under way', isAtWork, LONG);
    await up.kill();
    up = await begin();
    const isOver = async (): Promise<boolean> => {
      const found = await cluster();
      return isPrivate(found) && lockOf(found).holder === 'nobody';
    };
    await waitUntil('the cluster is on private types', isOver, LONG);
    expect(await instances(PRIVATE_MACHINES)).toEqual(before);
    expect(await instances(MACHINES)).toEqual([]);
  });

  it('goes on being scaled', async () => {
    const value = { spec: { replicas: 3 } };
    const pools = { ...HOSTED_CLUSTERS, plural: 'nodepools' };
    await up.client.patch(pools, `${NAME}-workers`, { type: 'merge', value }, { namespace: HOME });
    const isThree = async (): Promise<boolean> => {
      const found = await instances(PRIVATE_MACHINES);
      return found.length === 3 && found.every((each) => /\/i-/.test(each));
    };
    await waitUntil('a third machine is there', isThree, LONG);
    expect(await instances(PRIVATE_MACHINES)).toEqual(expect.arrayContaining(before));
  });

  const [kubectl] = findKubectls();
  it.skipIf(kubectl === undefined).each(PROCEDURES)('shows what the procedures promise: $line', async (procedure) => {
    const { line, shows } = procedure;
    // A pod that was deleted before comes back a moment later.
    await expect
      .poll(() => up.shell(line), { timeout: 15_000, interval: 500 })
      .toMatchObject({
        code: 0,
        stdout: expect.stringMatching(shows) as string,
      });
  });
});

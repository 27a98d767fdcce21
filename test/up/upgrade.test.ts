import type { HostedCluster } from '@capstan/api/hypershift';
import { HOSTED_CLUSTERS } from '@capstan/hosting';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { RunningUp } from './running-up.js';

vi.setConfig({ testTimeout: 400_000, hookTimeout: 400_000 });

const soon = { timeout: 120_000, interval: 100 };
let up: RunningUp;

beforeAll(async () => {
  up = await RunningUp.start('--hosted', '2', '--no-migrate');
});

afterAll(async () => {
  expect(await up.stop()).toBe(0);
});

/** Of both sides, the newest entry of the history. */
async function historyOf(name: string): Promise<(string | undefined)[]> {
  const { status } = await up.client.get<HostedCluster>(HOSTED_CLUSTERS, name, { namespace: 'clusters' });
  return [status?.controlPlaneVersion, status?.version].map((version) => {
    const [newest] = version?.history ?? [];
    return newest === undefined ? undefined : `${newest.state} ${newest.version ?? ''}`;
  });
}

describe('capstan up', () => {
  it('shows a control plane that is upgraded by itself while its cluster has no nodes, and leaves the others alone', async () => {
    await expect.poll(() => historyOf('cutter'), soon).toEqual(['Completed 4.22.1', 'Partial 4.22.1']);
    expect(await historyOf('brig')).toEqual(['Completed 4.22.0', 'Completed 4.22.0']);
  });
});

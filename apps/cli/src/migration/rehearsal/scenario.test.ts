import { ApiServer } from '@capstan/apiserver';
import { Client, sleep, systemClock, systemRandom } from '@capstan/kube';
import type { ResourceKind } from '@capstan/kube';
import { rehearse } from '@capstan/simulation';
import type { ProcessDefinition, RehearsalOutcome, RehearsalScenario } from '@capstan/simulation';
import { beforeAll, describe, expect, it } from 'vitest';
import { TIMEOUT_MS } from '../../testing-server.js';
import { copyOfCluster } from './cluster-copy.js';
import type { ClusterCopy } from './cluster-copy.js';
import { readLive } from './read-live.js';
import { migrationScenario } from './scenario.js';
import { createTestCluster, installCrds, MAPPING, testCrds } from './testing-fleet.js';

let copy: ClusterCopy;

beforeAll(async () => {
  const server = new ApiServer({ clock: systemClock(), random: systemRandom('test') });
  const client = new Client(server, { userAgent: 'test' });
  await installCrds(client, await testCrds());
  await createTestCluster(client, { name: 'a', machines: 3 });
  const fleet = await readLive({ client, mapping: MAPPING, filter: () => true, signal: new AbortController().signal });
  const [source] = fleet.clusters;
  if (source === undefined) throw new Error('no cluster was read');
  copy = copyOfCluster(fleet, source, { mapping: MAPPING, mirrors: false, nowMs: Date.now() });
}, 60_000);

function rehearsed(seed: number, isFaulty: boolean): Promise<RehearsalOutcome> {
  return rehearse(migrationScenario(copy, MAPPING), { seed, isFaulty });
}

const machines = (group: string): ResourceKind => ({
  kind: 'Machine',
  group,
  version: 'v1beta2',
  plural: 'machines',
  namespaced: true,
});
const AT = { namespace: 'clusters-a' };

/** Deletes a machine as soon as it has been moved. */
const vandal: ProcessDefinition = {
  name: 'vandal',
  isReliable: true,
  start: async ({ client, clock }) => {
    const moved = machines('cluster.hypershift.openshift.io');
    const isMoved = async (): Promise<boolean> => {
      const [copies, originals] = await Promise.all(
        [moved, machines('cluster.x-k8s.io')].map((kind) => client.list(kind, AT)),
      );
      return copies?.items.length === 3 && originals?.items.length === 0;
    };
    while (!(await isMoved())) await sleep(clock, 1_000);
    await client.delete(moved, 'workers-0', AT);
  },
};

/** Writes machines of the standard groups, whatever becomes of them. */
const straggler: ProcessDefinition = {
  name: 'a forgotten manager',
  isReliable: true,
  start: async ({ client, clock, signal }) => {
    for (let look = 0; !signal.aborted; look += 1) {
      const annotations = { look: String(look) };
      await client
        .patch(machines('cluster.x-k8s.io'), 'workers-0', { type: 'merge', value: { metadata: { annotations } } }, AT)
        .catch(() => undefined);
      await sleep(clock, 100);
    }
  },
};

function withProcess(scenario: RehearsalScenario, process: ProcessDefinition): RehearsalScenario {
  return {
    ...scenario,
    begin: (context) => {
      const script = scenario.begin(context);
      return { ...script, standIns: [...script.standIns, process], actions: script.actions.slice(0, 1) };
    },
  };
}

describe('A rehearsal of a migration', { timeout: TIMEOUT_MS }, () => {
  it('migrates a copy and takes it back, and nothing differs', async () => {
    expect(copy).toMatchObject({ id: 'clusters/a', moved: 10, leftOut: [], ineligible: undefined });
    expect(copy.controllers).toEqual({ core: 'v1beta2', platforms: ['aws'], carried: [] });
    const outcome = await rehearsed(1, false);
    expect(outcome).toMatchObject({ result: 'done', differences: [], notes: [] });
    expect(outcome.durationMs).toBeGreaterThan(30_000);
    expect(outcome.durationMs).toBeLessThan(300_000);
  });

  it.each([1, 2, 3])('under faults from seed %i ends without a difference', async (seed) => {
    const outcome = await rehearsed(seed, true);
    expect(outcome).toMatchObject({ differences: [] });
    expect(outcome.result).not.toBe('stuck');
  });

  it('gives the same outcome for the same seed', async () => {
    const once = await rehearsed(7, true);
    expect(await rehearsed(7, true)).toEqual(once);
  });

  it('lets the controllers of the copy act: what a machine that is deleted costs shows', async () => {
    const outcome = await rehearse(withProcess(migrationScenario(copy, MAPPING), vandal), { seed: 1, isFaulty: false });
    expect(outcome.differences).toEqual(
      expect.arrayContaining([
        'Machine.cluster.x-k8s.io clusters-a/workers-0 is missing',
        'no-cloud-calls: capi-provider/aws called terminate i-a0',
        expect.stringMatching(/^no-cloud-calls: capi-provider\/aws called create i-/) as string,
      ]),
    );
  });

  it('finds a manager of the old groups that was not stopped', async () => {
    const outcome = await rehearse(withProcess(migrationScenario(copy, MAPPING), straggler), {
      seed: 1,
      isFaulty: false,
    });
    expect(outcome.differences).toContainEqual(
      expect.stringContaining('was written by a forgotten manager while the private groups are authoritative'),
    );
  });
});

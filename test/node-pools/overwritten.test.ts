import type { NodePool, NodePoolStatus } from '@capstan/api/hypershift';
import { NODE_POOLS } from '@capstan/provider';
import { describe, expect, it } from 'vitest';
import { imageOf, NAMESPACE, nodePool } from './objects.js';
import { Stage } from './stage.js';

/** The gap between two looks at a pool, and how long details wait to be written, with what a request takes. */
const GAP_MS = 3_000;
const DETAILS_MS = 8_000;

/** A status without when it came to be so. */
function timeless({ conditions = [], ...rest }: NodePoolStatus): object {
  const told = conditions.map((condition) => ({ ...condition, lastTransitionTime: '' }));
  return { ...rest, conditions: told.toSorted((a, b) => (a.type < b.type ? -1 : 1)) };
}

/** How often pools were looked at. */
function looks({ manager }: Stage): number {
  const counted = /^controller_runtime_reconcile_total\{controller="nodepool",result="\w+"\} (\d+)$/gm;
  return [...(manager?.metrics.render() ?? '').matchAll(counted)].reduce((sum, [, count]) => sum + Number(count), 0);
}

async function overwrite(stage: Stage, change: (status: NodePoolStatus) => NodePoolStatus): Promise<void> {
  const pool = await stage.pool('workers');
  const status = change(pool.status ?? {});
  await stage.client.update<NodePool>(NODE_POOLS, { ...pool, status }, { subresource: 'status' });
}

async function converged(): Promise<Stage> {
  const stage = await Stage.begin();
  await stage.client.create(NODE_POOLS, nodePool('workers', { replicas: 2 }));
  await stage.until('machines', () => stage.isRolledOut('workers', '4.22.0'));
  await stage.pass(60_000);
  return stage;
}

const lie = ({ conditions = [], ...rest }: NodePoolStatus): NodePoolStatus => ({
  ...rest,
  conditions: conditions.map((each) =>
    each.type === 'ValidReleaseImage' ? { ...each, status: 'False', reason: 'Lie', message: 'it is not' } : each,
  ),
});

describe('the status of a pool that somebody else wrote', { timeout: 120_000 }, () => {
  it.each<[string, number, (status: NodePoolStatus) => NodePoolStatus]>([
    ['in which a condition is another', GAP_MS, lie],
    ['without its conditions', GAP_MS, (status) => ({ ...status, conditions: [] })],
    ['with another version', GAP_MS, (status) => ({ ...status, version: '4.0.0' })],
    ['with a version that is none of ours', GAP_MS, (status) => ({ ...status, version: '1.2.3' })],
    ['with a version to which it could not go back', GAP_MS, (status) => ({ ...status, version: '99.0.0' })],
    ['with another count', DETAILS_MS, (status) => ({ ...status, replicas: 9 })],
    ['that is empty', GAP_MS, () => ({})],
  ])('%s is put right, and then nothing more is looked at or written', async (_what, withinMs, change) => {
    const stage = await converged();
    const right = timeless((await stage.pool('workers')).status ?? {});
    await overwrite(stage, change);
    expect(timeless((await stage.pool('workers')).status ?? {})).not.toEqual(right);
    const [seen, looked] = [stage.logLength, looks(stage)];
    await stage.pass(withinMs);
    expect(timeless((await stage.pool('workers')).status ?? {})).toEqual(right);
    expect(stage.writes(seen)).toEqual(['update hypershift.openshift.io/nodepools workers']);
    // Of its own write it does not hear.
    await stage.pass(60_000);
    expect([stage.writes(seen).length, looks(stage) - looked]).toEqual([1, 1]);
  });

  it('is put right while something else is wrong with the pool, and while it is upgraded', async () => {
    const stage = await converged();
    const image = imageOf('nowhere');
    await stage.merge(NODE_POOLS, NAMESPACE, 'workers', { spec: { release: { image } } });
    await stage.until('it says so', () => stage.says('workers', 'ValidReleaseImage', 'False'));
    await stage.pass(60_000);
    const lies = { version: '1.2.3', replicas: 999 };
    const told = async (): Promise<readonly unknown[]> => {
      const { replicas, version } = (await stage.pool('workers')).status ?? {};
      return [version, replicas];
    };
    await overwrite(stage, (status) => ({ ...status, ...lies }));
    await stage.pass(DETAILS_MS);
    expect(await told()).toEqual(['4.22.0', 2]);
    await stage.merge(NODE_POOLS, NAMESPACE, 'workers', { spec: { release: { image: imageOf('4.22.1') } } });
    await stage.until('it is on its way', () => stage.says('workers', 'UpdatingVersion', 'True'));
    await overwrite(stage, (status) => ({ ...status, ...lies }));
    await stage.pass(GAP_MS);
    // As long as there is a machine of before.
    const versions = (await stage.machines()).map(({ spec }) => spec?.version);
    expect(versions).toContain('4.22.0');
    expect((await told())[0]).toBe('4.22.0');
    await stage.until('it is there', () => stage.isRolledOut('workers', '4.22.1'));
  });

  it('is looked at and left where what was added is another’s to say', async () => {
    const stage = await converged();
    const others = { type: 'example.com/Audited', status: 'True', reason: 'Done', message: '' };
    const { metadata } = await stage.pool('workers');
    const condition = { ...others, lastTransitionTime: metadata.creationTimestamp ?? '' };
    await overwrite(stage, (status) => ({ ...status, conditions: [...(status.conditions ?? []), condition] }));
    const [seen, looked] = [stage.logLength, looks(stage)];
    await stage.pass(60_000);
    expect([stage.writes(seen), looks(stage) - looked]).toEqual([[], 1]);
    expect((await stage.pool('workers')).status?.conditions).toContainEqual(condition);
  });
});

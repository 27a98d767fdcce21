import type { NodePool, NodePoolStatus } from '@capstan/api/hypershift';
import { NODE_POOLS } from '@capstan/hosting';
import { describe, expect, it } from 'vitest';
import { imageOf, NAMESPACE, nodePool } from './objects.js';
import { Fixture } from './fixture.js';

/** The gap between two looks at a pool, and how long details wait to be written, with what a request takes. */
const GAP_MS = 3_000;
const DETAILS_MS = 8_000;

/** A status without when it came to be so. */
function timeless({ conditions = [], ...rest }: NodePoolStatus): object {
  const untimed = conditions.map((condition) => ({ ...condition, lastTransitionTime: '' }));
  return { ...rest, conditions: untimed.toSorted((a, b) => (a.type < b.type ? -1 : 1)) };
}

/** How often pools were looked at. */
function looks({ manager }: Fixture): number {
  const counted = /^controller_runtime_reconcile_total\{controller="nodepool",result="\w+"\} (\d+)$/gm;
  return [...(manager?.metrics.render() ?? '').matchAll(counted)].reduce((sum, [, count]) => sum + Number(count), 0);
}

async function overwrite(fixture: Fixture, change: (status: NodePoolStatus) => NodePoolStatus): Promise<void> {
  const pool = await fixture.pool('workers');
  const status = change(pool.status ?? {});
  await fixture.client.update<NodePool>(NODE_POOLS, { ...pool, status }, { subresource: 'status' });
}

async function converged(): Promise<Fixture> {
  const fixture = await Fixture.begin();
  await fixture.client.create(NODE_POOLS, nodePool('workers', { replicas: 2 }));
  await fixture.until('machines', () => fixture.isRolledOut('workers', '4.22.0'));
  await fixture.pass(60_000);
  return fixture;
}

const lie = ({ conditions = [], ...rest }: NodePoolStatus): NodePoolStatus => ({
  ...rest,
  conditions: conditions.map((each) =>
    each.type === 'ValidReleaseImage' ? { ...each, status: 'False', reason: 'Lie', message: 'it is not' } : each,
  ),
});

describe('the status of a pool that another client wrote', { timeout: 120_000 }, () => {
  it.each<[string, number, (status: NodePoolStatus) => NodePoolStatus]>([
    ['in which a condition is another', GAP_MS, lie],
    ['without its conditions', GAP_MS, (status) => ({ ...status, conditions: [] })],
    ['with another version', GAP_MS, (status) => ({ ...status, version: '4.0.0' })],
    ['with a version that is none of ours', GAP_MS, (status) => ({ ...status, version: '1.2.3' })],
    ['with a version to which it could not go back', GAP_MS, (status) => ({ ...status, version: '99.0.0' })],
    ['with another count', DETAILS_MS, (status) => ({ ...status, replicas: 9 })],
    ['that is empty', GAP_MS, () => ({})],
  ])('%s is corrected, and then nothing more is read or written', async (_what, withinMs, change) => {
    const fixture = await converged();
    const right = timeless((await fixture.pool('workers')).status ?? {});
    await overwrite(fixture, change);
    expect(timeless((await fixture.pool('workers')).status ?? {})).not.toEqual(right);
    const [seen, looked] = [fixture.logLength, looks(fixture)];
    await fixture.pass(withinMs);
    expect(timeless((await fixture.pool('workers')).status ?? {})).toEqual(right);
    expect(fixture.writes(seen)).toEqual(['update hypershift.openshift.io/nodepools workers']);
    // Its own write triggers no reconcile.
    await fixture.pass(60_000);
    expect([fixture.writes(seen).length, looks(fixture) - looked]).toEqual([1, 1]);
  });

  it('is corrected while something else is wrong with the pool, and while it is upgraded', async () => {
    const fixture = await converged();
    const image = imageOf('nowhere');
    await fixture.merge(NODE_POOLS, NAMESPACE, 'workers', { spec: { release: { image } } });
    await fixture.until('it is reported', () => fixture.hasCondition('workers', 'ValidReleaseImage', 'False'));
    await fixture.pass(60_000);
    const lies = { version: '1.2.3', replicas: 999 };
    const counts = async (): Promise<readonly unknown[]> => {
      const { replicas, version } = (await fixture.pool('workers')).status ?? {};
      return [version, replicas];
    };
    await overwrite(fixture, (status) => ({ ...status, ...lies }));
    await fixture.pass(DETAILS_MS);
    expect(await counts()).toEqual(['4.22.0', 2]);
    await fixture.merge(NODE_POOLS, NAMESPACE, 'workers', { spec: { release: { image: imageOf('4.22.1') } } });
    await fixture.until('it is on its way', () => fixture.hasCondition('workers', 'UpdatingVersion', 'True'));
    await overwrite(fixture, (status) => ({ ...status, ...lies }));
    await fixture.pass(GAP_MS);
    // As long as there is a machine of before.
    const versions = (await fixture.machines()).map(({ spec }) => spec?.version);
    expect(versions).toContain('4.22.0');
    expect((await counts())[0]).toBe('4.22.0');
    await fixture.until('it is there', () => fixture.isRolledOut('workers', '4.22.1'));
  });

  it('is reconciled and kept where another manager owns what was added', async () => {
    const fixture = await converged();
    const others = { type: 'example.com/Audited', status: 'True', reason: 'Done', message: '' };
    const { metadata } = await fixture.pool('workers');
    const condition = { ...others, lastTransitionTime: metadata.creationTimestamp ?? '' };
    await overwrite(fixture, (status) => ({ ...status, conditions: [...(status.conditions ?? []), condition] }));
    const [seen, looked] = [fixture.logLength, looks(fixture)];
    await fixture.pass(60_000);
    expect([fixture.writes(seen), looks(fixture) - looked]).toEqual([[], 1]);
    expect((await fixture.pool('workers')).status?.conditions).toContainEqual(condition);
  });
});

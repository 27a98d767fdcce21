import type { StoreSnapshot } from '@capstan/apiserver';
import { PRIVATE_CAPI_TYPES_ANNOTATION } from '@capstan/hosting';
import { beforeAll, expect, it } from 'vitest';
import { kindOf, PRIVATE, STANDARD } from './fixture.js';
import { eventually } from '../src/wait.js';
import { MigrationRun } from './crashes/scenario.js';
import { NAMESPACE, prepareServer } from './crashes/server.js';

const MACHINES = 20;
const AT_ONCE = 3;
/** So many reconciles of the controllers, ten seconds each: far more than a migration has for all of its waits. */
const DRAINED_AFTER = 40;

let snapshot: StoreSnapshot;
beforeAll(async () => {
  snapshot = await prepareServer(MACHINES);
}, 120_000);

/** Replaces every machine of before, a few at once; each is drained for a long time. */
function rollOut({ controllers, fixture, history, hosted }: MigrationRun): { readonly isDone: () => boolean } {
  const drains = new Map<string, number>();
  controllers.isDraining = ({ metadata: { name = '' } }) => {
    drains.set(name, (drains.get(name) ?? 0) + 1);
    return (drains.get(name) ?? 0) < DRAINED_AFTER;
  };
  const old = (group: string): readonly string[] =>
    history
      .of('Machine')
      .filter(({ apiVersion }) => apiVersion.startsWith(`${group}/`))
      .filter(({ metadata }) => !(metadata.name ?? '').startsWith('workers-new-'))
      .filter(({ metadata }) => metadata.deletionTimestamp == null)
      .map(({ metadata }) => metadata.name ?? '');
  const deleting = (group: string): number =>
    history
      .of('Machine')
      .filter(({ apiVersion, metadata }) => apiVersion.startsWith(`${group}/`) && metadata.deletionTimestamp != null)
      .length;
  const { playOthers } = hosted;
  hosted.playOthers = async () => {
    await playOthers();
    const group = await controllers.group();
    if (group === undefined) return;
    const [next] = old(group);
    if (next !== undefined && deleting(group) < AT_ONCE)
      await fixture.client.delete(kindOf(group, 'Machine'), next, { namespace: NAMESPACE });
  };
  return { isDone: () => old(PRIVATE).length + deleting(PRIVATE) === 0 };
}

it('A cluster whose machines are replaced, each after a long drain, is migrated in the middle of that', async () => {
  const run = new MigrationRun(snapshot);
  run.history.userKinds = ['Machine'];
  try {
    const rollout = rollOut(run);
    for (let looks = 0; looks < AT_ONCE; looks += 1) await run.hosted.play();
    const uids = new Map(run.history.of('Machine').map(({ metadata }) => [metadata.name, metadata.deletionTimestamp]));
    expect([...uids.values()].filter((time) => time != null)).toHaveLength(AT_ONCE);
    const began = run.hosted.clock.now();
    await run.migrate();
    const { annotations = {} } = (await run.hosted.hostedCluster()).metadata;
    expect([annotations[PRIVATE_CAPI_TYPES_ANNOTATION], await run.hosted.condition()]).toEqual([
      'true',
      'True Migrated: Cluster API objects are in the private groups',
    ]);
    expect(run.hosted.clock.now() - began).toBeLessThan(3 * 60_000);
    expect(run.history.of('Machine').filter(({ apiVersion }) => apiVersion.startsWith(`${STANDARD}/`))).toEqual([]);
    // Those that were being deleted before still are: their drains go on where they were.
    const still = run.history.of('Machine').filter(({ metadata }) => uids.get(metadata.name) != null);
    expect(still.map(({ metadata }) => metadata.deletionTimestamp == null)).toEqual([false, false, false]);
    for (let plays = 0; !rollout.isDone() && plays < MACHINES * DRAINED_AFTER; plays += 1) await run.hosted.play();
    expect([rollout.isDone(), run.controllers.instances.size]).toEqual([true, MACHINES]);
    expect(run.controllers.calls).toHaveLength(2 * MACHINES);
    expect(run.history.violations).toEqual([]);
  } finally {
    await run.close();
  }
}, 300_000);

it('A set that is deleted with its machines is migrated while these are drained, and is gone after them', async () => {
  const run = new MigrationRun(snapshot);
  // The Secret is the set's.
  run.history.userKinds = ['Machine', 'Secret'];
  const { client } = run.fixture;
  let isDrained = false;
  run.controllers.isDraining = () => !isDrained;
  try {
    const options = { namespace: NAMESPACE, propagationPolicy: 'Foreground' } as const;
    await client.delete(kindOf(STANDARD, 'MachineSet'), 'workers', options);
    await run.migrate();
    expect(await run.hosted.condition()).toBe('True Migrated: Cluster API objects are in the private groups');
    const objects = ['MachineSet', 'Machine'].flatMap((kind) => run.history.of(kind));
    expect(objects.filter(({ apiVersion }) => !apiVersion.startsWith(`${PRIVATE}/`))).toEqual([]);
    expect(objects.filter(({ metadata }) => metadata.deletionTimestamp == null)).toEqual([]);
    expect(objects).toHaveLength(1 + MACHINES);
    isDrained = true;
    await eventually('the end of the set', async () => {
      await run.hosted.play();
      return run.history.of('MachineSet').length === 0;
    });
    expect([run.controllers.instances.size, run.history.of('Machine').length]).toEqual([0, 0]);
    expect(run.history.violations).toEqual([]);
  } finally {
    await run.close();
  }
}, 300_000);

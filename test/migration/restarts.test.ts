import { lockOf } from '@capstan/hosting';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bothGroups, createFleet, freshNamespace, migrationServer, MigrationFixture } from './fixture.js';
import { HostedMigration, hostedKinds } from './hosted.js';

const MINUTE_MS = 60_000;

let fixture: MigrationFixture;
let hosted: HostedMigration;

beforeEach(async () => {
  fixture = await MigrationFixture.start(await migrationServer([...bothGroups(), ...hostedKinds()]), freshNamespace());
  hosted = await HostedMigration.create(fixture);
  await createFleet(fixture, false);
  await hosted.begin();
}, 60_000);
afterEach(() => fixture.close());

const isLocked = async (): Promise<boolean> => lockOf(await hosted.hostedCluster()).holder === 'migration';

async function failure(): Promise<string | undefined> {
  const { annotations = {} } = (await hosted.hostedCluster()).metadata;
  return annotations['hypershift.openshift.io/migration-failed'];
}

/** Goes on in processes that each live for a while, until the migration fails or has ended; how many minutes that took. */
async function run(livesMs = Number.POSITIVE_INFINITY): Promise<number> {
  const start = hosted.clock.now();
  let began = start;
  while (hosted.clock.now() < start + 120 * MINUTE_MS && (await isLocked()) && (await failure()) === undefined) {
    await hosted.clock.advance((await hosted.look()) ?? 0);
    if (hosted.clock.now() - began < livesMs) continue;
    hosted.restart();
    began = hosted.clock.now();
  }
  return (hosted.clock.now() - start) / MINUTE_MS;
}

/** Goes on until the condition shows a step. */
async function runUntil(title: string): Promise<void> {
  for (let looks = 0; looks < 50; looks += 1) {
    const afterMs = await hosted.look();
    if ((await hosted.condition()).includes(title)) return;
    await hosted.clock.advance(afterMs ?? 0);
  }
  throw new Error(`never came to ${title}: ${await hosted.condition()}`);
}

describe('A limit goes on through restarts of the operator', () => {
  it.each([
    ['acknowledge-timeout', 'operators', 5],
    ['scale-down-timeout', 'deployments', 5],
    ['deployment-timeout', 'control-plane-operator', 10],
  ] as const)('that ends every four minutes: %s', async (reason, absent, minutes) => {
    hosted.actors.delete(absent);
    await hosted.lock();
    const took = await run(4 * MINUTE_MS);
    expect(await failure()).toBe(reason);
    expect(took).toBeLessThan(minutes + 4);
  });

  it('that ends every twenty seconds', async () => {
    hosted.actors.delete('deployments');
    await hosted.lock();
    const took = await run(20_000);
    expect(await failure()).toBe('scale-down-timeout');
    expect(took).toBeLessThan(70);
  });
});

describe('After an operator was away for longer than a limit', () => {
  it.each(['scale down', 'scale up', 'verify health'])('the migration goes on from %s', async (title) => {
    await hosted.lock();
    await runUntil(title);
    await hosted.clock.advance(11 * MINUTE_MS);
    hosted.restart();
    await run();
    expect([await isLocked(), await failure()]).toEqual([false, undefined]);
    expect(await hosted.condition()).toContain('True Migrated');
  });

  it('a step that needs a moment more is given it', async () => {
    await hosted.lock();
    hosted.actors.delete('deployments');
    await runUntil('scale down');
    await hosted.clock.advance(6 * MINUTE_MS);
    hosted.restart();
    await hosted.look();
    hosted.actors.add('deployments');
    await hosted.play();
    await run();
    expect([await isLocked(), await failure()]).toEqual([false, undefined]);
  });
});

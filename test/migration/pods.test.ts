import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bothGroups, createFleet, freshNamespace, migrationServer, MigrationFixture } from './fixture.js';
import { HostedMigration, hostedKinds } from './hosted.js';
import type { PlayedPods } from './pods.js';

let fixture: MigrationFixture;
let hosted: HostedMigration;
let pods: PlayedPods;

beforeEach(async () => {
  fixture = await MigrationFixture.start(await migrationServer([...bothGroups(), ...hostedKinds()]), freshNamespace());
  hosted = await HostedMigration.create(fixture);
  await createFleet(fixture, false);
  await hosted.begin();
  pods = await hosted.playPods();
}, 60_000);
afterEach(() => fixture.close());

/** Migrates until the lock is gone; why it failed, or undefined. */
async function migrate(): Promise<string | undefined> {
  await hosted.lock();
  const { annotations = {} } = (await hosted.run()).metadata;
  return annotations['hypershift.openshift.io/migration-failed'];
}

describe('Pods that were evicted', () => {
  it('before a migration do not keep it from scaling down', async () => {
    await pods.evict('capi-provider');
    await hosted.play();
    expect([await migrate(), await hosted.condition()]).toEqual([
      undefined,
      'True Migrated: Cluster API objects are in the private groups',
    ]);
    expect(await pods.evicted()).toEqual(['capi-provider']);
  });

  it('while it scales down do not keep it from that', async () => {
    const condition = (): Promise<string> => hosted.condition();
    let isEvicted = false;
    hosted.playOthers = async () => {
      if (isEvicted || !(await condition()).includes('scale down')) return;
      isEvicted = true;
      await pods.evict('capi-provider');
    };
    expect([await migrate(), isEvicted]).toEqual([undefined, true]);
  });

  it('do not keep a rollback from its end', async () => {
    pods.states.set('cluster-autoscaler', ({ isMigrated }) => (isMigrated ? { waiting: 'ImagePullBackOff' } : {}));
    await pods.evict('capi-provider');
    await hosted.play();
    expect([await migrate(), await hosted.condition()]).toEqual([
      'deployment-timeout',
      expect.stringContaining('False Failed: rolled back (deployment-timeout)'),
    ]);
  });
});

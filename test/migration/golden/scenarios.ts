import { HOSTED_CLUSTERS, MANUAL_ROLLBACK, withLock, withRollback } from '@capstan/hosting';
import { patchFrom, systemClock } from '@capstan/kube';
import { waitUntil } from '@capstan/kube/testing';
import { isForbidden } from '@capstan/meta';
import { CrashingTransport } from '../crashes/crashing-transport.js';
import { everyObject } from '../crashes/ends.js';
import { KINDS } from '../crashes/kinds.js';
import { RefusingTransport } from '../crashes/refusing-transport.js';
import type { MigrationRun } from '../crashes/scenario.js';
import type { MigrationRecorder } from './recorder.js';

/** A migration whose log is kept. */
export interface GoldenScenario {
  /** Of its file. */
  readonly name: string;
  readonly run: (run: MigrationRun, recorder: MigrationRecorder) => Promise<void>;
}

/** Begins as the scenario does and goes on until the lock is gone, as the controller does. */
async function migrate(run: MigrationRun, recorder: MigrationRecorder): Promise<void> {
  const { fixture, hosted } = run;
  const server = new RefusingTransport(run.server, (write) => run.isRefused(write));
  recorder.begin();
  hosted.restart(recorder.transport(server), recorder.observers(fixture.client));
  await run.begin();
  await goOn(run, recorder);
}

const COLLECTED = { clock: systemClock(), everyMs: 5, limitMs: 10_000 };

/** Whether objects wait for what only the garbage collector does. */
function isBeingCollected(run: MigrationRun): boolean {
  return everyObject(run).some(
    ({ metadata: { deletionTimestamp, finalizers = [] } }) =>
      deletionTimestamp != null && finalizers.some((each) => each === 'orphan' || each === 'foregroundDeletion'),
  );
}

/** Goes on until the lock is gone; the garbage collector acts after each look, since the log must not depend on its speed. */
async function goOn(run: MigrationRun, recorder: MigrationRecorder): Promise<void> {
  const { collectorsServer, hosted } = run;
  collectorsServer.close();
  const { playOthers } = hosted;
  hosted.playOthers = async () => {
    recorder.noteCondition(await hosted.hostedCluster());
    await playOthers();
    collectorsServer.open();
    await waitUntil('the garbage collector has let go', () => !isBeingCollected(run), COLLECTED);
    collectorsServer.close();
  };
  try {
    await hosted.run(isForbidden);
  } finally {
    recorder.noteCondition(await hosted.hostedCluster());
    hosted.playOthers = playOthers;
    collectorsServer.open();
  }
}

/** Recorded below with what the user does. */
const BY_HAND = 'a rollback by hand';

const KIND_SCENARIOS: readonly GoldenScenario[] = KINDS.filter(({ name }) => name !== BY_HAND).map((kind) => ({
  name: kind.name.replaceAll(' ', '-'),
  run: async (run, recorder) => {
    await kind.prepare(run);
    await migrate(run, recorder);
  },
}));

/** A user brings a cluster back that was migrated before. */
const manualRollback: GoldenScenario = {
  name: 'manual-rollback',
  run: async (run, recorder) => {
    const { fixture, hosted } = run;
    await hosted.lock();
    await hosted.run();
    recorder.begin();
    hosted.restart(recorder.transport(run.server), recorder.observers(fixture.client));
    const before = await hosted.hostedCluster();
    const locked = withLock(before, { id: 'of-a-user', startedAt: '2026-01-01T00:05:00Z' });
    const message = 'rolled back by an administrator, case 0123';
    const after = withRollback(locked, { reason: MANUAL_ROLLBACK, message });
    await patchFrom(fixture.client, HOSTED_CLUSTERS, { before, after });
    recorder.note('user', 'asks for the rollback');
    await goOn(run, recorder);
  },
};

const WRITE_OF_CRASH = 20;

/** The operator ends in the middle of copying, and begins again. */
const restart: GoldenScenario = {
  name: 'restart-in-the-middle',
  run: async (run, recorder) => {
    const { fixture, hosted } = run;
    const observers = recorder.observers(fixture.client);
    const point = { write: WRITE_OF_CRASH, hasEffect: true, isCrash: true };
    hosted.restart(recorder.transport(new CrashingTransport(run.server, point)), observers);
    await hosted.lock();
    await goOn(run, recorder).catch(() => recorder.note('operator', 'ends after a write whose answer it never reads'));
    hosted.restart(recorder.transport(run.server), observers);
    await goOn(run, recorder);
  },
};

/** The HostedCluster is deleted while it is locked. */
const deleted: GoldenScenario = {
  name: 'deleted-under-the-lock',
  run: async (run, recorder) => {
    const { fixture, hosted } = run;
    const { client } = fixture;
    const at = { namespace: 'clusters' };
    const finalizers = ['hypershift.openshift.io/finalizer'];
    const value = { metadata: { finalizers } };
    await client.patch(HOSTED_CLUSTERS, hosted.name, { type: 'merge', value }, at);
    hosted.restart(recorder.transport(run.server), recorder.observers(client));
    await hosted.lock();
    await hosted.look();
    await hosted.look();
    await client.delete(HOSTED_CLUSTERS, hosted.name, at);
    recorder.note('user', 'deletes the HostedCluster');
    await goOn(run, recorder);
  },
};

export const SCENARIOS: readonly GoldenScenario[] = [...KIND_SCENARIOS, manualRollback, restart, deleted];

import type { StoreSnapshot } from '@capstan/apiserver';
import { HOSTED_CLUSTERS, lockOf, MIGRATION_FAILED_ANNOTATION, MIGRATION_FAILURE_ANNOTATION } from '@capstan/hosting';
import type { KubeObject } from '@capstan/meta';
import { beforeAll, describe, expect, it } from 'vitest';
import { systemRandom } from '@capstan/kube';
import { FORWARD } from '@capstan/hypershift';
import type { CrashPoint } from './crashing-transport.js';
import { everyObject, wrongEnd } from './ends.js';
import { KINDS } from './kinds.js';
import type { Kind } from './kinds.js';
import { MigrationRun } from './scenario.js';
import { prepareServer } from './server.js';

/** Of each kind of migration, one point in so many; `CAPSTAN_CRASHES=all` tries every one. */
const ONE_IN = process.env['CAPSTAN_CRASHES'] === 'all' ? 1 : 53;
/** Of the moments at which the annotation is removed, one in so many. */
const ONE_IN_REMOVALS = ONE_IN === 1 ? 1 : 11;
/** Of those points, the second of six parts is `2/6`: twenty machines have more of them than one job has hours. */
const [PART = 1, PARTS = 1] = (process.env['CAPSTAN_PART'] ?? '1/1').split('/').map(Number);
if (!(PART >= 1 && PART <= PARTS)) throw new Error('CAPSTAN_PART has no points: write one such as 2/6');
const isOwnPart = (_: unknown, at: number): boolean => at % PARTS === PART - 1;
const MACHINES = Number(process.env['CAPSTAN_MACHINES'] ?? 1);
/** Random runs, each cut off several times; `CAPSTAN_SEED` names the first. */
const SEEDS = Number(process.env['CAPSTAN_SEEDS'] ?? 300);
const FIRST_SEED = Number(process.env['CAPSTAN_SEED'] ?? 1);
const LIMIT_MS = 6 * 3_600_000;

let snapshot: StoreSnapshot;
let before: readonly KubeObject[];
beforeAll(async () => {
  snapshot = await prepareServer(MACHINES);
  before = everyObject(new MigrationRun(snapshot));
}, 60_000);

/** A user removes the failure, as one does to have a cluster migrated again, though its rollback is still under way. */
async function removeFailure({ fixture: { client }, hosted }: MigrationRun): Promise<void> {
  const { metadata } = await hosted.hostedCluster();
  if (lockOf({ metadata }).holder !== 'migration' || metadata.annotations?.[MIGRATION_FAILED_ANNOTATION] === undefined)
    return;
  const annotations = { [MIGRATION_FAILED_ANNOTATION]: null, [MIGRATION_FAILURE_ANNOTATION]: null };
  const { name = '', namespace } = metadata;
  await client.patch(HOSTED_CLUSTERS, name, { type: 'merge', value: { metadata: { annotations } } }, { namespace });
}

/** Migrates with interruptions. The writes that the first process sent, and what is wrong at the end. */
async function attempt(
  kind: Kind,
  points: readonly CrashPoint[] = [],
  removedAt?: number,
): Promise<{ writes: number; problems: readonly string[] }> {
  const run = new MigrationRun(snapshot);
  run.history.userKinds = kind.userKinds ?? [];
  try {
    await kind.prepare(run);
    if (removedAt !== undefined) run.meddling = { write: removedAt, act: () => removeFailure(run) };
    const writes = await run.migrate(points);
    return { writes, problems: await wrongEnd(run, kind, before) };
  } catch (error) {
    return { writes: 0, problems: [String(error), ...run.history.violations] };
  } finally {
    await run.close();
  }
}

const LAST_WRITES = 3;

function pointsOf(writes: number): readonly CrashPoint[] {
  const all = Array.from({ length: writes }, (_, at) => at + 1).flatMap((write) =>
    [false, true].flatMap((hasEffect) => [false, true].map((isCrash) => ({ write, hasEffect, isCrash }))),
  );
  // After the last ones the lock is gone, and what is left to be reported must not be lost.
  const isEnd = ({ hasEffect, isCrash, write }: CrashPoint): boolean =>
    hasEffect && isCrash && write > writes - LAST_WRITES;
  return all.filter((point, at) => at % ONE_IN === 0 || isEnd(point)).filter(isOwnPart);
}

function describePoint({ hasEffect, isCrash, write }: CrashPoint): string {
  return `${isCrash ? 'crash' : 'connection lost'} ${hasEffect ? 'after' : 'before'} write ${write}`;
}

describe('A migration that is cut off goes on until it has ended as it would have without that', () => {
  it.each(KINDS)(
    'with $name',
    async (kind) => {
      const { problems, writes } = await attempt(kind);
      expect(problems).toEqual([]);
      const points = pointsOf(writes);
      const failures: string[] = [];
      for (const point of points) {
        const { problems: found } = await attempt(kind, [point]);
        if (found.length > 0) failures.push(`${describePoint(point)}: ${found.join('; ')}`);
      }
      process.stdout.write(`${kind.name}: ${points.length} of ${writes * 4} points, ${failures.length} failed\n`);
      expect(failures).toEqual([]);
    },
    LIMIT_MS,
  );

  it.each(KINDS.filter(({ reason }) => reason !== undefined))(
    'with $name, though a user removes the failure while the rollback is under way',
    async (kind) => {
      const { writes } = await attempt(kind);
      const points = Array.from({ length: writes }, (_, at) => at + 1)
        .filter((at) => at % ONE_IN_REMOVALS === 0)
        .filter(isOwnPart);
      const failures: string[] = [];
      for (const point of points) {
        const { problems } = await attempt(kind, [], point);
        if (problems.length > 0) failures.push(`removed before write ${point}: ${problems.join('; ')}`);
      }
      process.stdout.write(
        `${kind.name}: removed at ${points.length} of ${writes} points, ${failures.length} failed\n`,
      );
      expect(failures).toEqual([]);
    },
    LIMIT_MS,
  );

  it('has a kind for each step that can fail', () => {
    const failing = new Set(KINDS.map(({ step }) => step));
    expect(FORWARD.map(({ name }) => name).filter((name) => !failing.has(name))).toEqual([]);
  });
});

/** Of a run, up to so many processes are cut off, each within so many writes. */
const MOST_POINTS = 4;
const MOST_WRITES = 60;

function drawn(seed: number): { readonly kind: Kind; readonly points: readonly CrashPoint[] } {
  const random = systemRandom(`crashes ${seed}`);
  const kind = KINDS[random.below(KINDS.length)] as Kind;
  const points = Array.from({ length: 2 + random.below(MOST_POINTS - 1) }, () => ({
    write: 1 + random.below(MOST_WRITES),
    hasEffect: random.below(2) === 0,
    isCrash: random.below(4) > 0,
  }));
  return { kind, points };
}

it(
  `A migration that is cut off several times ends as it would have without that, from ${SEEDS} seeds`,
  async () => {
    const failures: string[] = [];
    for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed += 1) {
      const { kind, points } = drawn(seed);
      const { problems } = await attempt(kind, points);
      const where = points.map(describePoint).join(', ');
      if (problems.length > 0) failures.push(`CAPSTAN_SEED=${seed}, ${kind.name}, ${where}: ${problems.join('; ')}`);
    }
    process.stdout.write(`${SEEDS} random migrations from seed ${FIRST_SEED}, ${failures.length} failed\n`);
    expect(failures.slice(0, 20)).toEqual([]);
  },
  LIMIT_MS,
);

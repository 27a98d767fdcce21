import type { StoreSnapshot } from '@capstan/apiserver';
import type { KubeObject } from '@capstan/meta';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CrashPoint } from './crashing-transport.js';
import { everyObject, wrongEnd } from './ends.js';
import { KINDS, MigrationRun, prepareServer } from './scenario.js';
import type { Kind } from './scenario.js';

/** Of each kind of migration, one point in so many; `CAPSTAN_CRASHES=all` tries every one. */
const ONE_IN = process.env['CAPSTAN_CRASHES'] === 'all' ? 1 : 13;

let snapshot: StoreSnapshot;
let before: readonly KubeObject[];
beforeAll(async () => {
  snapshot = await prepareServer();
  before = everyObject(new MigrationRun(snapshot));
}, 60_000);

/** Migrates with one interruption. The writes that were sent, and what is wrong at the end. */
async function attempt(kind: Kind, point?: CrashPoint): Promise<{ writes: number; problems: readonly string[] }> {
  const run = new MigrationRun(snapshot);
  try {
    await kind.prepare(run);
    const writes = await run.migrate(point);
    return { writes, problems: await wrongEnd(run, kind, before) };
  } catch (error) {
    return { writes: 0, problems: [String(error), ...run.history.violations] };
  } finally {
    await run.close();
  }
}

function pointsOf(writes: number): readonly CrashPoint[] {
  const all = Array.from({ length: writes }, (_, at) => at + 1).flatMap((write) =>
    [false, true].flatMap((hasEffect) => [false, true].map((isCrash) => ({ write, hasEffect, isCrash }))),
  );
  return all.filter((_, at) => at % ONE_IN === 0);
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
        const { problems: found } = await attempt(kind, point);
        if (found.length > 0) failures.push(`${describePoint(point)}: ${found.join('; ')}`);
      }
      process.stdout.write(`${kind.name}: ${points.length} of ${writes * 4} points, ${failures.length} failed\n`);
      expect(failures).toEqual([]);
    },
    600_000,
  );
});

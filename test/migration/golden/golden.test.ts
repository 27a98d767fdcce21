import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { StoreSnapshot } from '@capstan/apiserver';
import { beforeAll, describe, expect, it } from 'vitest';
import { MigrationRun } from '../crashes/scenario.js';
import { prepareServer } from '../crashes/server.js';
import { MigrationRecorder } from './recorder.js';
import { SCENARIOS } from './scenarios.js';

const LOGS = join(import.meta.dirname, 'logs');

let snapshot: StoreSnapshot;
beforeAll(async () => {
  snapshot = await prepareServer();
}, 60_000);

describe('The log of a migration is as it was reviewed (npm test -- test/migration/golden -u rewrites it)', () => {
  it.each(SCENARIOS)(
    '$name',
    async ({ name, run }) => {
      const migration = new MigrationRun(snapshot);
      try {
        const recorder = new MigrationRecorder(migration.hosted.clock);
        await run(migration, recorder);
        expect(recorder.text).not.toMatch(/ write +patch [^:]*: *$/m);
        await expect(recorder.text).toMatchFileSnapshot(join(LOGS, `${name}.txt`));
      } finally {
        await migration.close();
      }
    },
    60_000,
  );

  it('and every log is of a scenario', () => {
    expect(readdirSync(LOGS).toSorted()).toEqual(SCENARIOS.map(({ name }) => `${name}.txt`).toSorted());
  });
});

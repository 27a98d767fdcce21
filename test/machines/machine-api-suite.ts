import type { Transport } from '@capstan/meta';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { MachineFixture } from './machine-fixture.js';
import { describeMachines, describeScaling, describeDeletion } from './machine-scenario.js';

/** What Machine API and the autoscaler must do on any server. */
export function describeMachineApi(server: string, connect: () => Promise<Transport>): void {
  describe(`Machine API on ${server}`, () => {
    let fixture: MachineFixture | undefined;
    beforeAll(async () => {
      fixture = new MachineFixture(await connect());
      await fixture.start();
    });
    afterAll(() => fixture?.end());

    it.each([
      ['keeps as many machines as are wanted, whatever is deleted or lost', describeMachines],
      ['has more when pods need them and fewer when they do not', describeScaling],
      ['leaves nothing behind', describeDeletion],
    ])('%s', { timeout: 150_000 }, async (_name, run) => {
      if (fixture === undefined) throw new Error('the server did not start');
      await run(fixture);
    });
  });
}

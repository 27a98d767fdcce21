import type { Transport } from '@capstan/meta';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { MachineStage } from './machine-stage.js';
import { tellOfMachines, tellOfScaling, tellOfTheEnd } from './machine-story.js';

/** What Machine API and the autoscaler must do beside any server. */
export function tellMachineStories(server: string, connect: () => Promise<Transport>): void {
  describe(`Machine API beside ${server}`, () => {
    let stage: MachineStage | undefined;
    beforeAll(async () => {
      stage = new MachineStage(await connect());
      await stage.start();
    });
    afterAll(() => stage?.end());

    it.each([
      ['keeps as many machines as are wanted, whatever is deleted or lost', tellOfMachines],
      ['has more when pods need them and fewer when they do not', tellOfScaling],
      ['leaves nothing behind', tellOfTheEnd],
    ])('%s', { timeout: 150_000 }, async (_name, tell) => {
      if (stage === undefined) throw new Error('the server did not start');
      await tell(stage);
    });
  });
}

import type { Transport } from '@capstan/meta';
import { CLUSTER_API_RULES, GroupMapping, translate } from '@capstan/translate';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { installGadgets, removeGadgets } from './gadgets.js';
import type { Both } from './scenarios.js';
import { SCENARIOS } from './scenarios.js';
import { directly, through } from './through.js';

/** A server that serves both groups, with objects of the same name in each. */
export function describeTranslation(name: string, connect: () => Promise<Transport>): void {
  describe(`both groups on ${name}`, () => {
    let both: Both | undefined;

    beforeAll(async () => {
      const transport = await connect();
      const direct = directly(transport);
      const ask = through(translate(new GroupMapping(CLUSTER_API_RULES)), transport);
      both = { direct, ask, platform: await installGadgets(direct) };
    }, 60_000);

    afterAll(async () => {
      if (both !== undefined) await removeGadgets(both.direct);
    });

    it.each(SCENARIOS)('%s', async (_, run) => {
      await run(both as Both);
    });
  });
}

import type { Transport } from '@capstan/meta';
import { CLUSTER_API_RULES, GroupMapping, translate } from '@capstan/translate';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { eventually } from '../runtime/world.js';
import type { Both } from './stories.js';
import { AGGREGATED, CRDS, definition, gadget, of, P, S, STORIES } from './stories.js';
import type { Ask } from './through.js';
import { directly, through } from './through.js';

async function install(direct: Ask): Promise<void> {
  for (const group of [S, P]) {
    await direct(CRDS, { method: 'POST', body: definition(group) });
    await eventually(`${group} is served`, async () => ((await direct(of(group))).status === 200 ? true : undefined));
    await eventually(`${group} is discovered`, async () => {
      const { text } = await direct('/apis', { accept: AGGREGATED });
      return text.includes(group) ? true : undefined;
    });
  }
}

/** A server that serves both groups, with objects of the same name in each. */
export function tellTranslation(name: string, connect: () => Promise<Transport>): void {
  describe(`both groups on ${name}`, () => {
    let both: Both | undefined;

    beforeAll(async () => {
      const transport = await connect();
      const direct = directly(transport);
      const ask = through(translate(new GroupMapping(CLUSTER_API_RULES)), transport);
      await install(direct);
      both = { direct, ask, platform: (await direct(of(S), { method: 'POST', body: gadget(S, 1) })).text };
    }, 60_000);

    afterAll(async () => {
      for (const group of [S, P]) await both?.direct(`${CRDS}/gadgets.${group}`, { method: 'DELETE' });
    });

    it.each(STORIES)('%s', async (_, tell) => {
      await tell(both as Both);
    });
  });
}

import { HttpTransport, silentLogger } from '@capstan/kube';
import type { Connection } from '@capstan/kube';
import { mappingFrom, startProxy } from '@capstan/proxy';
import type { RunningProxy } from '@capstan/proxy';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { eventually } from '../runtime/world.js';
import type { Both } from '../translate/stories.js';
import { AGGREGATED, CRDS, definition, gadget, of, P, S, STORIES } from '../translate/stories.js';
import { directly } from '../translate/through.js';
import type { Ask } from '../translate/through.js';
import { askOverHttp } from './ask.js';
import { SOCKET_STORIES } from './stories.js';

/** A server for the proxy to stand before. */
export interface Behind {
  readonly connection: Connection;
  stop(): Promise<void>;
}

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

/** What clients of a proxy live through, on a server that holds objects of the same name in both groups. */
export function tellProxy(name: string, start: () => Promise<Behind>): void {
  describe(`a proxy before ${name}`, () => {
    let behind: Behind | undefined;
    let proxy: RunningProxy | undefined;
    let transport: HttpTransport | undefined;
    let both: Both | undefined;

    beforeAll(async () => {
      behind = await start();
      transport = new HttpTransport(behind.connection);
      const direct = directly(transport);
      await install(direct);
      proxy = await startProxy({
        listen: { host: '127.0.0.1', port: 0 },
        health: { host: '127.0.0.1', port: 0 },
        connection: behind.connection,
        mapping: mappingFrom(),
        logger: silentLogger(),
        drainMs: 0,
      });
      const platform = (await direct(of(S), { method: 'POST', body: gadget(S, 1) })).text;
      both = { direct, ask: askOverHttp(proxy.url), platform };
    }, 60_000);

    afterAll(async () => {
      await proxy?.close();
      for (const group of [S, P]) await both?.direct(`${CRDS}/gadgets.${group}`, { method: 'DELETE' });
      await transport?.close();
      await behind?.stop();
    });

    it.each(STORIES)('%s', async (_, tell) => {
      await tell(both as Both);
    });

    it.each(SOCKET_STORIES)('%s', async (_, tell) => {
      const { url, healthUrl = '' } = proxy as RunningProxy;
      await tell({ ...(both as Both), url, healthUrl });
    });
  });
}

import { HttpTransport, silentLogger } from '@capstan/kube';
import type { Connection } from '@capstan/kube';
import { mappingFrom, startProxy } from '@capstan/proxy';
import type { RunningProxy } from '@capstan/proxy';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { installGadgets, removeGadgets } from '../translate/gadgets.js';
import type { Both } from '../translate/scenarios.js';
import { SCENARIOS } from '../translate/scenarios.js';
import { directly } from '../translate/through.js';
import { askOverHttp } from './ask.js';
import { SOCKET_SCENARIOS } from './scenarios.js';

/** A server for the proxy to stand before. */
export interface Behind {
  readonly connection: Connection;
  /** Compacts the history up to now; a real server cannot do that on request. */
  readonly forget?: (() => void) | undefined;
  stop(): Promise<void>;
}

/** What clients of a proxy live through, on a server that holds objects of the same name in both groups. */
export function describeProxy(name: string, start: () => Promise<Behind>): void {
  describe(`a proxy in front of ${name}`, () => {
    let behind: Behind | undefined;
    let proxy: RunningProxy | undefined;
    let transport: HttpTransport | undefined;
    let both: Both | undefined;

    beforeAll(async () => {
      behind = await start();
      transport = new HttpTransport(behind.connection);
      const direct = directly(transport);
      const platform = await installGadgets(direct);
      proxy = await startProxy({
        listen: { host: '127.0.0.1', port: 0 },
        health: { host: '127.0.0.1', port: 0 },
        connection: behind.connection,
        mapping: mappingFrom(),
        logger: silentLogger(),
        drainMs: 0,
      });
      both = { direct, ask: askOverHttp(proxy.url), platform };
    }, 60_000);

    afterAll(async () => {
      await proxy?.close();
      if (both !== undefined) await removeGadgets(both.direct);
      await transport?.close();
      await behind?.stop();
    });

    it.each(SCENARIOS)('%s', async (_, run) => {
      await run(both as Both);
    });

    it.each(SOCKET_SCENARIOS)('%s', async (_, run) => {
      const { url, healthUrl = '' } = proxy as RunningProxy;
      await run({ ...(both as Both), url, healthUrl, forget: behind?.forget });
    });
  });
}

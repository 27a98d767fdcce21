import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  Client,
  fixedCredentials,
  HttpTransport,
  Informer,
  objectKey,
  silentLogger,
  systemRandom,
} from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { briskClock } from './brisk-clock.js';
import { ServerProcess, TOKEN } from './server-process.js';
import { CONFIG_MAPS } from './fixture.js';
import { eventually } from '../src/wait.js';

/** How fast the informer's time passes: a server may take longer to come back than a test may wait for the next try. */
const SPEED = 20;
const AT = { namespace: 'default' };

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'capstan-restart-'));
});
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
  rmSync(folder, { recursive: true });
});

const map = (name: string): KubeObject => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...AT } });

/** An informer of the process, and the state that its handlers received. */
function follow(port: string, watchList: boolean) {
  const transport = new HttpTransport({
    server: `https://127.0.0.1:${port}`,
    // A server that lost its data comes back with another CA.
    trust: { insecureSkipVerify: true },
    credentials: fixedCredentials({ headers: { authorization: `Bearer ${TOKEN}` } }),
    namespace: 'default',
  });
  const client = new Client(transport);
  const logger = silentLogger();
  const [clock, random] = [briskClock(SPEED), systemRandom()];
  const informer = new Informer<KubeObject>({ client, clock, random, logger, resource: CONFIG_MAPS, ...AT, watchList });
  const received = new Map<string, string | undefined>();
  informer.addHandler({
    add: (object) => void received.set(objectKey(object), object.metadata.uid),
    update: (_old, object) => void received.set(objectKey(object), object.metadata.uid),
    delete: (object) => void received.delete(objectKey(object)),
  });
  const stop = new AbortController();
  const running = informer.run(stop.signal);
  closers.push(async () => {
    stop.abort();
    await running;
    await transport.close();
  });
  /** Waits until the handlers have received what the server has. */
  const agrees = async (): Promise<void> => {
    await eventually('the informer agrees with the server', async () => {
      const { items } = await client.list(CONFIG_MAPS, AT);
      const there = items.map((item) => `${objectKey(item)} ${item.metadata.uid ?? ''}`).toSorted();
      const known = [...received].map(([key, uid]) => `${key} ${uid ?? ''}`).toSorted();
      return JSON.stringify(there) === JSON.stringify(known) ? true : undefined;
    });
  };
  return { client, informer, received, agrees };
}

describe('an informer of a server in another process', () => {
  it.each([
    ['with its data', true, true],
    ['with its data', true, false],
    ['without its data, so that revisions go back', false, true],
    ['without its data, so that revisions go back', false, false],
  ])(
    'that is killed and comes back %s; data: %s, initial events: %s',
    { timeout: 60_000 },
    async (_name, keeps, watchList) => {
      const server = new ServerProcess(keeps ? join(folder, 'data') : undefined);
      closers.push(() => server.kill());
      await server.start();
      const { client, received, agrees, informer } = follow(server.port, watchList);
      for (let at = 0; at < 30; at += 1) await client.create(CONFIG_MAPS, map(`before-${at}`));
      await agrees();
      expect(received.size).toBeGreaterThanOrEqual(30);
      const reached = Number(informer.resourceVersion);
      await server.kill();
      await server.start();
      const again = (): Promise<KubeObject | undefined> =>
        client.create(CONFIG_MAPS, map('after')).catch(() => undefined);
      await eventually('the server is back', again);
      if (keeps) await client.delete(CONFIG_MAPS, 'before-3', AT);
      await agrees();
      expect([
        received.has('default/after'),
        received.has('default/before-3'),
        received.has('default/before-7'),
      ]).toEqual([true, false, keeps]);
      expect(Number(informer.resourceVersion) > reached).toBe(keeps);
    },
  );
});

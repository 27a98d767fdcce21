import { afterEach, describe, expect, it } from 'vitest';
import { ManualClock } from '@capstan/kube/testing';
import { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';
import { OpenConnections, QUIET_MS } from './inbound/open-connections.js';
import { ask, open } from './testing/ask.js';
import { proxyInFrontOf, sendJson, serveTls } from './testing/fixture.js';
import type { Fixture } from './testing/fixture.js';

const MACHINE = '/apis/cluster.x-k8s.io/v1beta2/namespaces/n/machines/m';
const WATCH = '/apis/cluster.x-k8s.io/v1beta2/namespaces/n/machines?watch=1';

let fixture: Fixture | undefined;
afterEach(async () => {
  await fixture?.close();
  fixture = undefined;
});

const isDone = async (promise: Promise<void>): Promise<boolean> =>
  Promise.race([promise.then(() => true), new Promise<boolean>((resolve) => setTimeout(resolve, 0, false))]);

describe('A proxy that is asked to stop', () => {
  it('serves new requests while a client is connected, reports that it is not ready, and ends once all are gone', async () => {
    fixture = await proxyInFrontOf(
      await serveTls((request, response) => {
        if (request.url?.includes('watch=1') === true) response.writeHead(200).flushHeaders();
        else sendJson(response, { kind: 'Machine' });
      }),
      { lingerMs: 60_000 },
    );
    const { proxy } = fixture;
    const watch = await open(`${proxy.url}${WATCH}`);
    watch.response.on('error', () => {});
    const closed = proxy.close();
    expect((await ask(`${proxy.url}${MACHINE}`)).status).toBe(200);
    expect((await ask(`${proxy.healthUrl}/readyz`)).status).toBe(500);
    expect((await ask(`${proxy.healthUrl}/healthz`)).status).toBe(200);
    expect(await isDone(closed)).toBe(false);
    watch.request.destroy();
    const begin = performance.now();
    await closed;
    expect(performance.now() - begin).toBeGreaterThan(QUIET_MS / 2);
    await expect(ask(`${proxy.url}${MACHINE}`)).rejects.toThrow('ECONNREFUSED');
  });

  it('ends when its time is up, even with clients connected', async () => {
    fixture = await proxyInFrontOf(await serveTls((_request, response) => response.writeHead(200).flushHeaders()), {
      lingerMs: 50,
    });
    const watch = await open(`${fixture.proxy.url}${WATCH}`);
    watch.response.on('error', () => {});
    await fixture.proxy.close();
    await expect(ask(`${fixture.proxy.url}${MACHINE}`)).rejects.toThrow('ECONNREFUSED');
  });
});

describe('Connections', () => {
  it('count as gone when none was open for a while, not between two of them', async () => {
    const clock = new ManualClock();
    const connections = new OpenConnections();
    const opened = (): EventEmitter => {
      const socket = new EventEmitter();
      connections.add(socket as unknown as Duplex);
      return socket;
    };
    const first = opened();
    const quiet = connections.untilQuiet(clock, 60_000);
    await clock.advance(10_000);
    first.emit('close');
    await clock.advance(QUIET_MS - 1);
    const second = opened();
    await clock.advance(QUIET_MS);
    expect([await isDone(quiet), connections.size]).toEqual([false, 1]);
    second.emit('close');
    await clock.advance(QUIET_MS - 1);
    expect(await isDone(quiet)).toBe(false);
    await clock.advance(1);
    expect([await isDone(quiet), clock.pending]).toEqual([true, 0]);
  });
});

import type { KubeObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { Cache } from '../cache/cache.js';
import { Client } from '../client/client.js';
import { silentLogger } from '../runtime/logger.js';
import { systemRandom } from '../runtime/random.js';
import { ManualClock } from '../testing/manual-clock.js';
import { json, ScriptedTransport } from '../testing/scripted-transport.js';
import { cacheSource, EventChannel } from './sources.js';

const PODS = { group: '', version: 'v1', plural: 'pods', namespaced: true };

function object(name: string, resourceVersion: string): KubeObject {
  return { apiVersion: 'v1', kind: 'X', metadata: { name, namespace: 'n', resourceVersion } };
}

describe('cacheSource', () => {
  it('emits nothing more once its signal aborts, though the cache goes on', async () => {
    const clock = new ManualClock();
    const transport = new ScriptedTransport((_, url) =>
      url.searchParams.has('watch')
        ? undefined
        : json({ metadata: { resourceVersion: '1' }, items: [object('a', '1')] }),
    );
    const common = { clock, random: systemRandom(1), logger: silentLogger() };
    const cache = new Cache({ client: new Client(transport, common), ...common, watchList: false });
    const emitted: string[] = [];
    const [controller, program] = [new AbortController(), new AbortController()];
    const started = cacheSource(cache, PODS).start((event) => emitted.push(event.type), controller.signal);
    const running = cache.run(program.signal);
    await clock.advance(0);
    await started;
    transport.watches[0]?.send('MODIFIED', object('a', '2'));
    controller.abort();
    await clock.advance(0);
    transport.watches[0]?.send('MODIFIED', object('a', '3'));
    expect(emitted).toEqual(['create', 'update']);
    expect((await cache.get(PODS, 'a', { namespace: 'n' })).metadata.resourceVersion).toBe('3');
    program.abort();
    await running;
  });
});

describe('EventChannel', () => {
  it('keeps the last event of each object until it is started, and emits it once', async () => {
    const channel = new EventChannel('cloud');
    for (let at = 0; at < 1000; at += 1) channel.send(object(`o-${at % 3}`, String(at)));
    const emitted: string[] = [];
    const abort = new AbortController();
    const listen = (): Promise<void> =>
      channel.start(
        ({ object: { metadata } }) => emitted.push(`${metadata.name}@${metadata.resourceVersion}`),
        abort.signal,
      );
    await listen();
    expect(emitted).toEqual(['o-0@999', 'o-1@997', 'o-2@998']);
    channel.send(object('o-1', '1000'));
    expect(emitted.slice(3)).toEqual(['o-1@1000']);
    abort.abort();
    await Promise.resolve();
    // Nobody listens any more: it is kept again.
    channel.send(object('o-2', '1001'));
    expect(emitted).toHaveLength(4);
    await listen();
    expect(emitted.slice(4)).toEqual(['o-2@1001']);
  });
});

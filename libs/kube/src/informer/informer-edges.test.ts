import type { WatchBody, WatchEventType, WatchSink } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { failed } from '../testing/scripted-transport.js';
import type { ScriptedWatch } from '../testing/scripted-transport.js';
import { TransportError } from '../transport/errors.js';
import { listOf, lists, make, pod } from './testing/scripted-informer.js';

const EXPIRED = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason: 'Expired', code: 410 };
const END_OF_FIRST_STATE = { 'k8s.io/initial-events-end': 'true' };

function endFirstState(watch: ScriptedWatch | undefined, resourceVersion: string): void {
  watch?.send('BOOKMARK', { metadata: { resourceVersion, annotations: END_OF_FIRST_STATE } });
}

describe('an informer whose server knows less', () => {
  it('takes what there is when the version it has seen is too large', async () => {
    const tooLarge = failed(504, 'Timeout', {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    });
    const { abort, clock, events, informer, transport } = make((_request, url) => {
      if (url.searchParams.has('watch')) return undefined;
      const version = url.searchParams.get('resourceVersion');
      if (version === '0') return listOf('10', pod('a', '1'));
      return version === '10' ? tooLarge : listOf('9', pod('b', '8'));
    });
    void informer.run(abort.signal);
    await clock.advance(5000);
    transport.watches[0]?.send('ERROR', EXPIRED);
    await clock.advance(1600);
    expect(transport.log.filter((line) => !line.includes('watch')).slice(1)).toEqual([
      'GET /api/v1/pods?resourceVersion=10',
      'GET /api/v1/pods?limit=500',
    ]);
    expect(events).toEqual(['+a@1!', '+b@8', '-a@1?']);
    abort.abort();
  });

  it('looks how far it has got also when the watch had ended well and the next was refused', async () => {
    let server: 'old' | 'away' | 'new' = 'old';
    const { abort, clock, events, informer, transport } = make((_request, url) => {
      if (server === 'away') return Promise.reject(new TransportError('ECONNREFUSED', 'refused', false));
      if (url.searchParams.has('watch')) return undefined;
      return server === 'new' ? listOf('9', pod('b', '8')) : listOf('10', pod('a', '1'));
    });
    void informer.run(abort.signal);
    await clock.advance(2000);
    server = 'away';
    transport.watches[0]?.end();
    await clock.advance(5000);
    server = 'new';
    await clock.advance(60_000);
    expect(events).toEqual(['+a@1!', '+b@8', '-a@1?']);
    // Not from where it was: a server waits for that to come, for a while.
    expect(transport.log.filter((line) => !line.includes('watch')).at(-1)).toBe('GET /api/v1/pods?limit=500');
    abort.abort();
  });
});

describe('an informer that learns the first state from its watch', () => {
  it.each([
    ['breaks off', (watch: ScriptedWatch | undefined) => watch?.end(new TransportError('ECONNRESET', 'lost', true))],
    ['ends', (watch: ScriptedWatch | undefined) => watch?.end()],
    ['falls silent', () => undefined],
  ])('asks for all of it again when the watch %s before it is complete', async (_how, fail) => {
    const { abort, clock, events, informer, transport } = make(() => undefined, {
      watchList: true,
      idleTimeoutMs: 60_000,
    });
    void informer.run(abort.signal);
    await clock.advance(2000);
    transport.watches[0]?.send('ADDED', pod('a', '1'));
    fail(transport.watches[0]);
    await clock.advance(65_000);
    expect([events, informer.hasSynced]).toEqual([[], false]);
    const again = transport.watches.at(-1);
    expect([transport.watches.length > 1, again?.stopped]).toEqual([true, false]);
    expect(again?.request.target).toContain('sendInitialEvents=true');
    again?.send('ADDED', pod('b', '2'));
    endFirstState(again, '3');
    expect([events, informer.hasSynced, informer.resourceVersion]).toEqual([['+b@2!'], true, '3']);
    abort.abort();
  });

  it('does not ask again for what the server refused to know', async () => {
    const { abort, clock, informer, transport } = make(
      (_request, url) => {
        if (url.searchParams.has('sendInitialEvents')) return failed(422, 'Invalid');
        return url.searchParams.has('watch') ? undefined : listOf('10');
      },
      { watchList: true },
    );
    void informer.run(abort.signal);
    await clock.advance(5000);
    transport.watches[0]?.send('ERROR', EXPIRED);
    await clock.advance(5000);
    expect(transport.log.filter((line) => line.includes('sendInitialEvents'))).toHaveLength(1);
    expect(transport.watches).toHaveLength(2);
    abort.abort();
  });
});

it('an informer that had to take the newest state is content with any later one after that', async () => {
  const { abort, clock, informer, transport } = make((_request, url) => {
    if (url.searchParams.has('watch')) return undefined;
    return url.searchParams.get('resourceVersion') === '0' ? failed(410, 'Expired') : listOf('70');
  });
  void informer.run(abort.signal);
  await clock.advance(2000);
  transport.watches[0]?.send('ERROR', EXPIRED);
  await clock.advance(2000);
  expect(transport.log.filter((line) => !line.includes('watch'))).toEqual([
    'GET /api/v1/pods?resourceVersion=0',
    'GET /api/v1/pods?limit=500',
    'GET /api/v1/pods?resourceVersion=70',
  ]);
  abort.abort();
});

describe('a watch', () => {
  it.each([
    ['is busy', () => failed(429, 'TooManyRequests')],
    ['is away', () => Promise.reject(new TransportError('ECONNREFUSED', 'refused', false))],
  ])('is opened again, and nothing listed, when the server %s', async (_how, refuse) => {
    let refusals = 0;
    const { abort, clock, informer, transport } = make((_request, url) => {
      if (!url.searchParams.has('watch')) return listOf('10', pod('a', '1'));
      if (transport.watches.length !== 1 || refusals > 1) return undefined;
      refusals += 1;
      return refuse();
    });
    void informer.run(abort.signal);
    await clock.advance(2000);
    transport.watches[0]?.end();
    await clock.advance(30_000);
    expect([refusals > 0, transport.watches.length]).toEqual([true, 2]);
    // That it looks how far the server has got, by a list of one, is another matter.
    const lists = transport.log.filter((line) => !line.includes('watch') && !line.includes('limit=1'));
    expect(lists).toEqual(['GET /api/v1/pods?resourceVersion=0']);
    abort.abort();
  });

  it('that goes on after its error is not listened to', async () => {
    let sink: WatchSink | undefined;
    const deaf: WatchBody = { type: 'watch', start: (given) => void (sink = given), stop: () => undefined };
    const { abort, clock, events, informer } = make((_request, url) =>
      url.searchParams.has('watch') ? { status: 200, headers: {}, body: deaf } : listOf('10'),
    );
    void informer.run(abort.signal);
    await clock.advance(0);
    const show = (type: WatchEventType, object: unknown): void =>
      sink?.frame({ type, object: () => object, bytes: () => new Uint8Array() });
    show('ERROR', EXPIRED);
    show('ADDED', pod('a', '11'));
    expect([events, informer.store.size, informer.resourceVersion]).toEqual([[], 0, '10']);
    abort.abort();
  });

  it('is restarted when it lasts longer than its timeout, however many events it sends', async () => {
    const { abort, clock, informer, transport } = make(lists(listOf('10')));
    void informer.run(abort.signal);
    for (let minute = 0; minute < 11; minute += 1) {
      await clock.advance(60_000);
      transport.watches[0]?.send('BOOKMARK', { metadata: { resourceVersion: String(11 + minute) } });
    }
    expect(transport.watches).toHaveLength(2);
    expect(transport.watches[0]?.stopped).toBe(true);
    abort.abort();
  });
});

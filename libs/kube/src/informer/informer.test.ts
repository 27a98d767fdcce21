import { describe, expect, it } from 'vitest';
import { failed } from '../testing/scripted-transport.js';
import { TransportError } from '../transport/errors.js';
import { listOf, lists, make, pod } from './testing/scripted-informer.js';

describe('Informer', () => {
  it('lists from the cache, watches from there, and follows every event', async () => {
    const { clock, transport, informer, events, abort } = make(lists(listOf('10', pod('a', '5'), pod('b', '6'))));
    let synced = false;
    void informer.whenSynced().then(() => (synced = true));
    expect(informer.hasSynced).toBe(false);
    const running = informer.run(abort.signal);
    await clock.advance(0);
    expect(events).toEqual(['+a@5!', '+b@6!']);
    expect([informer.hasSynced, synced]).toEqual([true, true]);
    expect(transport.log[0]).toBe('GET /api/v1/pods?resourceVersion=0');
    expect(transport.log[1]).toMatch(
      /^GET \/api\/v1\/pods\?watch=true&resourceVersion=10&allowWatchBookmarks=true&timeoutSeconds=[345]\d\d$/,
    );
    const [watch] = transport.watches;
    watch?.send('ADDED', pod('c', '11'));
    watch?.send('MODIFIED', pod('a', '12'));
    watch?.send('DELETED', pod('b', '13'));
    watch?.send('BOOKMARK', { apiVersion: 'v1', kind: 'Pod', metadata: { resourceVersion: '20' } });
    expect(events.slice(2)).toEqual(['+c@11', '~a@5>12', '-b@13']);
    expect(informer.resourceVersion).toBe('20');
    expect([...informer.store.keys()]).toEqual(['n/a', 'n/c']);
    abort.abort();
    await running;
    expect(watch?.stopped).toBe(true);
    expect(clock.pending).toBe(0);
  });

  it('watches on from the last bookmark when a watch ends, without listing', async () => {
    const { clock, transport, informer, abort } = make(lists(listOf('10')));
    void informer.run(abort.signal);
    await clock.advance(2000);
    transport.watches[0]?.send('BOOKMARK', { metadata: { resourceVersion: '99' } });
    transport.watches[0]?.end();
    await clock.advance(0);
    expect(transport.requests).toHaveLength(3);
    expect(transport.log[2]).toContain('watch=true&resourceVersion=99&');
    abort.abort();
  });

  it('lists again not older than what it saw after 410 in a watch, and reports what it missed', async () => {
    const { clock, transport, informer, events, abort } = make(
      lists(
        listOf('10', pod('gone', '1'), pod('same', '2'), pod('changed', '3'), pod('again', '4')),
        listOf('50', pod('same', '2'), pod('changed', '30'), pod('again', '40', { uid: 'other' }), pod('new', '45')),
      ),
    );
    void informer.run(abort.signal);
    await clock.advance(5000);
    events.length = 0;
    transport.watches[0]?.send('ERROR', {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      reason: 'Expired',
      code: 410,
    });
    await clock.advance(1600);
    expect(transport.log[2]).toBe('GET /api/v1/pods?resourceVersion=10');
    expect(events).toEqual(['~changed@3>30', '-again@4?', '+again@40', '+new@45', '-gone@1?']);
    expect(transport.log[3]).toContain('resourceVersion=50&');
    abort.abort();
  });

  it('lists the newest state when its version has expired', async () => {
    const { clock, transport, informer, abort } = make((_request, url) => {
      if (url.searchParams.has('watch')) return undefined;
      return url.searchParams.has('resourceVersion') ? failed(410, 'Expired') : listOf('70', pod('a', '1'));
    });
    void informer.run(abort.signal);
    await clock.advance(0);
    expect(transport.log.slice(0, 2)).toEqual(['GET /api/v1/pods?resourceVersion=0', 'GET /api/v1/pods?limit=500']);
    expect(informer.store.size).toBe(1);
    abort.abort();
  });

  it('goes on asking for the newest state until it has it', async () => {
    let broken = true;
    const { clock, transport, informer, abort } = make((_request, url) => {
      if (url.searchParams.has('watch')) return undefined;
      if (url.searchParams.has('resourceVersion')) return failed(410, 'Expired');
      return broken ? failed(500, 'InternalError') : listOf('70');
    });
    void informer.run(abort.signal);
    await clock.advance(0);
    broken = false;
    await clock.advance(1600);
    const lists = transport.log.filter((line) => !line.includes('watch'));
    expect(lists).toEqual([
      'GET /api/v1/pods?resourceVersion=0',
      'GET /api/v1/pods?limit=500',
      'GET /api/v1/pods?limit=500',
    ]);
    expect(informer.hasSynced).toBe(true);
    abort.abort();
  });

  it('waits longer and longer between failures: 0.8 s doubling to 30 s, at most doubled by chance', async () => {
    const at: number[] = [];
    const fixture = make(() => {
      at.push(fixture.clock.monotonic());
      return failed(500, 'InternalError');
    });
    void fixture.informer.run(fixture.abort.signal);
    await fixture.clock.advance(300_000);
    fixture.abort.abort();
    const delays = at.slice(1).map((time, index) => time - (at[index] ?? 0));
    for (const [index, delay] of delays.entries()) {
      const base = Math.min(800 * 2 ** index, 30_000);
      expect(delay).toBeGreaterThanOrEqual(base);
      expect(delay).toBeLessThanOrEqual(base * 2);
    }
    expect(delays.length).toBeGreaterThan(8);
  });

  it('keeps its state and only watches again while the server cannot be reached', async () => {
    let away = false;
    const { clock, transport, informer, events, abort } = make((_request, url) => {
      if (away) return Promise.reject(new TransportError('ECONNREFUSED', 'refused', false));
      return url.searchParams.has('watch') ? undefined : listOf('10', pod('a', '1'));
    });
    void informer.run(abort.signal);
    await clock.advance(2000);
    away = true;
    transport.watches[0]?.end(new TransportError('ECONNRESET', 'lost', true));
    await clock.advance(10_000);
    away = false;
    await clock.advance(10_000);
    const lists = transport.log.filter((line) => !line.includes('watch'));
    expect(lists.filter((line) => !line.includes('limit=1'))).toHaveLength(1);
    // Looks how far the server has got until it answers, and only then watches again.
    expect(lists.length).toBeGreaterThan(2);
    expect(transport.watches).toHaveLength(2);
    expect(events).toEqual(['+a@1!']);
    abort.abort();
  });

  it('lists the state again from a server that comes back and has not got that far', async () => {
    let isNew = false;
    const { clock, transport, informer, events, abort } = make((_request, url) => {
      if (url.searchParams.has('watch')) return undefined;
      return isNew ? listOf('9', pod('b', '8')) : listOf('10', pod('a', '1'));
    });
    void informer.run(abort.signal);
    await clock.advance(2000);
    isNew = true;
    transport.watches[0]?.end(new TransportError('ECONNRESET', 'lost', true));
    await clock.advance(10_000);
    expect(events).toEqual(['+a@1!', '+b@8', '-a@1?']);
    expect([informer.resourceVersion, transport.watches.length]).toEqual(['9', 2]);
    abort.abort();
  });

  it('takes a watch that ends at once for a fault and waits before it lists again', async () => {
    const { clock, transport, informer, abort } = make(lists(listOf('10')));
    void informer.run(abort.signal);
    await clock.advance(10);
    transport.watches[0]?.end();
    await clock.advance(700);
    expect(transport.requests).toHaveLength(2);
    await clock.advance(1000);
    expect(transport.log[2]).toBe('GET /api/v1/pods?resourceVersion=10');
    abort.abort();
  });

  it('restarts a silent watch', async () => {
    const { clock, transport, informer, abort } = make(lists(listOf('10')), { idleTimeoutMs: 60_000 });
    void informer.run(abort.signal);
    await clock.advance(50_000);
    transport.watches[0]?.send('BOOKMARK', { metadata: { resourceVersion: '11' } });
    await clock.advance(59_000);
    expect(transport.watches).toHaveLength(1);
    await clock.advance(2_000);
    expect(transport.watches.map(({ stopped }) => stopped)).toEqual([true, false]);
    expect(transport.log.at(-1)).toContain('resourceVersion=11&');
    abort.abort();
  });

  it('reads the initial state from the watch with that option', async () => {
    const { clock, transport, informer, events, abort } = make(() => undefined, { watchList: true });
    void informer.run(abort.signal);
    await clock.advance(0);
    const [watch] = transport.watches;
    expect(watch?.request.target).toMatch(
      /watch=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&sendInitialEvents=true&timeoutSeconds=\d+$/,
    );
    watch?.send('ADDED', pod('a', '1'));
    watch?.send('ADDED', pod('b', '2'));
    watch?.send('DELETED', pod('b', '3'));
    watch?.send('BOOKMARK', { metadata: { resourceVersion: '4' } });
    expect([events, informer.hasSynced]).toEqual([[], false]);
    watch?.send('BOOKMARK', {
      metadata: { resourceVersion: '5', annotations: { 'k8s.io/initial-events-end': 'true' } },
    });
    expect([events, informer.hasSynced, informer.resourceVersion]).toEqual([['+a@1!'], true, '5']);
    watch?.send('MODIFIED', pod('a', '6'));
    expect(events.at(-1)).toBe('~a@1>6');
    abort.abort();
  });

  it('lists when the server does not know initial events', async () => {
    const { clock, transport, informer, abort } = make(
      (_request, url) =>
        url.searchParams.has('sendInitialEvents')
          ? failed(422, 'Invalid')
          : url.searchParams.has('watch')
            ? undefined
            : listOf('10', pod('a', '1')),
      { watchList: true },
    );
    void informer.run(abort.signal);
    await clock.advance(0);
    expect(informer.store.size).toBe(1);
    expect(transport.watches).toHaveLength(1);
    abort.abort();
  });

  it('keeps indexes, trims objects, and delivers everything to late handlers', async () => {
    const { clock, transport, informer, abort } = make(
      lists(listOf('10', pod('a', '1', { labels: { app: 'x' } }), pod('b', '2', { labels: { app: 'y' } }))),
      {
        indexers: { app: (object) => Object.values(object.metadata.labels ?? {}) },
        transform: (object) => ({ ...object, stripped: true }),
      },
    );
    void informer.run(abort.signal);
    await clock.advance(0);
    const names = (value: string): (string | undefined)[] =>
      informer.store.byIndex('app', value).map(({ metadata }) => metadata.name);
    expect([names('x'), names('y'), names('z')]).toEqual([['a'], ['b'], []]);
    transport.watches[0]?.send('MODIFIED', pod('a', '11', { labels: { app: 'y' } }));
    expect([names('x'), names('y')]).toEqual([[], ['b', 'a']]);
    transport.watches[0]?.send('DELETED', pod('b', '12'));
    expect(names('y')).toEqual(['a']);
    expect(informer.store.byIndex('namespace', 'n')).toHaveLength(1);
    expect(() => informer.store.byIndex('no', '')).toThrow('there is no index "no"');
    expect(informer.store.get('n/a')).toMatchObject({ stripped: true });
    const late: string[] = [];
    const registration = informer.addHandler({
      add: (object, initial) => late.push(`${object.metadata.name} ${initial}`),
    });
    expect(late).toEqual(['a true']);
    expect(registration.hasSynced).toBe(true);
    registration.remove();
    expect(registration.hasSynced).toBe(false);
    informer.addIndexer('name', (object) => [object.metadata.name ?? '']);
    expect(informer.store.byIndex('name', 'a')).toHaveLength(1);
    expect([informer.store.hasIndex('name'), informer.store.hasIndex('no')]).toEqual([true, false]);
    transport.watches[0]?.send('ADDED', pod('c', '13'));
    expect(late).toEqual(['a true']);
    abort.abort();
  });

  it('delivers every object again when a resync is due', async () => {
    const { clock, informer, events, abort } = make(lists(listOf('10', pod('a', '1'), pod('b', '2'))), {
      resyncMs: 1000,
    });
    const running = informer.run(abort.signal);
    await clock.advance(2500);
    expect(events.slice(2)).toEqual(['~a@1>1', '~b@2>2', '~a@1>1', '~b@2>2']);
    abort.abort();
    await running;
    expect(clock.pending).toBe(0);
  });

  it('is not stopped by a handler that throws', async () => {
    const { clock, informer, events, abort } = make(lists(listOf('10', pod('a', '1'), pod('b', '2'))));
    informer.addHandler({
      add: () => {
        throw new Error('handler');
      },
    });
    void informer.run(abort.signal);
    await clock.advance(0);
    expect(events).toEqual(['+a@1!', '+b@2!']);
    expect(informer.hasSynced).toBe(true);
    abort.abort();
  });
});

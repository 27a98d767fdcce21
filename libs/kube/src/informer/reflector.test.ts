import { describe, expect, it } from 'vitest';
import type { KubeObject } from '@capstan/meta';
import { Client } from '../client/client.js';
import { silentLogger } from '../runtime/logger.js';
import { systemRandom } from '../runtime/random.js';
import { ManualClock, settled } from '../testing/manual-clock.js';
import { failed, json, ScriptedTransport } from '../testing/scripted-transport.js';
import { Reflector } from './reflector.js';

const PODS = { group: '', version: 'v1', plural: 'pods', namespaced: true };
const named = (name: string): KubeObject => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'n' } });

interface Fixture {
  readonly clock: ManualClock;
  readonly transport: ScriptedTransport;
  readonly abort: AbortController;
  readonly changes: string[];
  /** The queries of the lists so far. */
  readonly lists: string[];
  readonly running: Promise<void>;
}

/** A server with two pods on each of three pages; the page of an expired token is not given. */
function follow(options: { pageSize?: number; watchList?: boolean; expired?: string } = {}): Fixture {
  const { expired, ...settings } = options;
  const lists: string[] = [];
  const transport = new ScriptedTransport((_request, { searchParams }) => {
    if (searchParams.has('watch')) return undefined;
    lists.push([...searchParams].map(([key, value]) => `${key}=${value}`).join('&'));
    const token = searchParams.get('continue') ?? '';
    if (expired !== undefined && token === expired) return failed(410, 'Expired');
    if (!searchParams.has('limit')) return json({ metadata: { resourceVersion: '9' }, items: [named('z')] });
    const at = token === '' ? 0 : Number(token);
    const more = at < 2 ? { continue: String(at + 1) } : {};
    return json({ metadata: { resourceVersion: '7', ...more }, items: [named(`a${at}`), named(`b${at}`)] });
  });
  const clock = new ManualClock();
  const changes: string[] = [];
  const reflector = new Reflector<KubeObject, string>(
    {
      client: new Client(transport, { clock, random: systemRandom(1) }),
      clock,
      resource: PODS,
      random: systemRandom(2),
      logger: silentLogger(),
      ...settings,
    },
    {
      reduce: ({ metadata }) => metadata.name ?? '',
      replace: (names) => changes.push(`=${names.join(' ')}`),
      upsert: (name) => changes.push(`+${name}`),
      remove: (name) => changes.push(`-${name}`),
    },
  );
  const abort = new AbortController();
  return { clock, transport, abort, changes, lists, running: reflector.run(abort.signal) };
}

describe('Reflector', () => {
  it('reads the newest state page by page, letting others in between, then follows it', async () => {
    const { abort, clock, lists, running, changes, transport } = follow({ pageSize: 2 });
    await settled();
    expect(lists).toHaveLength(1);
    await clock.advance(10);
    expect([lists, changes]).toEqual([['limit=2', 'limit=2&continue=1', 'limit=2&continue=2'], ['=a0 b0 a1 b1 a2 b2']]);
    expect(transport.watches).toHaveLength(1);
    transport.watches[0]?.send('ADDED', named('c'));
    transport.watches[0]?.send('DELETED', named('a0'));
    expect(changes.slice(1)).toEqual(['+c', '-a0']);
    abort.abort();
    await running;
  });

  it('lists everything at once again when the token of a page has expired', async () => {
    const { abort, clock, lists, running, changes } = follow({ pageSize: 2, expired: '1' });
    await clock.advance(10);
    expect([lists, changes]).toEqual([['limit=2', 'limit=2&continue=1', ''], ['=z']]);
    abort.abort();
    await running;
  });

  it('takes any state in one answer when no pages are asked for', async () => {
    const { abort, clock, lists, running, changes } = follow();
    await clock.advance(0);
    expect([lists, changes]).toEqual([['resourceVersion=0'], ['=z']]);
    abort.abort();
    await running;
  });

  it('cuts down what it gathers from a watch', async () => {
    const { abort, clock, running, changes, transport } = follow({ watchList: true });
    await clock.advance(0);
    const annotations = { 'k8s.io/initial-events-end': 'true' };
    transport.watches[0]?.send('ADDED', named('a'));
    transport.watches[0]?.send('ADDED', named('b'));
    transport.watches[0]?.send('DELETED', named('a'));
    transport.watches[0]?.send('BOOKMARK', { ...named(''), metadata: { resourceVersion: '7', annotations } });
    expect(changes).toEqual(['=b']);
    abort.abort();
    await running;
  });
});

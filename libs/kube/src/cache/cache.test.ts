import { describe, expect, it } from 'vitest';
import type { KubeObject } from '@capstan/meta';
import { Client } from '../client/client.js';
import { silentLogger } from '../runtime/logger.js';
import { systemRandom } from '../runtime/random.js';
import { ManualClock } from '../testing/manual-clock.js';
import { failed, json, ScriptedTransport } from '../testing/scripted-transport.js';
import { Cache, withoutManagedFields } from './cache.js';
import type { CacheOptions } from './cache.js';

const PODS = { group: '', version: 'v1', plural: 'pods', namespaced: true };
const NODES = { group: '', version: 'v1', plural: 'nodes', namespaced: false };

function pod(namespace: string, name: string, labels: Record<string, string> = {}): KubeObject {
  const metadata = { namespace, name, uid: `${namespace}-${name}`, resourceVersion: '1', labels };
  return { apiVersion: 'v1', kind: 'Pod', metadata };
}

function make(items: KubeObject[], options: Partial<CacheOptions> = {}) {
  const clock = new ManualClock();
  let broken = false;
  const transport = new ScriptedTransport((_request, url) => {
    if (broken) return failed(500, 'InternalError');
    if (url.searchParams.has('watch')) return undefined;
    return json({ metadata: { resourceVersion: '10' }, items });
  });
  const common = { clock, random: systemRandom(1), logger: silentLogger() };
  const cache = new Cache({ client: new Client(transport, common), ...common, watchList: false, ...options });
  const abort = new AbortController();
  return { clock, transport, cache, abort, break: () => (broken = true) };
}

const ITEMS = [pod('a', 'one', { app: 'x' }), pod('a', 'two', { app: 'y' }), pod('b', 'one', { app: 'x' })];

describe('Cache', () => {
  it('answers reads from one informer per resource, started when first asked', async () => {
    const { transport, cache, abort } = make(ITEMS);
    const running = cache.run(abort.signal);
    expect(await cache.get(PODS, 'one', { namespace: 'b' })).toMatchObject({ metadata: { uid: 'b-one' } });
    const list = await cache.list(PODS);
    expect([list.items.length, list.resourceVersion]).toEqual([3, '10']);
    const uids = async (options: Parameters<Cache['list']>[1]): Promise<unknown[]> =>
      (await cache.list(PODS, options)).items.map(({ metadata }) => metadata.uid);
    expect(await uids({ namespace: 'a' })).toEqual(['a-one', 'a-two']);
    expect(await uids({ labelSelector: 'app=x' })).toEqual(['a-one', 'b-one']);
    expect(await uids({ labelSelector: 'app=x', namespace: 'b' })).toEqual(['b-one']);
    await expect(cache.get(PODS, 'no', { namespace: 'a' })).rejects.toThrow('pods "no" not found');
    expect(transport.log.filter((line) => !line.includes('watch'))).toEqual(['GET /api/v1/pods?resourceVersion=0']);
    abort.abort();
    await running;
  });

  it('finds by index, and refuses fields without one', async () => {
    const { cache, abort } = make(ITEMS);
    cache.addIndexer(PODS, 'app', ({ metadata }) => [metadata.labels?.['app'] ?? '']);
    void cache.run(abort.signal);
    const found = await cache.list(PODS, { fieldSelector: 'app=x' });
    expect(found.items.map(({ metadata }) => metadata.uid)).toEqual(['a-one', 'b-one']);
    cache.addIndexer(PODS, 'name', ({ metadata }) => [metadata.name ?? '']);
    const both = await cache.list(PODS, { fieldSelector: 'app=x,name=one', namespace: 'b' });
    expect(both.items.map(({ metadata }) => metadata.uid)).toEqual(['b-one']);
    await expect(cache.list(PODS, { fieldSelector: 'spec.nodeName=n' })).rejects.toThrow(
      'there is no index "spec.nodeName"',
    );
    await expect(cache.list(PODS, { fieldSelector: 'app!=x' })).rejects.toThrow(
      'the cache finds equal fields only, not "app!=x"',
    );
    abort.abort();
  });

  it('keeps apart what is selected differently, and shares what is not', async () => {
    const { transport, cache, abort } = make(ITEMS, {
      selectionOf: ({ plural }) => (plural === 'pods' ? { labelSelector: 'app=x' } : {}),
    });
    expect(cache.informer(PODS)).toBe(cache.informer(PODS, { labelSelector: 'app=x', namespace: undefined }));
    expect(cache.informer(PODS)).not.toBe(cache.informer(PODS, { namespace: 'a' }));
    void cache.run(abort.signal);
    await cache.list(NODES, { metadataOnly: true });
    const lists = transport.requests.filter(({ target }) => !target.includes('watch'));
    expect(lists.map(({ target }) => target)).toEqual([
      '/api/v1/pods?labelSelector=app%3Dx&resourceVersion=0',
      '/api/v1/namespaces/a/pods?labelSelector=app%3Dx&resourceVersion=0',
      '/api/v1/nodes?resourceVersion=0',
    ]);
    expect(lists[2]?.headers['accept']).toContain('PartialObjectMetadataList');
    abort.abort();
  });

  it('fails reads while it does not run, and when it does not sync in time', async () => {
    const fixture = make(ITEMS);
    await expect(fixture.cache.get(PODS, 'one')).rejects.toThrow(
      'the cache does not run yet, so it cannot be asked for pods',
    );
    fixture.break();
    void fixture.cache.run(fixture.abort.signal);
    const reading = fixture.cache.list(PODS);
    reading.catch(() => {});
    await fixture.clock.advance(120_000);
    await expect(reading).rejects.toThrow('the cache did not sync within 120 s');
    fixture.abort.abort();
  });

  it('cuts objects down before it keeps them', async () => {
    const full = pod('a', 'one');
    full.metadata.managedFields = [{ manager: 'm' }];
    const { cache, abort } = make([full], { transform: withoutManagedFields });
    void cache.run(abort.signal);
    expect((await cache.get(PODS, 'one', { namespace: 'a' })).metadata).not.toHaveProperty('managedFields');
    abort.abort();
  });
});

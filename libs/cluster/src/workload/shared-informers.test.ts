import { describe, expect, it } from 'vitest';
import { Client, silentLogger, systemRandom } from '@capstan/kube';
import { ManualClock, scriptedJson, ScriptedTransport, settled } from '@capstan/kube/testing';
import { CONFIG_MAPS } from './resources.js';
import { SharedInformers } from './shared-informers.js';

const SELECTOR = 'metadata.name=a';

function make(): { informers: SharedInformers; transport: ScriptedTransport; lists: string[] } {
  const lists: string[] = [];
  const metadata = { name: 'a', namespace: 'n', uid: 'u', managedFields: [{ manager: 'm', operation: 'Update' }] };
  const transport = new ScriptedTransport((_request, { searchParams }) => {
    if (searchParams.has('watch')) return undefined;
    lists.push(searchParams.get('fieldSelector') ?? '');
    return scriptedJson({
      kind: 'ConfigMapList',
      apiVersion: 'v1',
      metadata: { resourceVersion: '5' },
      items: [{ metadata, data: { k: 'v' } }],
    });
  });
  const clock = new ManualClock();
  const random = systemRandom(1);
  const client = new Client(transport, { clock, random });
  return { informers: new SharedInformers({ client, clock, random, logger: silentLogger() }), transport, lists };
}

describe('SharedInformers', () => {
  it('has one informer for each selection of a resource, which asks for that alone', async () => {
    const { informers, lists } = make();
    const all = informers.of(CONFIG_MAPS);
    const some = informers.of(CONFIG_MAPS, SELECTOR);
    expect(informers.of(CONFIG_MAPS)).toBe(all);
    expect(informers.of(CONFIG_MAPS, SELECTOR)).toBe(some);
    expect(some).not.toBe(all);
    const abort = new AbortController();
    await informers.start(abort.signal);
    expect(lists).toEqual(['', SELECTOR]);
    abort.abort();
    await informers.stopped();
  });

  it('keeps objects without their managed fields, and frozen', async () => {
    const { informers, transport } = make();
    const informer = informers.of(CONFIG_MAPS);
    const abort = new AbortController();
    await informers.start(abort.signal);
    await settled();
    const metadata = { name: 'b', namespace: 'n', uid: 'u-b' };
    transport.watches[0]?.send('ADDED', { apiVersion: 'v1', kind: 'ConfigMap', metadata });
    const kept = informer.store.get('n/a');
    expect(kept).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a', namespace: 'n', uid: 'u' },
      data: { k: 'v' },
    });
    expect([Object.isFrozen(kept), Object.isFrozen(kept?.metadata)]).toEqual([true, true]);
    expect(informer.store.get('n/b')?.metadata).toEqual(metadata);
    abort.abort();
    await informers.stopped();
  });
});

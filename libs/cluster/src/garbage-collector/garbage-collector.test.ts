import { describe, expect, it } from 'vitest';
import { Client, silentLogger, systemRandom } from '@capstan/kube';
import { ManualClock, scriptedFailure, scriptedJson, ScriptedTransport } from '@capstan/kube/testing';
import type { KubeObject } from '@capstan/meta';
import { GarbageCollector } from './garbage-collector.js';

const resource = (plural: string, kind: string, verbs = ['get', 'delete', 'list', 'watch']): unknown => ({
  resource: plural,
  responseKind: { kind },
  scope: 'Namespaced',
  verbs,
});
const group = (name: string, resources: unknown[], freshness = 'Current'): unknown => ({
  metadata: { name },
  versions: [{ version: 'v1', freshness, resources }],
});

interface Fixture {
  readonly clock: ManualClock;
  readonly transport: ScriptedTransport;
  readonly abort: AbortController;
  groups: unknown[];
  readonly lists: Map<string, KubeObject[]>;
  readonly collector: GarbageCollector;
  /** Paths being watched now. */
  readonly watched: () => string[];
}

async function start(groups: unknown[], lists: Record<string, KubeObject[]> = {}): Promise<Fixture> {
  const clock = new ManualClock();
  const fixture: { groups: unknown[]; lists: Map<string, KubeObject[]> } = {
    groups,
    lists: new Map(Object.entries(lists)),
  };
  const transport = new ScriptedTransport((request, url) => {
    const { pathname } = url;
    if (pathname === '/api')
      return scriptedJson({
        kind: 'APIGroupDiscoveryList',
        items: [
          group('', [
            resource('configmaps', 'ConfigMap'),
            resource('events', 'Event'),
            resource('bindings', 'Binding', ['create']),
          ]),
        ],
      });
    if (pathname === '/apis') return scriptedJson({ kind: 'APIGroupDiscoveryList', items: fixture.groups });
    if (url.searchParams.has('watch')) return undefined;
    if (request.method !== 'GET') return scriptedJson({});
    const items = fixture.lists.get(pathname);
    const [, parent = '', name = ''] = /^(.*)\/([^/]+)$/.exec(pathname) ?? [];
    const one = fixture.lists.get(parent.replace('/namespaces/n', ''))?.find(({ metadata }) => metadata.name === name);
    if (one !== undefined) return scriptedJson(one);
    if (pathname.includes('/namespaces/')) return scriptedFailure(404, 'NotFound', { name });
    return scriptedJson({ metadata: { resourceVersion: '1' }, items: items ?? [] });
  });
  const collector = new GarbageCollector({
    client: new Client(transport, { clock }),
    clock,
    random: systemRandom(1),
    logger: silentLogger(),
  });
  const abort = new AbortController();
  const starting = collector.start(abort.signal);
  await clock.advance(0);
  await starting;
  return Object.assign(fixture, {
    clock,
    transport,
    abort,
    collector,
    watched: () =>
      transport.watches.filter(({ stopped }) => !stopped).map(({ request }) => request.target.split('?')[0] ?? ''),
  });
}

const CRDS = group('apiextensions.k8s.io', [resource('customresourcedefinitions', 'CustomResourceDefinition')]);
const definition: KubeObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'd', uid: 'd', resourceVersion: '2' },
};

describe('GarbageCollector', () => {
  it('watches what can be deleted, listed and watched, events excepted', async () => {
    const fixture = await start([CRDS]);
    expect(fixture.watched()).toEqual([
      '/api/v1/configmaps',
      '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    ]);
    fixture.abort.abort();
    await fixture.collector.stopped();
    expect(fixture.watched()).toEqual([]);
    expect(fixture.clock.pending).toBe(0);
  });

  it('asks again soon after a CRD changes, and now and then', async () => {
    const fixture = await start([CRDS]);
    fixture.groups = [CRDS, group('example.com', [resource('widgets', 'Widget')])];
    fixture.transport.watches[1]?.send('ADDED', definition);
    await fixture.clock.advance(99);
    expect(fixture.watched()).toHaveLength(2);
    await fixture.clock.advance(1);
    expect(fixture.watched()).toContain('/apis/example.com/v1/widgets');
    fixture.groups = [CRDS];
    await fixture.clock.advance(30_000);
    expect(fixture.watched()).not.toContain('/apis/example.com/v1/widgets');
    fixture.abort.abort();
    await fixture.collector.stopped();
  });

  it('keeps watching a group that cannot be discovered for a while', async () => {
    const fixture = await start([group('example.com', [resource('widgets', 'Widget')])]);
    fixture.groups = [group('example.com', [], 'Stale')];
    await fixture.clock.advance(30_000);
    expect(fixture.watched()).toContain('/apis/example.com/v1/widgets');
    fixture.abort.abort();
    await fixture.collector.stopped();
  });

  it('collects what lost its owner while nobody ran', async () => {
    const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'gone', uid: 'uid-gone' };
    const child: KubeObject = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'child', namespace: 'n', uid: 'uid-child', resourceVersion: '1', ownerReferences: [reference] },
    };
    const fixture = await start([], { '/api/v1/configmaps': [child] });
    await fixture.clock.advance(10);
    expect(fixture.transport.log.filter((line) => line.startsWith('DELETE'))).toEqual([
      'DELETE /api/v1/namespaces/n/configmaps/child',
    ]);
    expect(fixture.collector.idle).toBe(true);
    fixture.abort.abort();
    await fixture.collector.stopped();
  });
});

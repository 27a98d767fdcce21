import { describe, expect, it } from 'vitest';
import {
  Client,
  ManualClock,
  scriptedFailure,
  scriptedJson,
  ScriptedTransport,
  silentLogger,
  systemRandom,
} from '@capstan/kube';
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

interface World {
  readonly clock: ManualClock;
  readonly transport: ScriptedTransport;
  readonly abort: AbortController;
  groups: unknown[];
  readonly lists: Map<string, KubeObject[]>;
  readonly collector: GarbageCollector;
  /** Paths being watched now. */
  readonly watched: () => string[];
}

async function start(groups: unknown[], lists: Record<string, KubeObject[]> = {}): Promise<World> {
  const clock = new ManualClock();
  const world: { groups: unknown[]; lists: Map<string, KubeObject[]> } = {
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
    if (pathname === '/apis') return scriptedJson({ kind: 'APIGroupDiscoveryList', items: world.groups });
    if (url.searchParams.has('watch')) return undefined;
    if (request.method !== 'GET') return scriptedJson({});
    const items = world.lists.get(pathname);
    const [, parent = '', name = ''] = /^(.*)\/([^/]+)$/.exec(pathname) ?? [];
    const one = world.lists.get(parent.replace('/namespaces/n', ''))?.find(({ metadata }) => metadata.name === name);
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
  return Object.assign(world, {
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
    const world = await start([CRDS]);
    expect(world.watched()).toEqual(['/api/v1/configmaps', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions']);
    world.abort.abort();
    await world.collector.stopped();
    expect(world.watched()).toEqual([]);
    expect(world.clock.pending).toBe(0);
  });

  it('asks again soon after a definition changes, and now and then', async () => {
    const world = await start([CRDS]);
    world.groups = [CRDS, group('example.com', [resource('widgets', 'Widget')])];
    world.transport.watches[1]?.send('ADDED', definition);
    await world.clock.advance(99);
    expect(world.watched()).toHaveLength(2);
    await world.clock.advance(1);
    expect(world.watched()).toContain('/apis/example.com/v1/widgets');
    world.groups = [CRDS];
    await world.clock.advance(30_000);
    expect(world.watched()).not.toContain('/apis/example.com/v1/widgets');
    world.abort.abort();
    await world.collector.stopped();
  });

  it('keeps watching a group that cannot be discovered for a while', async () => {
    const world = await start([group('example.com', [resource('widgets', 'Widget')])]);
    world.groups = [group('example.com', [], 'Stale')];
    await world.clock.advance(30_000);
    expect(world.watched()).toContain('/apis/example.com/v1/widgets');
    world.abort.abort();
    await world.collector.stopped();
  });

  it('collects what lost its owner while nobody ran', async () => {
    const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'gone', uid: 'uid-gone' };
    const child: KubeObject = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'child', namespace: 'n', uid: 'uid-child', resourceVersion: '1', ownerReferences: [reference] },
    };
    const world = await start([], { '/api/v1/configmaps': [child] });
    await world.clock.advance(10);
    expect(world.transport.log.filter((line) => line.startsWith('DELETE'))).toEqual([
      'DELETE /api/v1/namespaces/n/configmaps/child',
    ]);
    expect(world.collector.idle).toBe(true);
    world.abort.abort();
    await world.collector.stopped();
  });
});

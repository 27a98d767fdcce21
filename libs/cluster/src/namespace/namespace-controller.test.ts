import { describe, expect, it } from 'vitest';
import { Client, silentLogger, systemRandom } from '@capstan/kube';
import { ManualClock, scriptedFailure, scriptedJson, ScriptedTransport } from '@capstan/kube/testing';
import type { ApiRequest, ApiResponse, KubeObject } from '@capstan/meta';
import { NamespaceController } from './namespace-controller.js';

const ALL = ['delete', 'deletecollection', 'list', 'watch'];
const resource = (plural: string, verbs = ALL): unknown => ({
  resource: plural,
  responseKind: { kind: plural },
  scope: 'Namespaced',
  verbs,
});

interface Server {
  readonly transport: ScriptedTransport;
  readonly clock: ManualClock;
  readonly abort: AbortController;
  readonly content: Map<string, KubeObject[]>;
  namespace: KubeObject;
  /** Method and path of every write, and of deletions' targets. */
  readonly writes: string[];
}

/** A server with one namespace; deletions of content empty it but for objects with finalizers. */
async function start(
  resources: unknown[],
  content: Record<string, KubeObject[]>,
  extra: (request: ApiRequest, server: Server) => ApiResponse | undefined = () => undefined,
): Promise<Server> {
  const clock = new ManualClock();
  const server: Server = {
    clock,
    abort: new AbortController(),
    content: new Map(Object.entries(content)),
    writes: [],
    namespace: {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'n', uid: 'u', resourceVersion: '1', deletionTimestamp: '2026-01-01T00:00:00Z' },
      spec: { finalizers: ['kubernetes', 'other'] },
      status: { phase: 'Active' },
    },
    transport: new ScriptedTransport((request, url) => answer(server, request, url, resources, extra)),
  };
  const client = new Client(server.transport, { clock });
  const controller = new NamespaceController({ client, clock, random: systemRandom(1), logger: silentLogger() });
  const starting = controller.start(server.abort.signal);
  await clock.advance(0);
  await starting;
  await clock.advance(0);
  return server;
}

// oxlint-disable-next-line max-params
function answer(
  server: Server,
  request: ApiRequest,
  url: URL,
  resources: unknown[],
  extra: (request: ApiRequest, server: Server) => ApiResponse | undefined,
): ApiResponse | undefined {
  const given = extra(request, server);
  if (given !== undefined) return given;
  const { pathname } = url;
  if (pathname === '/api')
    return scriptedJson({ kind: 'APIGroupDiscoveryList', items: [{ versions: [{ version: 'v1', resources }] }] });
  if (pathname === '/apis') return scriptedJson({ kind: 'APIGroupDiscoveryList', items: [] });
  if (url.searchParams.has('watch')) return undefined;
  if (request.method !== 'GET') server.writes.push(`${request.method} ${pathname}`);
  if (pathname === '/api/v1/namespaces')
    return scriptedJson({ metadata: { resourceVersion: '1' }, items: [server.namespace] });
  if (/^\/api\/v1\/namespaces\/n(\/status|\/finalize)?$/.test(pathname)) {
    if (request.method === 'PUT' && request.body?.type === 'value') server.namespace = request.body.value as KubeObject;
    return scriptedJson(server.namespace);
  }
  const [, plural = '', name] = /namespaces\/n\/([^/]+)(?:\/(.+))?$/.exec(pathname) ?? [];
  const items = server.content.get(plural) ?? [];
  if (request.method === 'DELETE') {
    server.content.set(
      plural,
      items.filter(
        ({ metadata }) => (name !== undefined && metadata.name !== name) || (metadata.finalizers ?? []).length > 0,
      ),
    );
    return scriptedJson({});
  }
  return scriptedJson({ metadata: { resourceVersion: '7' }, items });
}

function object(name: string, finalizers: string[] = [], more: Record<string, unknown> = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'X', metadata: { name, namespace: 'n', finalizers }, ...more };
}

function finalizers(server: Server): unknown {
  return (server.namespace['spec'] as { finalizers?: unknown } | undefined)?.finalizers;
}

describe('NamespaceController', () => {
  it('marks, empties, reports and finalizes, by collection where it can and one by one where it cannot', async () => {
    const server = await start(
      [resource('configmaps'), resource('odd', ['delete', 'list']), resource('readonly', ['list'])],
      {
        configmaps: [object('a'), object('b')],
        odd: [object('c'), object('d')],
      },
    );
    expect(server.writes).toEqual([
      'PUT /api/v1/namespaces/n/status',
      'DELETE /api/v1/namespaces/n/configmaps',
      'DELETE /api/v1/namespaces/n/odd/c',
      'DELETE /api/v1/namespaces/n/odd/d',
      'PUT /api/v1/namespaces/n/status',
      'PUT /api/v1/namespaces/n/finalize',
    ]);
    expect(finalizers(server)).toEqual(['other']);
    expect((server.namespace['status'] as { phase?: string }).phase).toBe('Terminating');
    server.abort.abort();
  });

  it('waits for finalizers by watching, and finishes as soon as the last object is gone', async () => {
    const server = await start([resource('configmaps')], {
      configmaps: [object('a', ['hold']), object('b', ['hold'])],
    });
    expect(finalizers(server)).toEqual(['kubernetes', 'other']);
    const [, watch] = server.transport.watches;
    expect(watch?.request.target).toBe('/api/v1/namespaces/n/configmaps?watch=true&resourceVersion=7');
    watch?.send('DELETED', object('a'));
    await server.clock.advance(0);
    expect(finalizers(server)).toEqual(['kubernetes', 'other']);
    server.content.set('configmaps', []);
    watch?.send('DELETED', object('b'));
    await server.clock.advance(0);
    expect(finalizers(server)).toEqual(['other']);
    expect(watch?.stopped).toBe(true);
    server.abort.abort();
  });

  it('requeues by itself when no watch notifies it', async () => {
    const server = await start([resource('configmaps')], { configmaps: [object('a', ['hold'])] });
    server.content.set('configmaps', []);
    await server.clock.advance(7_999);
    expect(finalizers(server)).toEqual(['kubernetes', 'other']);
    await server.clock.advance(1);
    expect(finalizers(server)).toEqual(['other']);
    server.abort.abort();
  });

  it('deletes pods first and nothing else while they end, as long as they asked for', async () => {
    const pods = [
      object('p', ['kubelet'], { spec: { terminationGracePeriodSeconds: 30 }, status: { phase: 'Running' } }),
    ];
    const server = await start([resource('configmaps'), resource('pods')], { pods, configmaps: [object('a')] });
    expect(server.writes).not.toContain('DELETE /api/v1/namespaces/n/configmaps');
    server.content.set('pods', []);
    await server.clock.advance(16_000);
    expect(server.writes).toContain('DELETE /api/v1/namespaces/n/configmaps');
    expect(finalizers(server)).toEqual(['other']);
    server.abort.abort();
  });

  it('reports what could not be deleted, goes on with the rest, and keeps the namespace', async () => {
    const server = await start(
      [resource('bad'), resource('configmaps')],
      { configmaps: [object('a')] },
      ({ method, target }) =>
        method === 'DELETE' && target.endsWith('/bad') ? scriptedFailure(403, 'Forbidden') : undefined,
    );
    expect(server.content.get('configmaps')).toEqual([]);
    const { conditions } = server.namespace['status'] as { conditions: { type: string; message: string }[] };
    expect(conditions.find(({ type }) => type === 'NamespaceDeletionContentFailure')?.message).toBe(
      'Failed to delete all resource types, 1 remaining: Forbidden (403)',
    );
    await server.clock.advance(1000);
    expect(finalizers(server)).toEqual(['kubernetes', 'other']);
    expect(server.writes.filter((write) => write.endsWith('/configmaps')).length).toBeGreaterThan(3);
    server.abort.abort();
  });

  it('reports objects that stay without a reason', async () => {
    const server = await start([resource('stuck')], { stuck: [object('a')] }, ({ method, target }) =>
      method === 'DELETE' && target.endsWith('/stuck') ? scriptedJson({}) : undefined,
    );
    const { conditions } = server.namespace['status'] as { conditions: { type: string; message: string }[] };
    expect(conditions.find(({ type }) => type === 'NamespaceDeletionContentFailure')?.message).toBe(
      'Failed to delete all resource types, 1 remaining: unexpected items still remain in namespace: n for gvr: /v1, Resource=stuck',
    );
    server.abort.abort();
  });

  it('writes again on conflict', async () => {
    let conflicts = 1;
    const server = await start([resource('configmaps')], {}, ({ method, target }) =>
      method === 'PUT' && target.endsWith('/finalize') && (conflicts -= 1) >= 0
        ? scriptedFailure(409, 'Conflict')
        : undefined,
    );
    await server.clock.advance(50);
    expect(finalizers(server)).toEqual(['other']);
    server.abort.abort();
  });

  it('never finalizes a namespace recreated under the same name', async () => {
    let tries = 0;
    const server = await start([resource('configmaps')], {}, ({ method, target }, fixture) => {
      if (method !== 'PUT' || !target.endsWith('/finalize')) return undefined;
      tries += 1;
      fixture.namespace = {
        ...fixture.namespace,
        metadata: { name: 'n', uid: 'another', resourceVersion: '9' },
        spec: { finalizers: ['kubernetes'] },
      };
      return scriptedFailure(409, 'Conflict');
    });
    await server.clock.advance(100_000);
    expect([tries, finalizers(server)]).toEqual([1, ['kubernetes']]);
    server.abort.abort();
  });
});

import { describe, expect, it } from 'vitest';
import { Client, Discovery, silentLogger, systemRandom, WorkQueue } from '@capstan/kube';
import { ManualClock, scriptedFailure, scriptedJson, ScriptedTransport } from '@capstan/kube/testing';
import type { ApiRequest, ApiResponse, KubeObject, ObjectMeta, OwnerReference } from '@capstan/meta';
import { Collector } from './collector.js';
import { DependencyGraph } from './graph.js';
import { GraphNode } from './node.js';
import { Operations } from './operations.js';

const resource = (plural: string, kind: string, scope = 'Namespaced'): unknown => ({
  resource: plural,
  responseKind: { kind },
  scope,
  verbs: ['get'],
});
const DISCOVERY: Record<string, unknown> = {
  '/api': {
    kind: 'APIGroupDiscoveryList',
    items: [
      {
        versions: [
          { version: 'v1', resources: [resource('configmaps', 'ConfigMap'), resource('nodes', 'Node', 'Cluster')] },
        ],
      },
    ],
  },
  '/apis': {
    kind: 'APIGroupDiscoveryList',
    items: [
      { metadata: { name: 'example.com' }, versions: [{ version: 'v1', resources: [resource('widgets', 'Widget')] }] },
    ],
  },
};

function owner(name: string, more: Partial<OwnerReference> = {}): OwnerReference {
  return { apiVersion: 'v1', kind: 'ConfigMap', name, uid: `uid-${name}`, ...more };
}

interface Fixture {
  readonly clock: ManualClock;
  readonly graph: DependencyGraph;
  readonly collector: Collector;
  readonly queue: WorkQueue<GraphNode>;
  /** Writes so far: method, path, body. */
  readonly writes: () => unknown[];
  readonly put: (name: string, metadata?: ObjectMeta) => void;
  readonly node: (name: string, owners?: OwnerReference[], path?: string) => GraphNode;
}

/** A server of config maps by path; writes are recorded and answered by the given function. */
function make(onWrite: (request: ApiRequest) => ApiResponse | undefined = () => undefined): Fixture {
  const objects = new Map<string, KubeObject>();
  const clock = new ManualClock();
  const transport = new ScriptedTransport((request, url) => {
    const document = DISCOVERY[url.pathname];
    if (document !== undefined) return scriptedJson(document);
    if (request.method !== 'GET') return onWrite(request) ?? scriptedJson({});
    const found = objects.get(url.pathname);
    if (found !== undefined) return scriptedJson(found);
    return scriptedFailure(404, 'NotFound', {
      name: url.pathname.slice(url.pathname.lastIndexOf('/') + 1),
      kind: 'configmaps',
    });
  });
  const client = new Client(transport, { clock });
  const queue = new WorkQueue<GraphNode>({ clock });
  const graph = new DependencyGraph({
    examine: (node) => queue.add(node),
    examineLater: () => {},
    orphan: () => {},
    invalidNamespace: () => {},
  });
  const operations = new Operations({
    client,
    clock,
    discovery: new Discovery(client, { clock }),
    random: systemRandom(1),
  });
  return {
    clock,
    graph,
    queue,
    collector: new Collector({ graph, operations, logger: silentLogger(), examineQueue: queue }),
    writes: () =>
      transport.requests
        .filter(({ method }) => method !== 'GET')
        .map(({ method, target, body }) => [method, target, body?.type === 'value' ? body.value : undefined]),
    put: (name, metadata = {}) => {
      const path = name.startsWith('/') ? name : `/api/v1/namespaces/n/configmaps/${name}`;
      const short = path.slice(path.lastIndexOf('/') + 1);
      objects.set(path, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: short, namespace: 'n', uid: `uid-${short}`, resourceVersion: '5', ...metadata },
      });
    },
    node: (name, owners = []) => {
      graph.observe({
        identity: { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'n', name, uid: `uid-${name}` },
        owners,
        beingDeleted: false,
        foreground: false,
        orphan: false,
      });
      return graph.get(`uid-${name}`) as GraphNode;
    },
  };
}

const PATH = '/api/v1/namespaces/n/configmaps/child';
const deletion = (propagationPolicy: string, resourceVersion: string | undefined = '5'): unknown => [
  'DELETE',
  PATH,
  { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid: 'uid-child', resourceVersion }, propagationPolicy },
];

describe('Collector', () => {
  it.each<[string, ObjectMeta, string]>([
    ['in the background', {}, 'Background'],
    ['orphaning when it carries that finalizer', { finalizers: ['orphan'] }, 'Orphan'],
    ['in the foreground when it carries that finalizer', { finalizers: ['x', 'foregroundDeletion'] }, 'Foreground'],
  ])('deletes an object without living owner %s, by uid and version', async (_name, metadata, policy) => {
    const { collector, node, put, writes } = make();
    put('child', { ...metadata, ownerReferences: [owner('gone')] });
    expect(await collector.examine(node('child', [owner('gone')]))).toBe('done');
    expect(writes()).toEqual([deletion(policy)]);
  });

  it('takes an owner of another uid for absent', async () => {
    const { collector, node, put, writes } = make();
    put('owner', { uid: 'another' });
    put('child', { ownerReferences: [owner('owner')] });
    await collector.examine(node('child', [owner('owner')]));
    expect(writes()).toEqual([deletion('Background')]);
  });

  it('goes by the references the object has now, not by those of the graph', async () => {
    const { collector, node, put, writes } = make();
    put('child', { ownerReferences: [] });
    expect(await collector.examine(node('child', [owner('gone')]))).toBe('done');
    expect(writes()).toEqual([]);
  });

  it('removes lost and waiting owners by patch while another lives', async () => {
    const { collector, node, put, writes } = make();
    put('alive');
    put('waiting', { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['foregroundDeletion'] });
    const owners = [owner('gone'), owner('alive'), owner('waiting')];
    put('child', { ownerReferences: owners });
    await collector.examine(node('child', owners));
    const ownerReferences = ['uid-gone', 'uid-waiting'].map((uid) => ({ $patch: 'delete', uid }));
    expect(writes()).toEqual([['PATCH', PATH, { metadata: { uid: 'uid-child', ownerReferences } }]]);
  });

  it('falls back to a merge patch with version lock, and remembers that', async () => {
    const fixture = make((request) =>
      request.headers['content-type']?.includes('strategic') === true
        ? scriptedFailure(415, 'UnsupportedMediaType')
        : undefined,
    );
    fixture.put('alive');
    fixture.put('child', { ownerReferences: [owner('gone'), owner('alive')] });
    const node = fixture.node('child', [owner('gone'), owner('alive')]);
    await fixture.collector.examine(node);
    await fixture.collector.examine(node);
    const merge = ['PATCH', PATH, { metadata: { resourceVersion: '5', ownerReferences: [owner('alive')] } }];
    expect(fixture.writes().slice(1)).toEqual([merge, merge]);
  });

  it('deletes in the foreground below a waiting owner, and breaks a circle first', async () => {
    const { collector, graph, node, put, writes } = make();
    put('owner', { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['foregroundDeletion'] });
    const blocking = owner('owner', { blockOwnerDeletion: true });
    put('child', { ownerReferences: [blocking] });
    const child = node('child', [blocking]);
    const grandchild = node('grandchild', [owner('child')]);
    await collector.examine(child);
    expect(writes()).toEqual([deletion('Foreground')]);
    grandchild.deletingDependents = true;
    await collector.examine(graph.get('uid-child') as GraphNode);
    expect(writes().slice(1)).toEqual([
      [
        'PATCH',
        PATH,
        { metadata: { uid: 'uid-child', ownerReferences: [{ ...blocking, blockOwnerDeletion: false }] } },
      ],
      deletion('Foreground'),
    ]);
  });

  it('ends a foreground deletion when nothing blocks it, and pushes the rest on until then', async () => {
    const { collector, node, put, queue, writes } = make();
    put('child', { finalizers: ['a', 'foregroundDeletion'], deletionTimestamp: '2026-01-01T00:00:00Z' });
    const child = node('child');
    const blocked = node('blocked', [owner('child', { blockOwnerDeletion: true })]);
    child.beingDeleted = true;
    child.deletingDependents = true;
    await collector.examine(child);
    expect([writes(), await queue.get()]).toEqual([[], blocked]);
    child.removeDependent(blocked);
    await collector.examine(child);
    expect(writes()).toEqual([['PATCH', PATH, { metadata: { resourceVersion: '5', finalizers: ['a'] } }]]);
  });

  it('leaves what is already going alone', async () => {
    const { collector, node, writes } = make();
    const child = node('child', [owner('gone')]);
    child.beingDeleted = true;
    expect([await collector.examine(child), writes()]).toEqual(['done', []]);
  });

  it('orphans dependents before it lets the owner go', async () => {
    const { collector, node, put, writes } = make();
    put('child', { finalizers: ['orphan'], deletionTimestamp: '2026-01-01T00:00:00Z' });
    const child = node('child');
    node('dependent', [owner('child')]);
    expect(await collector.orphan(child)).toBe('done');
    expect(writes()).toEqual([
      [
        'PATCH',
        '/api/v1/namespaces/n/configmaps/dependent',
        { metadata: { uid: 'uid-dependent', ownerReferences: [{ $patch: 'delete', uid: 'uid-child' }] } },
      ],
      ['PATCH', PATH, { metadata: { resourceVersion: '5', finalizers: null } }],
    ]);
  });

  it('deletes despite a conflict when the owners are the same, and not when they changed', async () => {
    let conflicts = 1;
    const fixture = make((request) =>
      request.method === 'DELETE' && (conflicts -= 1) >= 0 ? scriptedFailure(409, 'Conflict') : undefined,
    );
    fixture.put('child', { ownerReferences: [owner('gone')] });
    const node = fixture.node('child', [owner('gone')]);
    await fixture.collector.examine(node);
    expect(fixture.writes()).toEqual([
      deletion('Background'),
      [
        'DELETE',
        PATH,
        {
          apiVersion: 'v1',
          kind: 'DeleteOptions',
          preconditions: { uid: 'uid-child' },
          propagationPolicy: 'Background',
        },
      ],
    ]);
    const other = make((request) => {
      if (request.method !== 'DELETE') return undefined;
      other.put('child', { ownerReferences: [owner('alive')], resourceVersion: '6' });
      return scriptedFailure(409, 'Conflict');
    });
    other.put('child', { ownerReferences: [owner('gone')] });
    await expect(other.collector.examine(other.node('child', [owner('gone')]))).rejects.toThrow('Conflict (409)');
    expect(other.writes()).toHaveLength(1);
  });

  it('tries again, and deletes nothing, while the kind of an owner is not served', async () => {
    const { collector, node, put, writes } = make();
    const unknown = owner('x', { apiVersion: 'nobody.io/v1', kind: 'Nothing' });
    put('child', { ownerReferences: [unknown] });
    expect([await collector.examine(node('child', [unknown])), writes()]).toEqual(['retry', []]);
  });

  it.each<[string, ApiResponse]>([
    [
      'in plain text',
      {
        status: 404,
        headers: {},
        body: { type: 'payload', chunks: () => [], value: () => '404 page not found' },
      },
    ],
    ['in a Status about no object', scriptedFailure(404, 'NotFound')],
  ])('does not take a path that vanished, answered %s, for an owner that vanished', async (_name, answer) => {
    const transport = new ScriptedTransport((_request, url) =>
      DISCOVERY[url.pathname] === undefined ? answer : scriptedJson(DISCOVERY[url.pathname]),
    );
    const clock = new ManualClock();
    const client = new Client(transport, { clock });
    const operations = new Operations({
      client,
      clock,
      discovery: new Discovery(client, { clock }),
      random: systemRandom(1),
    });
    const identity = { apiVersion: 'example.com/v1', kind: 'Widget', namespace: 'n', name: 'w', uid: 'uid-w' };
    await expect(operations.live(identity)).rejects.toThrow('unable to get REST mapping for example.com/v1/Widget.');
  });

  it('never collects a cluster-scoped object for a namespaced owner', async () => {
    const { collector, graph, put, writes } = make();
    put('/api/v1/nodes/node', { ownerReferences: [owner('gone')] });
    graph.observe({
      identity: { apiVersion: 'v1', kind: 'Node', namespace: '', name: 'node', uid: 'uid-node' },
      owners: [owner('gone')],
      beingDeleted: false,
      foreground: false,
      orphan: false,
    });
    expect(await collector.examine(graph.get('uid-node') as GraphNode)).toBe('done');
    expect(await collector.examine(graph.get('uid-gone') as GraphNode)).toBe('done');
    expect(writes()).toEqual([]);
  });

  it('confirms the absence of a virtual owner, keeps asking about one that exists, and lets informers have the last word', async () => {
    const { collector, graph, node, put } = make();
    node('child', [owner('gone'), owner('there')]);
    put('there');
    const [gone, there] = [graph.get('uid-gone'), graph.get('uid-there')] as [GraphNode, GraphNode];
    expect(await collector.examine(gone)).toBe('done');
    expect(graph.get('uid-gone')).toBeUndefined();
    expect(await collector.examine(there)).toBe('retry');
    node('there');
    expect(await collector.examine(there)).toBe('done');
    expect(await collector.examine(gone)).toBe('done');
  });
});

import type { KubeObject } from '@capstan/meta';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Store } from '../store/index.js';
import type { AccessAttributes } from './access.js';
import { ManualClock } from '../testing/fixture.js';
import { NodeAuthorizer } from './node-authorizer.js';
import { NodeGraph, type ReachedKind } from './node-graph.js';

const NODES = ['n1', 'n2'];
const NAMES = ['a', 'b', 'c'];
const KINDS: readonly ReachedKind[] = [
  'Pod',
  'Secret',
  'ConfigMap',
  'ServiceAccount',
  'PersistentVolumeClaim',
  'PersistentVolume',
  'VolumeAttachment',
];

interface Write {
  readonly resource: '/pods' | '/persistentvolumes' | 'storage.k8s.io/volumeattachments';
  readonly name: string;
  /** Undefined: it is deleted. */
  readonly body: Record<string, unknown> | undefined;
}

const name = fc.constantFrom(...NAMES);
const node = fc.constantFrom('', ...NODES);
const pod = fc.record({
  nodeName: node,
  serviceAccountName: name,
  imagePullSecrets: fc.array(fc.record({ name }), { maxLength: 1 }),
  ephemeralContainers: fc.array(fc.record({ envFrom: fc.constant([{ secretRef: { name: 'c' } }]) }), { maxLength: 1 }),
  containers: fc.array(
    fc.record({
      env: fc.array(fc.record({ valueFrom: fc.record({ configMapKeyRef: fc.record({ name }) }) }), { maxLength: 1 }),
    }),
    { maxLength: 1 },
  ),
  volumes: fc.array(
    fc.oneof(
      fc.record({ secret: fc.record({ secretName: name }) }),
      fc.record({ persistentVolumeClaim: fc.record({ claimName: name }) }),
      fc.record({ name, ephemeral: fc.constant({}) }),
      fc.record({ projected: fc.record({ sources: fc.array(fc.record({ secret: fc.record({ name }) })) }) }),
    ),
    { maxLength: 3 },
  ),
});
const volume = fc.record({
  claimRef: fc.option(fc.record({ namespace: fc.constant('ns'), name }), { nil: undefined }),
  csi: fc.record({ nodePublishSecretRef: fc.record({ namespace: fc.constant('ns'), name }) }),
});
const write: fc.Arbitrary<Write> = fc.oneof(
  fc.record({
    resource: fc.constant('/pods' as const),
    name,
    body: fc.option(pod, { nil: undefined }),
  }),
  fc.record({
    resource: fc.constant('/persistentvolumes' as const),
    name,
    body: fc.option(volume, { nil: undefined }),
  }),
  fc.record({
    resource: fc.constant('storage.k8s.io/volumeattachments' as const),
    name,
    body: fc.option(fc.record({ nodeName: node }), { nil: undefined }),
  }),
);

function newStore(): Store {
  return new Store({ clock: new ManualClock() });
}

/** What a pod is made of is fixed once it is on a node, but for containers that come later: others are recreated. */
function apply(store: Store, { resource, name: named, body }: Write, at: number): void {
  const namespace = resource === '/pods' ? 'ns' : '';
  const existing = store.get(resource, namespace, named);
  if (existing !== undefined && (body === undefined || resource === '/pods')) store.remove(existing);
  if (body === undefined) return;
  const metadata = { name: named, ...(namespace === '' ? {} : { namespace }), uid: `uid-${at}` };
  const object = { apiVersion: 'v1', kind: 'X', metadata, spec: body } as unknown as KubeObject;
  const current = store.get(resource, namespace, named);
  if (current === undefined) store.create(resource, namespace, named, object);
  else store.replace(current, object);
}

function relations(graph: NodeGraph): string[] {
  const found: string[] = [];
  for (const each of NODES)
    for (const kind of KINDS)
      for (const object of [...NAMES, ...NAMES.flatMap((a) => NAMES.map((b) => `${a}-${b}`))])
        if (graph.isRelated(each, kind, 'ns', object)) found.push(`${each} ${kind} ${object}`);
  return found;
}

describe('the graph of nodes', () => {
  it('follows every change, as if it had been rebuilt', () => {
    fc.assert(
      fc.property(fc.array(write, { maxLength: 25 }), fc.nat(10), (writes, begins) => {
        const store = newStore();
        let graph: NodeGraph | undefined;
        writes.forEach((each, at) => {
          if (at === begins) graph = new NodeGraph(store);
          apply(store, each, at);
        });
        graph ??= new NodeGraph(store);
        expect(relations(graph)).toEqual(relations(new NodeGraph(store)));
        for (const { resource, name: named } of writes) apply(store, { resource, name: named, body: undefined }, 0);
        expect(relations(graph)).toEqual([]);
      }),
    );
  });

  it('sees what containers name that come to a pod later', () => {
    const store = newStore();
    const graph = new NodeGraph(store);
    const metadata = { name: 'a', namespace: 'ns', uid: '1' };
    const running = { apiVersion: 'v1', kind: 'Pod', metadata, spec: { nodeName: 'n1' } } as unknown as KubeObject;
    const stored = store.create('/pods', 'ns', 'a', running);
    expect(graph.isRelated('n1', 'Secret', 'ns', 'late')).toBe(false);
    const debugged = { nodeName: 'n1', ephemeralContainers: [{ envFrom: [{ secretRef: { name: 'late' } }] }] };
    if (stored !== undefined) store.replace(stored, { ...running, spec: debugged } as KubeObject);
    expect(graph.isRelated('n1', 'Secret', 'ns', 'late')).toBe(true);
  });

  it('gives a node nothing by its mirror pods but the pods themselves', () => {
    const store = newStore();
    const graph = new NodeGraph(store);
    const annotations = { 'kubernetes.io/config.mirror': 'x' };
    const metadata = { name: 'a', namespace: 'ns', uid: '1', annotations };
    const spec = { nodeName: 'n1', serviceAccountName: 'b', volumes: [{ secret: { secretName: 'b' } }] };
    store.create('/pods', 'ns', 'a', { apiVersion: 'v1', kind: 'Pod', metadata, spec } as unknown as KubeObject);
    expect(relations(graph)).toEqual(['n1 Pod a']);
  });

  it('is not made before a node asks for what belongs to one', () => {
    const store = newStore();
    let followers = 0;
    const subscribe = store.subscribe.bind(store);
    store.subscribe = (...given) => {
      followers += 1;
      return subscribe(...given);
    };
    const authorizer = new NodeAuthorizer(store);
    const asked = (resource: string, verb: string, named: string): AccessAttributes => ({
      isResource: true,
      verb,
      group: '',
      version: 'v1',
      resource,
      subresource: '',
      namespace: 'ns',
      name: named,
      path: '',
    });
    expect(authorizer.authorize('n1', asked('nodes', 'get', 'n1')).allowed).toBe(true);
    expect(authorizer.authorize('n1', asked('services', 'list', '')).allowed).toBe(true);
    expect(followers).toBe(0);
    expect(authorizer.authorize('n1', asked('secrets', 'get', 's')).allowed).toBe(false);
    expect(authorizer.authorize('n1', asked('secrets', 'get', 't')).allowed).toBe(false);
    expect(followers).toBe(3);
  });
});

import { CONFIG_MAPS, DEPLOYMENTS, PODS, configMap, deployment, given, pod } from '../src/conformance/objects.js';
import { JSON_PATCH, MERGE, STRATEGIC } from '../src/conformance/session.js';
import { suite } from '../src/conformance/suite.js';

const it = suite('subresources');
const NODES = '/api/v1/nodes';
/** What the real server puts on every new node. */
const NOT_READY = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };

it('status is written through its subresource alone (trap 8)', async (s) => {
  const made = (await given(s, DEPLOYMENTS, deployment('d'))).object();
  await s.get(`${DEPLOYMENTS}/d/status`);
  await s.put(`${DEPLOYMENTS}/d/status`, {
    ...made,
    metadata: { ...made.metadata, labels: { l: '1' }, annotations: { a: '1' } },
    spec: { ...(made['spec'] as object), replicas: 9 },
    status: { replicas: 3, observedGeneration: 1 },
  });
  await s.merge(`${DEPLOYMENTS}/d`, { status: { replicas: 77 } });
  await s.merge(`${DEPLOYMENTS}/d/status`, { status: { readyReplicas: 2 } });
  await s.merge(`${DEPLOYMENTS}/d/status`, { status: { replicas: -1 } });
  await s.merge(`${DEPLOYMENTS}/d/status`, { spec: { replicas: 4 }, metadata: { finalizers: ['example.com/x'] } });
  await s.get(`${DEPLOYMENTS}/d`);
});

it('the scale shows and changes replicas', async (s) => {
  await given(s, DEPLOYMENTS, deployment('d', { replicas: 2 }));
  const scale = (await s.get(`${DEPLOYMENTS}/d/scale`)).object();
  await s.put(`${DEPLOYMENTS}/d/scale`, { ...scale, spec: { replicas: 3 } });
  await s.put(`${DEPLOYMENTS}/d/scale`, { ...scale, spec: { replicas: 4 } });
  await s.merge(`${DEPLOYMENTS}/d/scale`, { spec: { replicas: 5 } });
  await s.merge(`${DEPLOYMENTS}/d/scale`, { spec: { replicas: 6 } }, { type: STRATEGIC });
  await s.call('PATCH', `${DEPLOYMENTS}/d/scale`, {
    body: [{ op: 'replace', path: '/spec/replicas', value: 0 }],
    type: JSON_PATCH,
  });
  await s.merge(`${DEPLOYMENTS}/d/scale`, { spec: { replicas: -1 } });
  await s.merge(`${DEPLOYMENTS}/d/scale`, { spec: { replicas: 'many' } });
  await s.put(`${DEPLOYMENTS}/d/scale`, {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name: 'other' },
    spec: { replicas: 1 },
  });
  await s.merge(`${DEPLOYMENTS}/none/scale`, { spec: { replicas: 1 } });
  await s.get(`${DEPLOYMENTS}/d`);
});

it('the generation moves with the spec, not with labels or status (trap 8)', async (s) => {
  await given(s, DEPLOYMENTS, deployment('d'));
  await s.merge(`${DEPLOYMENTS}/d`, { metadata: { labels: { a: 'b' } } });
  await s.merge(`${DEPLOYMENTS}/d/status`, { status: { replicas: 1 } });
  await s.merge(`${DEPLOYMENTS}/d`, { metadata: { annotations: { a: 'b' } } });
  await s.merge(`${DEPLOYMENTS}/d`, { spec: { replicas: 3 } });
  await s.merge(`${DEPLOYMENTS}/d`, { spec: { replicas: 3 } });
  await s.merge(`${DEPLOYMENTS}/d/scale`, { spec: { replicas: 2 } });
  await s.get(`${DEPLOYMENTS}/d`);
});

it('a pod is bound once', async (s) => {
  await given(s, PODS, pod('p'));
  const binding = (target: object): object => ({ apiVersion: 'v1', kind: 'Binding', metadata: { name: 'p' }, target });
  await s.post(`${PODS}/p/binding`, binding({}));
  await s.post(`${PODS}/p/binding`, binding({ kind: 'Node', name: 'n1' }));
  await s.get(`${PODS}/p`);
  await s.post(`${PODS}/p/binding`, binding({ kind: 'Node', name: 'n2' }));
  await s.post(`${PODS}/none/binding`, binding({ kind: 'Node', name: 'n2' }));
});

it('the status of a pod keeps its spec', async (s) => {
  await given(s, PODS, pod('p'));
  await s.merge(`${PODS}/p/status`, {
    spec: { nodeName: 'x' },
    status: {
      phase: 'Running',
      podIP: '10.1.2.3',
      podIPs: [{ ip: '10.1.2.3' }],
      conditions: [{ type: 'Ready', status: 'True' }],
    },
  });
  await s.merge(
    `${PODS}/p/status`,
    { status: { conditions: [{ type: 'Ready', status: 'False', reason: 'X' }] } },
    { type: STRATEGIC },
  );
  await s.merge(
    `${PODS}/p/status`,
    { status: { conditions: [{ type: 'Initialized', status: 'True' }] } },
    { type: STRATEGIC },
  );
  await s.merge(`${PODS}/p`, { spec: { containers: [{ name: 'c', image: 'i:2' }] } }, { type: STRATEGIC });
  for (const spec of [{ restartPolicy: 'Never' }, { nodeName: 'n1' }]) {
    const refused = await s.quiet('PATCH', `${PODS}/p`, { body: { spec }, type: MERGE });
    const { message, reason, code } = refused.body as Record<string, unknown>;
    // Behind the first line the real server dumps its internal structs.
    s.remark('refused', { code, reason, message: String(message).split('\n')[0] });
  }
});

it('the status of a namespace keeps its spec, and its name label stays', async (s) => {
  await s.merge('/api/v1/namespaces/{ns}/status', {
    status: { conditions: [{ type: 'Own', status: 'True', lastTransitionTime: '2020-01-01T00:00:00Z' }] },
  });
  await s.merge('/api/v1/namespaces/{ns}', {
    metadata: { labels: { 'kubernetes.io/metadata.name': 'other', extra: '1' } },
  });
});

it('the status of a node is written by strategic merge', async (s) => {
  await s.post(NODES, {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'node-{ns}' },
    spec: { taints: [NOT_READY] },
  });
  await s.merge(
    `${NODES}/node-{ns}/status`,
    {
      status: {
        conditions: [
          {
            type: 'Ready',
            status: 'True',
            lastHeartbeatTime: '2020-01-01T00:00:00Z',
            lastTransitionTime: '2020-01-01T00:00:00Z',
          },
        ],
        capacity: { cpu: '2', memory: '1024Mi' },
      },
    },
    { type: STRATEGIC },
  );
  await s.merge(`${NODES}/node-{ns}`, { spec: { unschedulable: true, taints: [{ key: 'k', effect: 'NoSchedule' }] } });
  await s.delete(`${NODES}/node-{ns}`);
});

it('strategic merge patches merge lists by their keys', async (s) => {
  const two = [
    {
      name: 'a',
      image: 'a:1',
      env: [
        { name: 'X', value: '1' },
        { name: 'Y', value: '2' },
      ],
    },
    { name: 'b', image: 'b:1' },
  ];
  await given(
    s,
    DEPLOYMENTS,
    deployment('d', { template: { metadata: { labels: { app: 'd' } }, spec: { containers: two } } }),
  );
  const smp = (spec: object): Promise<unknown> =>
    s.merge(`${DEPLOYMENTS}/d`, { spec: { template: { spec } } }, { type: STRATEGIC });
  await smp({ containers: [{ name: 'a', image: 'a:2', env: [{ name: 'Y', value: '3' }] }] });
  await smp({ containers: [{ name: 'b', $patch: 'delete' }] });
  await smp({
    containers: [{ name: 'c', image: 'c:1' }],
    '$setElementOrder/containers': [{ name: 'c' }, { name: 'a' }],
  });
  await smp({ containers: [{ name: 'a', env: [{ $patch: 'replace' }, { name: 'Z', value: '9' }] }] });
  await smp({ containers: [{ $patch: 'replace' }, { name: 'only', image: 'o:1' }] });
  await smp({ nodeSelector: { a: 'b' }, tolerations: [{ key: 'k', operator: 'Exists' }] });
  await smp({ nodeSelector: { $patch: 'replace', c: 'd' } });
  await smp({ containers: [{ image: 'nameless' }] });
  await smp({ nodeSelector: { $patch: 'sideways' } });
});

it('primitive lists and retained keys of strategic merge patches', async (s) => {
  await given(s, CONFIG_MAPS, configMap('a', {}, { finalizers: ['example.com/a', 'example.com/b'] }));
  const smp = (target: string, body: object): Promise<unknown> => s.merge(target, body, { type: STRATEGIC });
  await smp(`${CONFIG_MAPS}/a`, { metadata: { finalizers: ['example.com/c'] } });
  await smp(`${CONFIG_MAPS}/a`, { metadata: { '$deleteFromPrimitiveList/finalizers': ['example.com/a'] } });
  await given(s, DEPLOYMENTS, deployment('d'));
  await smp(`${DEPLOYMENTS}/d`, { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } });
});

it('json patches apply in order or not at all', async (s) => {
  await given(s, CONFIG_MAPS, configMap('a', { x: '1', y: '2' }));
  const patch = (...body: object[]): Promise<unknown> =>
    s.call('PATCH', `${CONFIG_MAPS}/a`, { body, type: JSON_PATCH });
  await patch(
    { op: 'add', path: '/data/z', value: '3' },
    { op: 'remove', path: '/data/x' },
    { op: 'move', from: '/data/y', path: '/data/w' },
    { op: 'copy', from: '/data/w', path: '/data/v' },
  );
  await patch({ op: 'add', path: '/data/late', value: '1' }, { op: 'test', path: '/data/z', value: 'wrong' });
  await patch({ op: 'remove', path: '/data/none' });
  await patch({ op: 'replace', path: '/data/none', value: '1' });
  await patch({ op: 'add', path: '/metadata/labels/a', value: '1' });
  await patch({ op: 'add', path: '/metadata/finalizers/-', value: 'example.com/x' });
  await patch({ op: 'sideways', path: '/data/a', value: '1' });
  await patch({ op: 'add', path: '/data/n', value: 1 });
  await patch({ op: 'add', path: 'data', value: {} });
  await patch({ op: 'test', path: '/data/none', value: null });
  await patch(
    { op: 'add', path: '/metadata/annotations', value: { 'a/b': '~' } },
    { op: 'replace', path: '/metadata/annotations/a~1b', value: 'ok' },
  );
  await s.get(`${CONFIG_MAPS}/a`);
});

it('merge patches delete by null and replace lists', async (s) => {
  await given(s, CONFIG_MAPS, configMap('a', { x: '1' }, { labels: { l: '1' }, finalizers: ['example.com/a'] }));
  await s.merge(`${CONFIG_MAPS}/a`, { data: { x: null, y: '2' }, metadata: { finalizers: ['example.com/b'] } });
  await s.merge(`${CONFIG_MAPS}/a`, { data: null, metadata: { labels: null } });
  await s.merge(`${CONFIG_MAPS}/a`, { binaryData: { b: 'AAEC' } });
  await s.merge(`${CONFIG_MAPS}/a`, { metadata: null });
  await s.merge(`${CONFIG_MAPS}/a`, { apiVersion: 'v2' });
});

it('immutable config maps and secrets stay as they are', async (s) => {
  await given(s, CONFIG_MAPS, { ...configMap('a'), immutable: true });
  await s.merge(`${CONFIG_MAPS}/a`, { data: { a: '2' } });
  await s.merge(`${CONFIG_MAPS}/a`, { immutable: false });
  await s.merge(`${CONFIG_MAPS}/a`, { metadata: { labels: { ok: '1' } } });
  await given(s, '/api/v1/namespaces/{ns}/secrets', {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'x' },
    type: 'Opaque',
    stringData: { a: 'text' },
  });
  await s.get('/api/v1/namespaces/{ns}/secrets/x');
  await s.merge('/api/v1/namespaces/{ns}/secrets/x', { stringData: { b: 'more' } });
  await s.merge('/api/v1/namespaces/{ns}/secrets/x', { type: 'other' });
});

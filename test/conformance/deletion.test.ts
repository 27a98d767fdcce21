import { CONFIG_MAPS, DEPLOYMENTS, PODS, configMap, deployment, given, pod } from '../src/conformance/objects.js';
import { suite } from '../src/conformance/suite.js';

const it = suite('deletion');
const HOLD = 'example.com/hold';

it('a finalizer keeps a deleted object until it is removed (trap 1)', async (s) => {
  await given(s, CONFIG_MAPS, configMap('a', {}, { finalizers: [HOLD] }));
  await s.delete(`${CONFIG_MAPS}/a`);
  await s.delete(`${CONFIG_MAPS}/a`);
  await s.merge(`${CONFIG_MAPS}/a`, { metadata: { finalizers: [HOLD, 'example.com/more'] } });
  await s.merge(`${CONFIG_MAPS}/a`, { metadata: { deletionTimestamp: null } });
  await s.merge(`${CONFIG_MAPS}/a`, { data: { still: 'here' } });
  await s.merge(`${CONFIG_MAPS}/a`, { metadata: { finalizers: null } });
  await s.get(`${CONFIG_MAPS}/a`);
});

it('a put that empties the finalizers removes the object', async (s) => {
  await given(s, CONFIG_MAPS, configMap('a', {}, { finalizers: [HOLD, 'example.com/other'] }));
  const going = (await s.delete(`${CONFIG_MAPS}/a`)).object();
  const less = await s.put(`${CONFIG_MAPS}/a`, { ...going, metadata: { ...going.metadata, finalizers: [HOLD] } });
  await s.put(`${CONFIG_MAPS}/a?dryRun=All`, {
    ...less.object(),
    metadata: { ...less.object().metadata, finalizers: [] },
  });
  await s.get(`${CONFIG_MAPS}/a`);
  await s.put(`${CONFIG_MAPS}/a`, { ...less.object(), metadata: { ...less.object().metadata, finalizers: [] } });
  await s.get(`${CONFIG_MAPS}/a`);
});

it('the generation counts the deletion of kinds that have one (trap 8)', async (s) => {
  await given(s, DEPLOYMENTS, { ...deployment('d'), metadata: { name: 'd', finalizers: [HOLD] } });
  await s.delete(`${DEPLOYMENTS}/d`);
  await s.merge(`${DEPLOYMENTS}/d`, { metadata: { finalizers: null } });
});

it('foreground and orphan deletion leave their finalizers for the collector', async (s) => {
  for (const policy of ['Foreground', 'Orphan', 'Background']) {
    const name = policy.toLowerCase();
    await given(s, DEPLOYMENTS, deployment(name));
    await s.delete(`${DEPLOYMENTS}/${name}`, { propagationPolicy: policy });
    await s.delete(`${DEPLOYMENTS}/${name}?propagationPolicy=Background`);
  }
});

it('the deprecated orphanDependents still works', async (s) => {
  await given(s, CONFIG_MAPS, configMap('a'));
  await given(s, CONFIG_MAPS, configMap('b'));
  await given(s, CONFIG_MAPS, configMap('c', {}, { finalizers: [HOLD] }));
  await s.delete(`${CONFIG_MAPS}/a`, { orphanDependents: true });
  await s.delete(`${CONFIG_MAPS}/b?orphanDependents=false`);
  await s.delete(`${CONFIG_MAPS}/c`, { orphanDependents: false });
});

it('propagation changes its finalizers on an object that is already going', async (s) => {
  await given(s, CONFIG_MAPS, configMap('a', {}, { finalizers: [HOLD, 'orphan'] }));
  await s.delete(`${CONFIG_MAPS}/a`, { propagationPolicy: 'Foreground' });
  await s.delete(`${CONFIG_MAPS}/a`, { propagationPolicy: 'Background' });
  await s.delete(`${CONFIG_MAPS}/a`, { propagationPolicy: 'Orphan' });
});

it('a pod without a node is deleted at once, a pod on a node after its grace period', async (s) => {
  await given(s, PODS, pod('free'));
  await s.delete(`${PODS}/free`);
  await given(s, PODS, pod('placed', {}, { nodeName: 'n1' }));
  await s.delete(`${PODS}/placed`);
  await s.delete(`${PODS}/placed`);
  await s.delete(`${PODS}/placed?gracePeriodSeconds=60`);
  await s.delete(`${PODS}/placed?gracePeriodSeconds=10`);
  await s.delete(`${PODS}/placed`, { gracePeriodSeconds: 0 });
  await s.get(`${PODS}/placed`);
});

it('the grace period of a pod is that of the request, then that of its spec', async (s) => {
  await given(s, PODS, pod('own', {}, { nodeName: 'n1', terminationGracePeriodSeconds: 7 }));
  await s.delete(`${PODS}/own`);
  await given(s, PODS, pod('asked', {}, { nodeName: 'n1', terminationGracePeriodSeconds: 7 }));
  await s.delete(`${PODS}/asked`, { gracePeriodSeconds: 5 });
  await given(s, PODS, pod('negative', {}, { nodeName: 'n1' }));
  await s.delete(`${PODS}/negative`, { gracePeriodSeconds: -3 });
  await given(s, PODS, pod('done', {}, { nodeName: 'n1' }));
  await s.quiet('PATCH', `${PODS}/done/status`, {
    body: { status: { phase: 'Succeeded' } },
    type: 'application/merge-patch+json',
  });
  await s.delete(`${PODS}/done`);
});

it('a pod with a finalizer and no grace period left stays until the finalizer is removed', async (s) => {
  await given(s, PODS, pod('p', { finalizers: [HOLD] }, { nodeName: 'n1' }));
  await s.delete(`${PODS}/p`, { gracePeriodSeconds: 0 });
  await s.merge(`${PODS}/p`, { metadata: { finalizers: null } });
  await s.get(`${PODS}/p`);
});

it('a collection is deleted by selector and lists what went', async (s) => {
  for (const name of ['a', 'b', 'c'])
    await given(s, CONFIG_MAPS, configMap(name, {}, { labels: { go: String(name !== 'b') } }));
  await s.delete(`${CONFIG_MAPS}?labelSelector=go%3Dtrue`);
  await s.get(CONFIG_MAPS);
  await s.delete(`${CONFIG_MAPS}?fieldSelector=metadata.name%3Dnone`);
  await given(s, CONFIG_MAPS, configMap('held', {}, { finalizers: [HOLD] }));
  await s.delete(CONFIG_MAPS);
  await s.get(CONFIG_MAPS);
});

it('some kinds answer a deletion with the object, others with a Status', async (s) => {
  const kinds: readonly (readonly [string, Record<string, unknown>])[] = [
    ['/api/v1/namespaces/{ns}/serviceaccounts', { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'x' } }],
    [
      '/api/v1/namespaces/{ns}/services',
      { apiVersion: 'v1', kind: 'Service', metadata: { name: 'x' }, spec: { clusterIP: 'None', selector: { a: 'b' } } },
    ],
    ['/api/v1/namespaces/{ns}/secrets', { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'x' } }],
    [
      '/api/v1/namespaces/{ns}/resourcequotas',
      { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'x' }, spec: { hard: { pods: '1' } } },
    ],
    [
      '/api/v1/namespaces/{ns}/limitranges',
      { apiVersion: 'v1', kind: 'LimitRange', metadata: { name: 'x' }, spec: { limits: [] } },
    ],
    [
      '/api/v1/namespaces/{ns}/podtemplates',
      {
        apiVersion: 'v1',
        kind: 'PodTemplate',
        metadata: { name: 'x' },
        template: { spec: { containers: [{ name: 'c', image: 'i' }] } },
      },
    ],
    [DEPLOYMENTS, deployment('x')],
  ];
  for (const [collection, object] of kinds) {
    await given(s, collection, object);
    await s.delete(`${collection}/x`);
  }
});

it('a deleted namespace is terminating, and is removed when it is finalized (trap 12)', async (s) => {
  const name = 'gone-{ns}';
  await s.post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  await s.delete(`/api/v1/namespaces/${name}`);
  await s.delete(`/api/v1/namespaces/${name}`);
  await s.post(`/api/v1/namespaces/${name}/configmaps`, configMap('x'));
  const going = (await s.quiet('GET', `/api/v1/namespaces/${name}`)).object();
  await s.put(`/api/v1/namespaces/${name}/finalize`, { ...going, spec: { finalizers: [] } });
  await s.get(`/api/v1/namespaces/${name}`);
  for (const immortal of ['default', 'kube-system', 'kube-public']) await s.delete(`/api/v1/namespaces/${immortal}`);
});

it('a namespace with finalizers of its own waits for both kinds', async (s) => {
  const name = 'held-{ns}';
  await s.quiet('POST', '/api/v1/namespaces', {
    body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name, finalizers: [HOLD] } },
  });
  await s.delete(`/api/v1/namespaces/${name}`);
  const going = (await s.quiet('GET', `/api/v1/namespaces/${name}`)).object();
  await s.put(`/api/v1/namespaces/${name}/finalize`, { ...going, spec: {} });
  await s.get(`/api/v1/namespaces/${name}`);
  await s.merge(`/api/v1/namespaces/${name}`, { metadata: { finalizers: null } });
  await s.get(`/api/v1/namespaces/${name}`);
});

it('deletion with preconditions that hold goes through', async (s) => {
  const { uid } = (await given(s, PODS, pod('p'))).object().metadata;
  await s.delete(`${PODS}/p`, { preconditions: { uid: 'other' } });
  await s.delete(`${PODS}/p`, { kind: 'DeleteOptions', apiVersion: 'v1', preconditions: { uid } });
});

it('dependents outlive the request that deletes their owner: collecting is work of its own (trap 11)', async (s) => {
  const owner = (await given(s, CONFIG_MAPS, configMap('owner'))).object();
  const { name, uid } = owner.metadata;
  const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name, uid, blockOwnerDeletion: true }];
  await given(s, CONFIG_MAPS, configMap('dependent', {}, { ownerReferences }));
  await s.delete(`${CONFIG_MAPS}/owner`, { propagationPolicy: 'Background' });
  await s.get(`${CONFIG_MAPS}/owner`);
  await s.get(`${CONFIG_MAPS}/dependent`);
});

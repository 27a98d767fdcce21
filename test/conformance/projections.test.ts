import { CONFIG_MAPS, DEPLOYMENTS, PODS, configMap, deployment, given, pod } from '../src/conformance/objects.js';
import { METADATA, METADATA_LIST, TABLE } from '../src/conformance/session.js';
import { suite } from '../src/conformance/suite.js';

const it = suite('projections');

it('tables show rows with metadata, nothing or the object', async (s) => {
  await given(s, CONFIG_MAPS, configMap('a', { x: '1', y: '2' }, { labels: { l: '1' } }));
  await s.get(CONFIG_MAPS, { accept: TABLE });
  await s.get(`${CONFIG_MAPS}/a`, { accept: TABLE });
  for (const include of ['None', 'Metadata', 'Object', 'Odd'])
    await s.get(`${CONFIG_MAPS}?includeObject=${include}`, { accept: TABLE });
  await s.get(`${CONFIG_MAPS}?labelSelector=none`, { accept: TABLE });
  await s.get(`${CONFIG_MAPS}/none`, { accept: TABLE });
});

it('tables of many kinds have their own columns', async (s) => {
  await given(s, PODS, pod('p', {}, { nodeName: 'n1' }));
  await given(s, DEPLOYMENTS, deployment('d', { replicas: 2 }));
  await given(s, '/api/v1/namespaces/{ns}/secrets', {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'x' },
    data: { a: 'AA==' },
  });
  await given(s, '/api/v1/namespaces/{ns}/serviceaccounts', {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: 'sa' },
  });
  await given(s, '/api/v1/namespaces/{ns}/services', {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'svc' },
    spec: { selector: { a: 'b' }, ports: [{ port: 80 }] },
  });
  const places = [
    PODS,
    DEPLOYMENTS,
    '/api/v1/namespaces/{ns}/secrets',
    '/api/v1/namespaces/{ns}/serviceaccounts',
    '/api/v1/namespaces/{ns}/services',
    '/api/v1/namespaces/{ns}',
  ];
  for (const place of places) await s.get(`${place}?includeObject=None`, { accept: TABLE });
});

it('pages of tables carry the token of the list', async (s) => {
  for (const name of ['a', 'b', 'c']) await given(s, CONFIG_MAPS, configMap(name, {}));
  await s.get(`${CONFIG_MAPS}?limit=2&includeObject=None`, { accept: TABLE });
});

it('a request for metadata alone gets metadata alone', async (s) => {
  await given(
    s,
    CONFIG_MAPS,
    configMap('a', { x: '1' }, { labels: { l: '1' }, annotations: { n: '1' }, finalizers: ['example.com/f'] }),
  );
  await s.get(`${CONFIG_MAPS}/a`, { accept: METADATA });
  await s.get(CONFIG_MAPS, { accept: METADATA_LIST });
  await s.get(`${CONFIG_MAPS}?limit=1`, { accept: METADATA_LIST });
  await s.get(CONFIG_MAPS, { accept: METADATA });
  await s.get(`${CONFIG_MAPS}/a`, { accept: METADATA_LIST });
  await s.get(`${CONFIG_MAPS}/a`, { accept: `${METADATA.replace('v=v1;', 'v=v1beta1;')}` });
});

it('writes are answered in the requested media type', async (s) => {
  await s.post(CONFIG_MAPS, configMap('a'), { accept: METADATA });
  await s.merge(`${CONFIG_MAPS}/a`, { data: { b: '2' } }, { accept: METADATA });
  await s.put(`${CONFIG_MAPS}/a`, configMap('a', { c: '3' }), { accept: TABLE });
  await s.post(CONFIG_MAPS, configMap('b', {}, { finalizers: ['example.com/f'] }), { accept: TABLE });
  await s.delete(`${CONFIG_MAPS}/b`, undefined, { accept: METADATA });
  await s.delete(`${CONFIG_MAPS}/a`, undefined, { accept: METADATA });
});

it('the first acceptable media type is chosen', async (s) => {
  await given(s, CONFIG_MAPS, configMap('a'));
  const kubectl =
    'application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json';
  await s.get(`${CONFIG_MAPS}?includeObject=None`, { accept: kubectl });
  await s.get(`${CONFIG_MAPS}?includeObject=None`, { accept: kubectl.replace('v=v1;g', 'v=v7;g') });
  await s.get(`${CONFIG_MAPS}/a`, { accept: 'application/vnd.kubernetes.unknown, application/json' });
  await s.get(`${CONFIG_MAPS}/a?pretty=true`);
});

it('a deleted collection is answered in the requested media type', async (s) => {
  for (const name of ['a', 'b']) await given(s, CONFIG_MAPS, configMap(name));
  await s.delete(`${CONFIG_MAPS}?dryRun=All&includeObject=None`, undefined, { accept: TABLE });
  await s.delete(`${CONFIG_MAPS}?dryRun=All`, undefined, { accept: METADATA_LIST });
  await s.delete(`${CONFIG_MAPS}?dryRun=All&labelSelector=none`, undefined, { accept: METADATA_LIST });
  await s.get(`${CONFIG_MAPS}?labelSelector=none`, { accept: METADATA_LIST });
});

it('annotations that stand for fields are not shown where metadata is shown alone', async (s) => {
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i:1' }] } };
  const sets = '/apis/apps/v1/namespaces/{ns}/daemonsets';
  await given(s, sets, {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'x', annotations: { q: 'w' } },
    spec: { selector: { matchLabels: { a: 'b' } }, template },
  });
  const metrics = [
    { type: 'Pods', pods: { metric: { name: 'm' }, target: { type: 'AverageValue', averageValue: '1' } } },
  ];
  await given(s, '/apis/autoscaling/v2/namespaces/{ns}/horizontalpodautoscalers', {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'x' },
    spec: {
      maxReplicas: 3,
      scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' },
      metrics,
      behavior: { scaleDown: { stabilizationWindowSeconds: 3 } },
    },
  });
  for (const path of [sets, '/apis/autoscaling/v1/namespaces/{ns}/horizontalpodautoscalers']) {
    await s.get(`${path}/x`);
    for (const accept of [TABLE, METADATA]) await s.get(`${path}/x`, { accept });
    for (const accept of [TABLE, METADATA_LIST]) await s.get(path, { accept });
    await s.get(`${path}?includeObject=Object`, { accept: TABLE });
  }
});

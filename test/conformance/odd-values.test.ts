import { CRDS, custom, definition, definitionPath, dismiss, givenDefinition } from '../src/conformance/crds.js';
import { objectsPath, specVersion } from '../src/conformance/crds.js';
import { DEPLOYMENTS, PODS, deployment, given, pod } from '../src/conformance/objects.js';
import { STRATEGIC } from '../src/conformance/session.js';
import { suite } from '../src/conformance/suite.js';

const it = suite('odd-values');
const dry = (path: string): string => `${path}?dryRun=All`;
const SERVICES = '/api/v1/namespaces/{ns}/services';
const CLAIMS = '/api/v1/namespaces/{ns}/persistentvolumeclaims';

it('a text of a type of its own is shown as JSON for pages, any other as it is', async (s) => {
  const target = (type: string): object => ({ type: 'Resource', resource: { name: 'memory', target: { type } } });
  for (const type of ['<&>', '\u0000'])
    await s.post(dry('/apis/autoscaling/v2/namespaces/{ns}/horizontalpodautoscalers'), {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'x' },
      spec: { maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'd' }, metrics: [target(type)] },
    });
  await s.post(dry('/api/v1/namespaces/{ns}/limitranges'), {
    apiVersion: 'v1',
    kind: 'LimitRange',
    metadata: { name: 'x' },
    spec: { limits: [{ type: '<<' }] },
  });
  await s.post(dry(CRDS), definition('things', { scope: 'a < b' }));
  const volumes = '/api/v1/persistentvolumes';
  await s.quiet('POST', volumes, {
    body: {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'v-{ns}' },
      spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } },
    },
  });
  await s.merge(dry(`${volumes}/v-{ns}`), { spec: { hostPath: { path: '<&>' } } });
  await s.quiet('DELETE', `${volumes}/v-{ns}`);
});

it('what is empty is shown as it was sent in updates, too', async (s) => {
  await s.post(dry('/apis/networking.k8s.io/v1/namespaces/{ns}/ingresses'), {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: 'x' },
    spec: { rules: [] },
  });
  const claim = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'c' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  };
  await given(s, CLAIMS, claim);
  const emptied = { ...claim.spec, resources: { requests: {} } };
  await s.put(dry(`${CLAIMS}/c`), { ...claim, spec: { ...emptied, volumeMode: 'Filesystem' } });
  await s.call('PATCH', dry(`${CLAIMS}/c`), {
    body: { spec: { resources: { requests: { storage: null } } } },
    type: STRATEGIC,
  });
  const nodes = '/apis/storage.k8s.io/v1/csinodes';
  const driver = { name: 'd', nodeID: 'n', topologyKeys: ['k'] };
  const node = { apiVersion: 'storage.k8s.io/v1', kind: 'CSINode', metadata: { name: 'n-{ns}' } };
  await s.quiet('POST', nodes, { body: { ...node, spec: { drivers: [driver] } } });
  await s.merge(dry(`${nodes}/n-{ns}`), { spec: { drivers: [{ ...driver, topologyKeys: [] }] } });
  await s.quiet('DELETE', `${nodes}/n-{ns}`);
});

it('a port of the nodes is given once, whatever is spoken over it', async (s) => {
  const service = (name: string, ...ports: object[]): object => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name },
    spec: { type: 'NodePort', ports },
  });
  await s.quiet('POST', SERVICES, { body: service('a', { port: 80, nodePort: 31877 }) });
  await s.post(dry(SERVICES), service('b', { port: 53, protocol: 'UDP', nodePort: 31877 }));
  const twice = [
    { name: 't', port: 53, nodePort: 31878 },
    { name: 'u', port: 53, protocol: 'UDP' },
  ];
  const shared = await s.quiet('POST', dry(SERVICES), { body: service('c', ...twice) });
  const { ports } = shared.object()['spec'] as { ports: { nodePort: number }[] };
  s.remark(
    'one port over two protocols',
    ports.map(({ nodePort }) => nodePort),
  );
  await s.quiet('DELETE', `${SERVICES}/a`);
});

it('an eviction and its query agree about trying', async (s) => {
  await given(s, PODS, pod('p'));
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p' } };
  const send = (dryRun: unknown): Promise<unknown> =>
    s.post(dry(`${PODS}/p/eviction`), { ...eviction, deleteOptions: { dryRun } });
  await send(['Some', 'x']);
  await send(['All']);
  await send([]);
  await s.post(`${PODS}/p/eviction`, { ...eviction, deleteOptions: { dryRun: ['All'] } });
});

it('a custom resource that does not fit its schema has no field owners', async (s) => {
  const bytes = { type: 'string', format: 'byte' };
  await givenDefinition(s, 'things', { versions: [specVersion({ bytes }, { subresources: { status: {} } })] });
  const things = objectsPath('things');
  await s.post(dry(things), custom('Thing', 'a', { spec: {}, status: 'x' }));
  await s.post(dry(things), custom('Thing', 'a', { spec: {}, status: { phase: 1 } }));
  await s.post(dry(things), custom('Thing', 'a', { spec: { bytes: [] } }));
  for (const apiVersion of [undefined, 'other/v1', 'v1'])
    await s.post(dry(things), { apiVersion, kind: 'Thing', metadata: { name: 'a', odd: 1 }, spec: { odd: 1 } });
  await s.post(dry(things), { kind: 'Thing', metadata: { name: 1 } });
  await s.quiet('POST', things, { body: custom('Thing', 'b', { spec: { bytes: 'AAE=' } }) });
  await s.merge(dry(`${things}/b`), { spec: { bytes: [] } });
  await s.merge(dry(`${things}/b`), { status: 1 });
  const definitionNow = await s.quiet('GET', definitionPath('things'));
  await s.put(dry(`${definitionPath('things')}/status`), { ...definitionNow.object(), spec: {}, status: {} });
  await dismiss(s, 'things');
});

it('names, versions and enumerations that are nearly right', async (s) => {
  await s.post(dry('/apis/networking.k8s.io/v1/ipaddresses'), {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'IPAddress',
    metadata: { name: 'a/b%' },
    spec: { parentRef: { resource: 'services', name: 's' } },
  });
  await s.post(dry('/apis/storage.k8s.io/v1/storageclasses'), {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'x-{ns}' },
    provisioner: 'a/b',
    reclaimPolicy: '',
  });
  await s.post(dry('/apis/discovery.k8s.io/v1/namespaces/{ns}/endpointslices'), {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: 'x' },
    addressType: 'IPv4',
    endpoints: [],
    ports: [{ name: '', protocol: '', port: 80 }],
  });
  const image = 'x'.repeat(260);
  await s.post(dry(DEPLOYMENTS), deployment('d', { template: template(image) }));
  await s.get('/apis/apps/v1/namespaces/{ns}/replicasets?fieldSelector=status.replicas%3D0');
  for (const apiVersion of ['authentication.k8s.io/', 'other/', 'a/b/c']) {
    const raw = JSON.stringify({ apiVersion, kind: 'TokenReview', metadata: -1, spec: { token: 'nobody' } });
    await s.call('POST', '/apis/authentication.k8s.io/v1/tokenreviews', { raw });
  }
});

it('what is left out of expressions, rules and reviews is reported', async (s) => {
  const policy = (name: string, spec: object): object => ({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: name === '' ? {} : { name },
    spec: { matchConstraints: { resourceRules: [] }, ...spec },
  });
  const policies = dry('/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies');
  const validations = [{ expression: 'variables.v < 5' }];
  await s.post(policies, policy('x-{ns}', { variables: [{ name: 'v' }], validations }));
  await s.post(policies, policy('x-{ns}', { validations: [{ expression: '😀' }] }));
  await s.post(policies, policy('', { auditAnnotations: [{ key: 'k', valueExpression: '"a"' }] }));
  const scaleTargetRef = { kind: 'Deployment', name: 'd' };
  await s.post(dry('/apis/autoscaling/v2/namespaces/{ns}/horizontalpodautoscalers'), {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'x' },
    spec: { maxReplicas: 3, scaleTargetRef, behavior: { scaleDown: { policies: [] }, scaleUp: {} } },
  });
  await s.post(dry(PODS), pod('o', {}, { overhead: {} }));
  await given(s, PODS, pod('p'));
  const binding = { kind: 'Binding', metadata: { name: 'p' }, target: 'x' };
  await s.post(dry(`${PODS}/p/binding`), { apiVersion: 'v9', ...binding });
  await s.post(dry(`${PODS}/p/binding`), { apiVersion: 'v1', ...binding });
  await s.post('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    metadata: { resourceVersion: '1', labels: { a: 'b' } },
    spec: { nonResourceAttributes: { path: '/x', verb: 'get' } },
  });
  const claim = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'c' } };
  const raw = JSON.stringify(claim).replace(
    /\}$/,
    ',"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":1e-400}}}}',
  );
  await s.call('POST', dry(CLAIMS), { raw });
  await s.call('POST', dry(CLAIMS), { raw: raw.replace('ReadWriteOnce', '<&>').replace('1e-400', '1') });
});

it('faults of YAML are reported in the order in which they are read', async (s) => {
  const send = (raw: string): Promise<unknown> =>
    s.call('POST', dry('/api/v1/namespaces/{ns}/configmaps'), { raw, type: 'application/yaml' });
  await send('a: .inf\n? [b]\n: c\n');
  await send('a: .inf\n~: c\n');
  await send('<<: 1\n? [.inf]\n: c\n');
  await send('? {? x: .inf}\n: c\n');
  await send('apiVersion: v1\n\ufeffkind: ConfigMap\n');
  await send(`a: @\n${' '.repeat(600)}\u0001`);
  await send(`a: @\n${' '.repeat(400)}\u0001`);
  const apply = (raw: string): Promise<unknown> =>
    s.call('PATCH', '/api/v1/namespaces/{ns}/configmaps/x?fieldManager=m&dryRun=All', {
      raw,
      type: 'application/apply-patch+yaml',
    });
  await apply('apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\ndata:\n  a: 9223372036854775808\n');
});

function template(image: string): object {
  return { metadata: { labels: { app: 'd' } }, spec: { containers: [{ name: 'c', image }] } };
}

import { Buffer } from 'node:buffer';
import { CRDS, definition } from '../src/conformance/crds.js';
import { CONFIG_MAPS, PODS, configMap, given, pod } from '../src/conformance/objects.js';
import { JSON_PATCH, MERGE, STRATEGIC, type Session } from '../src/conformance/session.js';
import { suite } from '../src/conformance/suite.js';

/* Which complaints come with which, and in which order. */
const it = suite('complaints');
const dry = (path: string): string => `${path}?dryRun=All`;
const JOBS = '/apis/batch/v1/namespaces/{ns}/jobs';
const CONTROLLERS = '/api/v1/namespaces/{ns}/replicationcontrollers';
const BAD_LABELS = { labels: { 'a b': 'c' } };
type Fields = Record<string, unknown>;

const job = (metadata: Fields, spec: Fields = {}): Fields => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata,
  spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i:1' }] } }, ...spec },
});

it('metadata of events is validated last, and of budgets only where nothing else is wrong', async (s) => {
  const ofCore = { apiVersion: 'v1', kind: 'Event', involvedObject: { namespace: 'other' } };
  const newer = { apiVersion: 'events.k8s.io/v1', kind: 'Event' };
  const budget = { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget' };
  for (const metadata of [{}, { name: 'A_' }, { ...BAD_LABELS }]) {
    await s.post(dry('/api/v1/namespaces/{ns}/events'), { ...ofCore, metadata });
    await s.post(dry('/apis/events.k8s.io/v1/namespaces/{ns}/events'), { ...newer, metadata });
    for (const spec of [{ maxUnavailable: 'x' }, {}])
      if (spec.maxUnavailable !== undefined || metadata.name === undefined)
        await s.post(dry('/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets'), { ...budget, metadata, spec });
  }
});

it('an update of a job repeats the metadata errors that a new job gets, and adds one', async (s) => {
  const { ...live } = (await given(s, JOBS, job({ name: 'j' }, { suspend: true }))).object();
  const faults: Fields[] = [BAD_LABELS, { generateName: 'X_' }, { finalizers: ['x'] }, { ownerReferences: [{}] }];
  for (const fault of faults) {
    const metadata = { ...live.metadata, ...fault };
    await s.put(dry(`${JOBS}/j`), { ...live, metadata });
    await s.put(dry(`${JOBS}/j`), { ...live, metadata, spec: { ...(live['spec'] as Fields), completions: -1 } });
    await s.put(dry(`${JOBS}/j/status`), { ...live, metadata, status: { active: -1 } });
  }
});

it('an update of an event lists its metadata errors after those of its own fields', async (s) => {
  const path = '/apis/events.k8s.io/v1/namespaces/{ns}/events';
  const event = {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name: 'e' },
    eventTime: '2020-01-01T00:00:00.000000Z',
    reportingController: 'example.com/c',
    reportingInstance: 'i',
    action: 'A',
    reason: 'R',
    type: 'Normal',
    regarding: { kind: 'Pod', namespace: '{ns}', name: 'p' },
  };
  await given(s, path, event);
  await s.put(dry(`${path}/e`), {
    ...event,
    metadata: { name: 'e', ...BAD_LABELS },
    reportingInstance: '',
    action: '',
  });
});

it('a malformed token is reviewed as not authenticated', async (s) => {
  for (const token of ['', ' ', '\t', '  x', 'x', 'x y']) {
    for (const audiences of [undefined, ['a']])
      await s.post('/apis/authentication.k8s.io/v1/tokenreviews', {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenReview',
        spec: { token, audiences },
      });
  }
});

it('a Scale of a built-in kind is checked like an object of its own', async (s) => {
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i:1' }] } };
  const controller = { apiVersion: 'v1', kind: 'ReplicationController', metadata: { name: 'x' } };
  await given(s, CONTROLLERS, { ...controller, spec: { replicas: 1, selector: { a: 'b' }, template } });
  const faults: Fields[] = [
    { generateName: 'X_' },
    BAD_LABELS,
    { finalizers: ['x'] },
    { ownerReferences: [{}] },
    { generation: -1 },
    { uid: 'q' },
    { managedFields: [{ manager: 'm', operation: 'x' }] },
  ];
  for (const fault of faults) {
    for (const replicas of [2, -1]) {
      const scale = { metadata: { name: 'x', ...fault }, spec: { replicas } };
      await s.put(dry(`${CONTROLLERS}/x/scale`), { apiVersion: 'autoscaling/v1', kind: 'Scale', ...scale });
      await s.merge(dry(`${CONTROLLERS}/x/scale`), scale);
    }
  }
});

it('an object with both a taken name and a name prefix is refused for the prefix', async (s) => {
  await given(s, CONFIG_MAPS, configMap('a'));
  await s.post(CONFIG_MAPS, configMap('a', {}, { generateName: 'b-' }));
  await s.post(dry(CONFIG_MAPS), configMap('a', {}, { generateName: 'b-' }));
  await s.post(dry(CONFIG_MAPS), configMap('a'));
});

it('a signer is a domain and a path, of which the first bad part is reported', async (s) => {
  const signers = ['', ' ', '/', 'a/b', 'a_.b_/c_.d_', 'example.com/', '/b', 'a.b/c/d', `${'a.'.repeat(130)}b/c`];
  signers.push(`${'x'.repeat(64)}.b/c`, `a.b/${'x.'.repeat(300)}y`, `a.b/${'x'.repeat(254)}`, 'example.com/ok');
  for (const signerName of signers)
    await s.post(dry('/apis/certificates.k8s.io/v1/certificatesigningrequests'), {
      apiVersion: 'certificates.k8s.io/v1',
      kind: 'CertificateSigningRequest',
      metadata: { name: 'x' },
      spec: { signerName, request: 'AAAA', usages: ['digital signature'] },
    });
});

const item = (key: string, path: string): Fields => ({ key, path });
const VOLUMES: readonly Fields[] = [
  { projected: {} },
  { projected: { sources: [] } },
  { projected: { sources: [{}, { secret: {} }] } },
  { configMap: { name: 'm', items: [item('a', 'p'), item('b', 'p/'), item('c', 'p/q'), item('d', 'pq')] } },
  { secret: { secretName: 's', items: [item('a', 'p/q'), item('b', 'p')] } },
  { downwardAPI: { items: [{ path: 'a', fieldRef: { fieldPath: 'metadata.name' } }, { path: 'a' }] } },
  {
    projected: {
      sources: [
        { configMap: { name: 'm', items: [item('a', 'p'), item('b', 'token')] } },
        { serviceAccountToken: { path: 'token' } },
        { secret: { name: 's', items: [item('a', 'p/q')] } },
        { downwardAPI: { items: [{ path: 'token', fieldRef: { fieldPath: 'metadata.name' } }] } },
      ],
    },
  },
  {
    ephemeral: {
      volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1500m' } } } },
    },
  },
];

it('a pod with deprecated fields is accepted with warnings', async (s) => {
  for (const volume of VOLUMES) await s.post(dry(PODS), pod('x', {}, { volumes: [{ name: 'v', ...volume }] }));
  const expression = { key: 'beta.kubernetes.io/os', operator: 'In', values: ['linux', 'a b'] };
  const term = { matchExpressions: [expression] };
  const nodeAffinity = {
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: [{ matchExpressions: [{ ...expression, values: ['linux'] }] }],
    },
    preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference: term }],
  };
  await s.post(dry(PODS), pod('x', {}, { affinity: { nodeAffinity } }));
  const ports = [{ name: 'p', containerPort: 80, hostIP: '10.0.0.1' }];
  await s.post(dry(PODS), pod('x', {}, { containers: [{ name: 'c', image: 'i:1', ports }] }));
});

/** Of each resource that is not kept under its own name: its path, and an object. */
const KEPT: readonly (readonly [string, Fields])[] = [
  ['/api/v1/namespaces/{ns}/endpoints', { apiVersion: 'v1', kind: 'Endpoints', metadata: { name: 'x' } }],
  ['/apis/networking.k8s.io/v1/namespaces/{ns}/ingresses', ingress()],
];

function ingress(): Fields {
  const defaultBackend = { service: { name: 's', port: { number: 1 } } };
  return { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', metadata: { name: 'x' }, spec: { defaultBackend } };
}

it('a conflict names the key of an object whose uid differs', async (s: Session) => {
  for (const [path, object] of KEPT) {
    await given(s, path, object);
    const other = { ...object, metadata: { name: 'x', uid: 'q' } };
    await s.put(dry(`${path}/x`), other);
    await s.put(`${path}/x`, other);
    await s.call('PATCH', `${path}/x`, { body: { metadata: { uid: 'q' } }, type: MERGE });
  }
});

const CLAIMS = '/api/v1/namespaces/{ns}/persistentvolumeclaims';

it('the change of a claim shows what is empty as it was sent; sources that are none are dropped', async (s) => {
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  await given(s, CLAIMS, { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'x' }, spec });
  const changes: Fields[] = [
    { accessModes: [] },
    { accessModes: [], resources: { requests: {}, limits: {} } },
    { accessModes: null },
    { selector: { matchLabels: {}, matchExpressions: [] } },
    { dataSource: {} },
    { dataSourceRef: {} },
    { dataSourceRef: { kind: 'PersistentVolumeClaim', name: 'q', namespace: 'w' } },
  ];
  for (const change of changes) {
    for (const type of [MERGE, STRATEGIC]) await s.call('PATCH', dry(`${CLAIMS}/x`), { body: { spec: change }, type });
  }
});

const ODD = '<&>\u0000';
const SERVICES = '/api/v1/namespaces/{ns}/services';

it('texts of a type of their own are shown as JSON, all others in quotes', async (s) => {
  await s.post(dry(PODS), pod('x', { labels: { a: ODD } }, { restartPolicy: ODD, tolerations: [{ operator: ODD }] }));
  await s.post(dry(JOBS), job({ name: 'x' }, { completionMode: ODD, completions: 1 }));
  await given(s, '/api/v1/namespaces/{ns}/secrets', { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'x' } });
  await s.merge(dry('/api/v1/namespaces/{ns}/secrets/x'), { type: ODD });
  await s.post(dry('/apis/certificates.k8s.io/v1/certificatesigningrequests'), {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name: 'x' },
    spec: { signerName: ODD, request: 'AAAA', usages: [ODD] },
  });
  await s.post(dry(CRDS), definition('odds', { scope: ODD, conversion: { strategy: ODD } }));
});

it('bytes of a patch that are no text are shown as bytes', async (s) => {
  await given(s, CONFIG_MAPS, configMap('x'));
  for (const bad of [[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xe2, 0x82]]) {
    const around = (before: string, after: string): Uint8Array =>
      Buffer.concat([Buffer.from(before), Buffer.from(bad), Buffer.from(after)]);
    const at = dry(`${CONFIG_MAPS}/x`);
    await s.call('PATCH', at, { raw: around('{"data":"', '"}'), type: MERGE });
    await s.call('PATCH', at, { raw: around('{"data":{"a":"', '"}}'), type: MERGE });
    await s.call('PATCH', at, { raw: around('{"data":"', '"}'), type: STRATEGIC });
    await s.call('PATCH', at, { raw: around('[{"op":"replace","path":"/data","value":"', '"}]'), type: JSON_PATCH });
    await s.call('PATCH', at, { raw: around('[{"op":"add","path":"/data/', '","value":1}]'), type: JSON_PATCH });
  }
});

it('an invalid address of a service is the only error reported', async (s) => {
  const ports = [{ name: 'a', port: 80 }];
  await given(s, SERVICES, { apiVersion: 'v1', kind: 'Service', metadata: { name: 'x' }, spec: { ports } });
  for (const spec of [{ clusterIP: 'q' }, { clusterIP: 'q', clusterIPs: ['q'] }, { clusterIP: 'q', clusterIPs: [] }])
    await s.merge(dry(`${SERVICES}/x`), { spec });
});

it('names that any object has are no resources', async (s) => {
  for (const name of ['constructor', '__proto__', 'toString']) {
    const max = JSON.parse(`{"cpu":"2","${name}":"2"}`) as Fields;
    const resources = { limits: { cpu: '2' }, requests: max };
    await s.post(dry(PODS), pod('x', {}, { containers: [{ name: 'c', image: 'i:1', resources }] }));
    await s.post(dry('/api/v1/namespaces/{ns}/limitranges'), {
      apiVersion: 'v1',
      kind: 'LimitRange',
      metadata: { name: 'x' },
      spec: { limits: [{ type: 'Container', max }] },
    });
  }
});

it('an operator without an operand is reported, and the rest is parsed too', async (s) => {
  const expressions = ['<', '&&', 'in', '1 + *', '(<)', '< <', '< < 1', '&& ||', '<&>', '!<', '- *', 'a[<]', 'f(<)'];
  for (const expression of expressions)
    await s.post(dry('/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies'), {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name: 'x' },
      spec: { validations: [{ expression }] },
    });
});

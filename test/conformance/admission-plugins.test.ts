import { PODS, given } from '../src/conformance/objects.js';
import { MERGE, type Session } from '../src/conformance/session.js';
import { suite } from '../src/conformance/suite.js';
import { untilStatus } from '../src/wait.js';

const it = suite('admission-plugins');
const RANGES = '/api/v1/namespaces/{ns}/limitranges';
const CLAIMS = '/api/v1/namespaces/{ns}/persistentvolumeclaims';
const PRIORITIES = '/apis/scheduling.k8s.io/v1/priorityclasses';
const RUNTIMES = '/apis/node.k8s.io/v1/runtimeclasses';
const DRY = `${PODS}?dryRun=All`;

type Lists = Readonly<Record<string, Readonly<Record<string, string>>>>;

const container = (name: string, resources?: Lists, rest: object = {}): object => ({
  name,
  image: 'i:1',
  ...(resources === undefined ? {} : { resources }),
  ...rest,
});

const pod = (name: string, spec: object): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { containers: [container('c')], ...spec },
});

/** One to a namespace: real servers may see a second one later. */
async function limited(s: Session, ...limits: readonly object[]): Promise<void> {
  await given(s, RANGES, { apiVersion: 'v1', kind: 'LimitRange', metadata: { name: 'l' }, spec: { limits } });
}

it('containers get the requests and limits they do not name', async (s) => {
  await limited(s, {
    type: 'Container',
    default: { cpu: '500m', memory: '1Gi', 'example.com/gpu': '1' },
    defaultRequest: { cpu: '0.1', 'example.com/gpu': '1' },
  });
  await s.get(`${RANGES}/l`);
  await s.post(PODS, pod('p', {}));
  const own = { limits: { cpu: '2' }, requests: { memory: '2Mi' } };
  await s.post(DRY, pod('q', { containers: [container('a', own), container('b')], initContainers: [container('i')] }));
  await s.post(DRY, {
    ...pod('r', {}),
    metadata: { name: 'r', annotations: { a: 'b', 'kubernetes.io/limit-ranger': 'mine' } },
  });
  await s.merge(`${PODS}/p`, { metadata: { labels: { a: 'b' } }, spec: { containers: null } });
});

it('containers keep within least and most', async (s) => {
  await limited(s, { type: 'Container', min: { cpu: '100m' }, max: { cpu: '1' } });
  const asking = (requests: string, limits: string): object =>
    pod('p', { containers: [container('c', { requests: { cpu: requests }, limits: { cpu: limits } })] });
  await s.post(DRY, asking('100m', '1'));
  await s.post(DRY, asking('99m', '1'));
  await s.post(DRY, asking('0.0999', '0.0999'));
  await s.post(DRY, asking('50m', '1500m'));
  await s.post(DRY, asking('200m', '1001m'));
  await s.post(DRY, asking('2', '1'));
  await s.post(
    DRY,
    pod('p', { containers: [container('c')], initContainers: [container('i', { limits: { cpu: '3' } })] }),
  );
  const same = { requests: { cpu: '2' }, limits: { cpu: '2' } };
  await s.post(DRY, pod('p', { containers: [container('a', same), container('b', same)] }));
});

it('the ratio of limit to request has an end', async (s) => {
  await limited(s, { type: 'Container', maxLimitRequestRatio: { memory: '1' } });
  const asking = (resources: Lists): object => pod('p', { containers: [container('c', resources)] });
  await s.post(DRY, asking({}));
  await s.post(DRY, asking({ requests: { memory: '1' } }));
  await s.post(DRY, asking({ requests: { memory: '0' }, limits: { memory: '1' } }));
  await s.post(DRY, asking({ requests: { memory: '128' }, limits: { memory: '128' } }));
  await s.post(DRY, asking({ requests: { memory: '128' }, limits: { memory: '129' } }));
  await s.post(DRY, asking({ requests: { memory: '3' }, limits: { memory: '10Gi' } }));
  await s.post(DRY, asking({ requests: { memory: '1' }, limits: { memory: '8Ei' } }));
});

it('pods keep within limits as a whole', async (s) => {
  await limited(s, {
    type: 'Pod',
    min: { memory: '10Mi' },
    max: { cpu: '2' },
    maxLimitRequestRatio: { memory: '1.5' },
  });
  const cpu = (limit: string): Lists => ({
    requests: { cpu: '100m', memory: '10Mi' },
    limits: { cpu: limit, memory: '12Mi' },
  });
  await s.post(DRY, pod('p', { containers: [container('a', cpu('1')), container('b', cpu('1'))] }));
  await s.post(DRY, pod('p', { containers: [container('a', cpu('1')), container('b', cpu('1001m'))] }));
  await s.post(DRY, pod('p', { containers: [container('a', cpu('1'))], initContainers: [container('i', cpu('3'))] }));
  await s.post(
    DRY,
    pod('p', {
      containers: [container('a', cpu('1'))],
      initContainers: [container('s', cpu('1'), { restartPolicy: 'Always' }), container('i', cpu('1500m'))],
    }),
  );
  await s.post(DRY, pod('p', { containers: [container('a', { limits: { cpu: '1', memory: '9Mi' } })] }));
  await s.post(
    DRY,
    pod('p', {
      containers: [container('a', { requests: { memory: '20Mi' }, limits: { cpu: '1', memory: '40Mi' } })],
    }),
  );
});

it('claims keep within limits, also when they change', async (s) => {
  await limited(s, { type: 'PersistentVolumeClaim', min: { storage: '1Gi' }, max: { storage: '10Gi' } });
  const claim = (storage: string): object => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'c' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
  });
  await s.post(CLAIMS, claim('1Mi'));
  await s.post(CLAIMS, claim('11Gi'));
  await s.post(CLAIMS, claim('1Gi'));
  await s.merge(`${CLAIMS}/c`, { metadata: { labels: { a: 'b' } } });
  await s.call('PATCH', `${RANGES}/l`, {
    body: { spec: { limits: [{ type: 'PersistentVolumeClaim', min: { storage: '2Gi' } }] } },
    type: MERGE,
  });
  await untilRefused(s, `${CLAIMS}/c`);
  await s.merge(`${CLAIMS}/c`, { metadata: { labels: { a: 'c' } } });
  await s.delete(`${CLAIMS}/c`);
  await s.merge(`${CLAIMS}/c`, { metadata: { labels: { a: 'd' } } });
  await s.merge(`${CLAIMS}/c`, { metadata: { finalizers: null } });
});

/** Real servers read limits from a cache of their own. */
async function untilRefused(s: Session, target: string): Promise<void> {
  let tries = 0;
  await untilStatus(403, () => {
    const body = { metadata: { labels: { try: String((tries += 1)) } } };
    return s.quiet('PATCH', `${target}?dryRun=All`, { body, type: MERGE });
  });
}

it('a pod gets the priority of its class', async (s) => {
  await s.get(`${PRIORITIES}/system-node-critical`);
  await s.get(`${PRIORITIES}/system-cluster-critical`);
  await s.post(DRY, pod('p', { priorityClassName: 'none-{ns}' }));
  await s.post(DRY, pod('p', { priorityClassName: 'system-node-critical' }));
  await s.post(DRY, pod('p', { priorityClassName: 'system-cluster-critical', priority: 2000000000 }));
  await s.post(DRY, pod('p', { priorityClassName: 'system-cluster-critical', priority: 7 }));
  await s.post(DRY, pod('p', { priorityClassName: 'system-cluster-critical', preemptionPolicy: 'Never' }));
  await s.post(DRY, pod('p', { priority: 3 }));
  await s.post(DRY, { ...pod('p', { priority: 3 }), metadata: { generateName: 'g-' } });
  await s.post(DRY, { ...pod('p', { priority: 3 }), metadata: {} });
  await s.post(DRY, pod('p', { priority: 0 }));
  await s.post(DRY, pod('p', { preemptionPolicy: 'Never' }));
});

it('a pod gets overhead, selector and tolerations from its RuntimeClass', async (s) => {
  const name = 'r-{ns}';
  const toleration = { key: 'a', operator: 'Equal', value: 'b', effect: 'NoSchedule' };
  await s.quiet('POST', RUNTIMES, {
    body: {
      apiVersion: 'node.k8s.io/v1',
      kind: 'RuntimeClass',
      metadata: { name },
      handler: 'h',
      overhead: { podFixed: { cpu: '250m', memory: '1Mi' } },
      scheduling: { nodeSelector: { k: 'v' }, tolerations: [toleration] },
    },
  });
  const dry = (spec: object): Promise<unknown> => s.post(DRY, pod('p', spec));
  await dry({ runtimeClassName: 'none' });
  await dry({ runtimeClassName: name });
  await dry({ runtimeClassName: name, overhead: { cpu: '0.25', memory: '1024Ki' } });
  await dry({ runtimeClassName: name, overhead: { cpu: '251m', memory: '1Mi' } });
  await dry({ runtimeClassName: name, overhead: { cpu: '250m' } });
  await dry({ runtimeClassName: name, overhead: {} });
  await dry({ runtimeClassName: name, nodeSelector: { k: 'w' } });
  await dry({ runtimeClassName: name, nodeSelector: { k: 'v', l: 'x' }, tolerations: [toleration] });
  await dry({ runtimeClassName: name, tolerations: [{ key: 'a', operator: 'Exists' }] });
  await dry({ runtimeClassName: name, tolerations: [{ operator: 'Exists' }] });
  await dry({ overhead: { cpu: '1' } });
  await s.quiet('DELETE', `${RUNTIMES}/${name}`);
});

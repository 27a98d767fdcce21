import { setTimeout as delay } from 'node:timers/promises';
import { CONFIG_MAPS, DEPLOYMENTS, configMap, deployment, given, pod, PODS } from '../src/conformance/objects.js';
import { JSON_PATCH, STRATEGIC, type Answer, type Session } from '../src/conformance/session.js';
import { suite } from '../src/conformance/suite.js';

const it = suite('apply');
const X = `${CONFIG_MAPS}/x`;
const D = `${DEPLOYMENTS}/d`;

/** A deployment that leaves its replicas to others. */
const template = (image: string, container: object = {}): object => ({
  metadata: { labels: { app: 'd' } },
  spec: { containers: [{ name: 'c', image, ...container }] },
});
const web = (spec: object = {}, image = 'i:1'): Record<string, unknown> =>
  deployment('d', { template: template(image), ...spec });

/** What a second of waiting changed of an object; a write that changes nothing must change nothing at all. */
function remarkSame(s: Session, title: string, before: Answer, after: Answer): void {
  s.remark(title, { same: before.text === after.text });
}

it('an apply creates what is not there and updates what is', async (s) => {
  await s.apply(X, 'one', configMap('x', { a: '1' }));
  await s.apply(X, 'one', configMap('x', { a: '2', b: '1' }));
  await s.get(X);
  await s.apply(D, 'one', web({ replicas: 2 }));
  await s.apply(`${PODS}/p`, 'one', pod('p'));
  await s.apply(`/api/v1/namespaces/made-{ns}`, 'one', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'made-{ns}', labels: { a: '1' } },
  });
});

it(
  'an apply that changes nothing changes neither versions nor times (trap 18)',
  async (s) => {
    const made = await s.apply(X, 'one', configMap('x', { a: '1' }));
    const web1 = await s.apply(D, 'one', web({ replicas: 2 }));
    await delay(1100);
    remarkSame(s, 'config map', made, await s.apply(X, 'one', configMap('x', { a: '1' })));
    remarkSame(s, 'forced', made, await s.apply(X, 'one', configMap('x', { a: '1' }), 'force=true'));
    remarkSame(s, 'deployment', web1, await s.apply(D, 'one', web({ replicas: 2 })));
    remarkSame(s, 'update', made, await s.merge(X, { data: { a: '1' } }));
    // Another manager of the same value is a change of managers alone.
    const shared = await s.apply(X, 'two', configMap('x', { a: '1' }));
    await delay(1100);
    remarkSame(s, 'shared', shared, await s.apply(X, 'two', configMap('x', { a: '1' })));
    remarkSame(s, 'shared, again by the first', shared, await s.apply(X, 'one', configMap('x', { a: '1' })));
    remarkSame(s, 'a put of what is there', shared, await s.put(X, shared.body));
  },
  { slow: true },
);

it(
  'a value that is not stored moves the time of its applier when that moves its place',
  async (s) => {
    const part = (spec: object, labels: object): object => ({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'd', labels },
      spec,
    });
    await given(s, DEPLOYMENTS, web());
    // Both must write within one second.
    await delay(1000 - (Date.now() % 1000));
    const first = await s.apply(D, 'one', part({ paused: false }, { a: '1' }));
    const second = await s.apply(D, 'two', part({}, { b: '1' }));
    await delay(1100);
    // The last of the list stays the last, so only its time would change, and does not.
    remarkSame(s, 'the one that is there', second, await s.apply(D, 'two', part({}, { b: '1' })));
    const again = await s.apply(D, 'one', part({ paused: false }, { a: '1' }));
    s.remark('the one that is not', {
      moved: again.object().metadata.resourceVersion !== second.object().metadata.resourceVersion,
      managers: (again.object().metadata.managedFields ?? []).map(({ manager }) => manager),
      before: (second.object().metadata.managedFields ?? []).map(({ manager }) => manager),
      first: first.status,
    });
    await delay(1100);
    remarkSame(s, 'once more', again, await s.apply(D, 'one', part({ paused: false }, { a: '1' })));
  },
  { slow: true },
);

it('a field of another applier is a conflict unless it gets the same value', async (s) => {
  await s.apply(X, 'one', configMap('x', { a: '1', b: '1', c: '1' }));
  await s.apply(X, 'two', configMap('x', { a: '2' }));
  await s.apply(X, 'two', configMap('x', { a: '2', b: '2', d: '2' }));
  await s.apply(X, 'two', configMap('x', { a: '1', d: '2' }));
  await s.apply(X, 'three', configMap('x', { a: '3', d: '3' }));
  await s.get(X);
});

it('a field of an updater is a conflict, and the text names its version and subresource', async (s) => {
  await s.post(CONFIG_MAPS, configMap('x', { a: '1', b: '1' }));
  await s.merge(`${X}?fieldManager=editor`, { data: { b: '2' } });
  await s.apply(X, 'one', configMap('x', { a: '9' }));
  await s.apply(X, 'one', configMap('x', { a: '9', b: '9' }));
  await s.apply(X, 'one', configMap('x', { b: '2' }));
  await s.post(DEPLOYMENTS, web({ replicas: 1 }));
  await s.merge(`${D}/scale?fieldManager=scaler`, { spec: { replicas: 5 } });
  await s.merge(`${D}/status?fieldManager=watcher`, { status: { observedGeneration: 1, replicas: 5 } });
  await s.apply(D, 'one', web({ replicas: 3 }, 'i:2'));
  await s.apply(`${D}/status`, 'one', {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'd' },
    status: { replicas: 7 },
  });
});

it('a forced apply takes over fields from all managers', async (s) => {
  await s.apply(X, 'one', configMap('x', { a: '1', b: '1' }));
  await s.apply(X, 'two', configMap('x', { a: '2' }), 'force=true');
  await s.apply(X, 'one', configMap('x', { b: '1' }));
  await s.merge(`${X}?fieldManager=editor`, { data: { a: '3' } });
  await s.apply(X, 'two', configMap('x', { a: '2', c: '2' }), 'force=true');
  await s.apply(X, 'two', configMap('x', { a: '5' }), 'force=false');
  await s.apply(X, 'three', configMap('x', { a: '2', b: '3' }), 'force=false');
});

it('a field that is no longer applied is removed when no other manager owns it', async (s) => {
  await s.apply(X, 'one', configMap('x', { a: '1', b: '1', c: '1' }));
  await s.apply(X, 'two', configMap('x', { b: '1' }));
  await s.merge(`${X}?fieldManager=editor`, { data: { d: '1' } });
  await s.apply(X, 'one', configMap('x', { c: '1' }));
  await s.apply(X, 'two', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } });
  await s.apply(X, 'one', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } });
  await s.apply(X, 'stranger', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } });
});

it('an updater owns what it changes, and nothing that it repeats', async (s) => {
  const made = (await s.apply(X, 'one', configMap('x', { a: '1', b: '1' }))).object();
  await s.put(`${X}?fieldManager=writer`, { ...made, data: { a: '1', b: '2', c: '3' } });
  await s.merge(`${X}?fieldManager=writer`, { data: { a: null, c: '4' } });
  await s.call('PATCH', `${X}?fieldManager=editor`, {
    body: [{ op: 'replace', path: '/data/b', value: '7' }],
    type: JSON_PATCH,
  });
  await s.call('PATCH', `${X}?fieldManager=editor`, { body: { metadata: { labels: { l: '1' } } }, type: STRATEGIC });
  await s.merge(`${X}?fieldManager=writer`, { data: null });
  await s.get(X);
});

it('an apply of the status and of the scale is of that part alone', async (s) => {
  await s.apply(D, 'one', web({ replicas: 2 }));
  const status = (fields: object): object => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'd', labels: { from: 'status' } },
    status: fields,
  });
  const condition = { type: 'Ready', status: 'True', lastUpdateTime: null, lastTransitionTime: null };
  await s.apply(`${D}/status`, 'two', { ...status({ observedGeneration: 1, replicas: 2 }) });
  await s.apply(`${D}/status`, 'two', { ...status({ conditions: [condition] }), spec: { replicas: 9 } });
  const scale = (replicas: number): object => ({
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name: 'd', namespace: '{ns}' },
    spec: { replicas },
  });
  await s.apply(`${D}/scale`, 'scaler', scale(4));
  await s.apply(`${D}/scale`, 'scaler', scale(4), 'force=true');
  await s.get(D);
  await s.apply(`${D}/scale`, 'scaler', scale(5));
  await s.apply(D, 'one', web({ replicas: 2 }));
  await s.apply(D, 'one', web());
  await s.apply(`${D}/scale`, 'scaler', { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd' } });
  await s.apply(`${DEPLOYMENTS}/none/status`, 'two', status({ replicas: 2 }));
  await s.apply(`${DEPLOYMENTS}/none/scale`, 'two', scale(2));
});

it('a dry run shows what would be', async (s) => {
  await s.apply(X, 'one', configMap('x', { a: '1' }), 'dryRun=All');
  await s.get(X);
  await s.apply(X, 'one', configMap('x', { a: '1' }));
  await s.apply(X, 'two', configMap('x', { a: '2' }), 'dryRun=All');
  await s.apply(X, 'two', configMap('x', { a: '2' }), 'dryRun=All&force=true');
  await s.apply(X, 'two', configMap('x', { b: '2' }), 'dryRun=All');
  await s.get(X);
});

it('fields that admission adds have no owner until they are changed', async (s) => {
  const CLAIMS = '/api/v1/namespaces/{ns}/persistentvolumeclaims';
  const claim = (name: string, metadata: object = {}): Record<string, unknown> => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name, ...metadata },
    spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'none', resources: { requests: { storage: '1Gi' } } },
  });
  await s.apply(`${CLAIMS}/a`, 'one', claim('a'));
  await s.apply(`${CLAIMS}/a`, 'one', claim('a', { labels: { l: '1' } }));
  await s.post(CLAIMS, claim('b'));
  await s.apply(`${CLAIMS}/b`, 'one', claim('b', { finalizers: ['example.com/hold'] }));
  await s.merge(`${CLAIMS}/b`, { metadata: { finalizers: ['example.com/hold'] } });
  await s.apply(`${PODS}/p`, 'one', pod('p', {}, { tolerations: [{ key: 'a', operator: 'Exists' }] }));
  await s.apply(`${PODS}/p`, 'two', pod('p', {}, { containers: [{ name: 'c', image: 'i:2' }] }), 'force=true');
});

it('a status in the object itself is not applied', async (s) => {
  await s.apply(D, 'one', { ...web(), status: { replicas: 3 } });
  await s.apply(`${PODS}/p`, 'one', { ...pod('p'), status: { phase: 'Running' } });
  await s.apply(`${PODS}/p`, 'one', { ...pod('p'), status: { phase: 'Running' } });
  await s.apply(`${PODS}/p/status`, 'kubelet', {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', labels: { from: 'status' } },
    spec: { nodeName: 'lost' },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }], podIPs: [{ ip: '192.0.2.1' }] },
  });
  await s.apply('/api/v1/namespaces/{ns}', 'one', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: '{ns}', labels: { a: '1' } },
    status: { phase: 'Terminating' },
  });
  await s.apply('/api/v1/namespaces/{ns}/status', 'two', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: '{ns}', labels: { b: '1' } },
    status: { conditions: [{ type: 'Odd', status: 'True', reason: 'r', message: 'm' }] },
  });
  await s.merge('/apis/apps/v1/namespaces/{ns}/deployments/d', { status: { replicas: 3 } });
});

it('an applied object is defaulted like any other, and its defaults have no owner', async (s) => {
  await s.apply(D, 'one', web());
  await s.apply('/api/v1/namespaces/{ns}/services/x', 'one', {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'x' },
    spec: { ports: [{ port: 80 }], selector: { a: '1' } },
  });
  await s.apply('/apis/batch/v1/namespaces/{ns}/jobs/j', 'one', {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'j' },
    spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } },
  });
  await s.apply('/apis/apps/v1/namespaces/{ns}/daemonsets/s', 'one', {
    ...deployment('s'),
    kind: 'DaemonSet',
  });
  await s.apply('/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles/r', 'one', {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    metadata: { name: 'r' },
    rules: [],
  });
});

const SCALERS = '/apis/autoscaling/v1/namespaces/{ns}/horizontalpodautoscalers';
const SECOND = '/apis/autoscaling/v2/namespaces/{ns}/horizontalpodautoscalers';
const scaler = (apiVersion: string, spec: object): object => ({
  apiVersion,
  kind: 'HorizontalPodAutoscaler',
  metadata: { name: 'h' },
  spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' }, maxReplicas: 5, ...spec },
});
const cpu = (averageUtilization: number): object => ({
  metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } } }],
});

it('two versions of a kind share their managers', async (s) => {
  await s.apply(`${SCALERS}/h`, 'one', scaler('autoscaling/v1', { targetCPUUtilizationPercentage: 70 }));
  await s.apply(`${SECOND}/h`, 'two', scaler('autoscaling/v2', cpu(70)));
  await s.apply(`${SECOND}/h`, 'two', scaler('autoscaling/v2', cpu(80)));
  await s.apply(`${SECOND}/h`, 'one', scaler('autoscaling/v2', { minReplicas: 2 }));
});

it('a field that the conversion fills in is not removed with the manager of its other form', async (s) => {
  await s.apply(`${SECOND}/h`, 'two', scaler('autoscaling/v2', cpu(70)));
  await s.apply(`${SCALERS}/h`, 'two', scaler('autoscaling/v1', { minReplicas: 2 }));
});

it('an object that is being deleted may still be applied', async (s) => {
  await s.apply(X, 'one', configMap('x', { a: '1' }, { finalizers: ['example.com/hold'] }));
  await s.delete(X);
  await s.apply(X, 'one', configMap('x', { a: '2' }, { finalizers: ['example.com/hold', 'example.com/more'] }));
  await s.apply(X, 'one', configMap('x', { a: '2' }));
  await s.apply(X, 'one', configMap('x', { a: '2' }));
});

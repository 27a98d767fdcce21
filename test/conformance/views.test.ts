import { expect } from 'vitest';
import { CONFIG_MAPS, configMap, given, versionOf } from '../src/conformance/objects.js';
import { METADATA, MERGE, TABLE } from '../src/conformance/session.js';
import { suite } from '../src/conformance/suite.js';

const it = suite('views');

const scaler = (version: string): string => `/apis/autoscaling/${version}/namespaces/{ns}/horizontalpodautoscalers`;
const spec = { maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' } };

it('metrics an older view cannot show are kept in an annotation', async (s) => {
  const made = await s.post(scaler('v1'), {
    apiVersion: 'autoscaling/v1',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'a', finalizers: ['example.com/hold'] },
    spec: { ...spec, targetCPUUtilizationPercentage: 50 },
  });
  const watches = await Promise.all(
    ['v1', 'v2'].map((version) => s.watch(`${scaler(version)}?watch=true&resourceVersion=${versionOf(made)}`)),
  );
  await s.get(`${scaler('v2')}/a`);
  await s.merge(`${scaler('v2')}/a`, {
    spec: {
      metrics: [
        { type: 'Resource', resource: { name: 'memory', target: { type: 'Utilization', averageUtilization: 70 } } },
      ],
    },
  });
  await s.get(`${scaler('v1')}/a`);
  await s.merge(`${scaler('v1')}/a`, { spec: { maxReplicas: 5 } });
  await s.get(`${scaler('v2')}/a`);
  await s.delete(`${scaler('v1')}/a`);
  await s.merge(`${scaler('v2')}/a`, { metadata: { finalizers: null } });
  for (const watch of watches) {
    await watch.until(4);
    s.note('events', watch);
  }
});

it('every answer has the requested version, also of deletions and watch events (trap 10)', async (s) => {
  const made = await s.post(scaler('v1'), {
    apiVersion: 'autoscaling/v1',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'a', finalizers: ['example.com/hold'] },
    spec: { ...spec, targetCPUUtilizationPercentage: 50 },
  });
  const watches = await Promise.all(
    ['v1', 'v2'].map((version) => s.watch(`${scaler(version)}?watch=true&resourceVersion=${versionOf(made)}`)),
  );
  await s.get(`${scaler('v2')}/a`);
  await s.merge(`${scaler('v2')}/a`, { spec: { maxReplicas: 4 } });
  await s.merge(`${scaler('v1')}/a`, { spec: { maxReplicas: 5, targetCPUUtilizationPercentage: 60 } });
  await s.delete(`${scaler('v1')}/a`);
  await s.merge(`${scaler('v2')}/a`, { metadata: { finalizers: null } });
  for (const watch of watches) {
    await watch.until(4);
    s.note('events', watch);
  }
});

it('metrics of every kind survive the older view', async (s) => {
  const selector = { matchLabels: { a: 'b' } };
  const metrics = [
    { type: 'Pods', pods: { metric: { name: 'p', selector }, target: { type: 'AverageValue', averageValue: '10' } } },
    {
      type: 'Object',
      object: {
        describedObject: { kind: 'Service', name: 's', apiVersion: 'v1' },
        metric: { name: 'o' },
        target: { type: 'Value', value: '5' },
      },
    },
    {
      type: 'External',
      external: { metric: { name: 'e', selector }, target: { type: 'AverageValue', averageValue: '7' } },
    },
    { type: 'Resource', resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '1Gi' } } },
    {
      type: 'ContainerResource',
      containerResource: { name: 'cpu', container: 'c', target: { type: 'Utilization', averageUtilization: 60 } },
    },
  ];
  await given(s, scaler('v2'), {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'a' },
    spec: { ...spec, metrics },
  });
  const seen = await s.get(`${scaler('v1')}/a`);
  await s.put(`${scaler('v1')}/a`, {
    ...seen.object(),
    spec: { ...(seen.object()['spec'] as object), maxReplicas: 4 },
  });
  await s.get(`${scaler('v2')}/a`);
});

it('lists and tables of either version hold the objects of both', async (s) => {
  await given(s, scaler('v1'), {
    apiVersion: 'autoscaling/v1',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'one' },
    spec,
  });
  await given(s, scaler('v2'), {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'two' },
    spec,
  });
  await s.get(scaler('v1'));
  await s.get(scaler('v2'));
  await s.get(`${scaler('v1')}?includeObject=None`, { accept: TABLE });
  await s.get(`${scaler('v1')}/two`, { accept: METADATA });
});

it('services get addresses of their own', async (s) => {
  const services = '/api/v1/namespaces/{ns}/services';
  const service = (name: string, fields: object): Record<string, unknown> => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name },
    spec: { ports: [{ port: 80 }], ...fields },
  });
  const first = await s.post(services, service('first', {}));
  const { clusterIP } = first.object()['spec'] as { clusterIP: string };
  const clash = await s.quiet('POST', services, { body: service('second', { clusterIP }) });
  s.remark('clash', clash.body);
  await s.post(services, service('headless', { clusterIP: 'None' }));
  await s.post(services, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'external' },
    spec: { type: 'ExternalName', externalName: 'example.com' },
  });
  await s.post(services, service('balanced', { type: 'LoadBalancer', externalTrafficPolicy: 'Local' }));
  await s.merge(`${services}/first`, { spec: { type: 'NodePort' } });
  await s.merge(`${services}/first`, { spec: { type: 'ClusterIP' } });
  await s.merge(`${services}/first`, { spec: { clusterIP: '10.0.0.77' } });
  await s.post(services, service('bad', { ports: [] }));
  await s.post(services, service('Bad_Name', {}));
  await s.post(services, service('ports', { ports: [{ port: 80 }, { port: 81 }] }));
  await s.delete(`${services}/first`);
  const again = await s.quiet('POST', services, { body: service('again', { clusterIP }) });
  expect(again.status).toBe(201);
});

it('an address outside the range of services is refused', async (s) => {
  await s.post('/api/v1/namespaces/{ns}/services', {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'outside' },
    spec: { ports: [{ port: 80 }], clusterIP: '192.168.7.7' },
  });
});

it('json patches of more than ten thousand operations are too large', async (s) => {
  await given(s, CONFIG_MAPS, configMap('a'));
  const body = Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/data/a', value: '1' }));
  await s.call('PATCH', `${CONFIG_MAPS}/a`, { body, type: 'application/json-patch+json' });
  await s.call('PATCH', `${CONFIG_MAPS}/a`, { body: body.slice(1), type: 'application/json-patch+json' });
});

it('changing a returned object does not change the stored one (trap 16)', async (s) => {
  await given(s, CONFIG_MAPS, configMap('a', { x: '1' }));
  const read = (await s.quiet('GET', `${CONFIG_MAPS}/a`)).object() as unknown as { data: Record<string, string> };
  read.data['x'] = 'changed';
  const body = { data: { y: '2' } };
  await s.quiet('PATCH', `${CONFIG_MAPS}/a`, { body, type: MERGE });
  body.data.y = 'changed';
  await s.get(`${CONFIG_MAPS}/a`);
});

it('times are whole seconds, or six decimals where the field has them (trap 20)', async (s) => {
  const leases = '/apis/coordination.k8s.io/v1/namespaces/{ns}/leases';
  for (const renewTime of [
    '2020-01-02T03:04:05Z',
    '2020-01-02T03:04:05.1Z',
    '2020-01-02T03:04:05.123456789Z',
    '2020-01-02T05:04:05.5+02:00',
    '2020-01-02',
    'soon',
    null,
    '',
  ]) {
    await s.post(`${leases}?dryRun=All`, {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'l' },
      spec: { renewTime },
    });
  }
  const events = '/api/v1/namespaces/{ns}/events';
  for (const lastTimestamp of ['2020-01-02T05:04:05+02:00', '2020-01-02T03:04:05.999Z', '2020-01-02 03:04:05']) {
    await s.post(`${events}?dryRun=All`, {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'e' },
      involvedObject: { namespace: '{ns}' },
      lastTimestamp,
    });
  }
});

it('quantities are written in their canonical form', async (s) => {
  const quotas = '/api/v1/namespaces/{ns}/resourcequotas';
  for (const memory of [
    '1024Mi',
    '1.5Gi',
    '1e3',
    '1000',
    '0.5',
    '100m',
    '1Ki',
    '1024',
    '12E',
    '0',
    '+5',
    '1_000',
    '5Q',
    '',
    '1.0001k',
  ]) {
    await s.post(`${quotas}?dryRun=All`, {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'q' },
      spec: { hard: { memory } },
    });
  }
});

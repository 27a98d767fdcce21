import { CONFIG_MAPS, DEPLOYMENTS, configMap, deployment, given } from '../src/conformance/objects.js';
import type { Answer } from '../src/conformance/session.js';
import { suite } from '../src/conformance/suite.js';

const it = suite('apply-managers');
const X = `${CONFIG_MAPS}/x`;
const D = `${DEPLOYMENTS}/d`;

it('managers are identified by name, operation, version and subresource', async (s) => {
  await s.post(`${DEPLOYMENTS}?fieldManager=one`, deployment('d', { replicas: 1 }));
  await s.merge(`${D}/status?fieldManager=one`, { status: { observedGeneration: 1 } });
  await s.merge(`${D}/scale?fieldManager=one`, { spec: { replicas: 2 } });
  await s.apply(D, 'one', deployment('d', { replicas: 2 }));
  await s.merge(`${D}?fieldManager=${'m'.repeat(128)}`, { metadata: { labels: { a: '1' } } });
  await s.merge(`${D}?fieldManager=with%20space`, { metadata: { labels: { b: '1' } } });
  await s.merge(D, { metadata: { labels: { c: '1' } } }, { headers: { 'user-agent': 'prog (linux/amd64) more' } });
  await s.merge(D, { metadata: { labels: { d: '1' } } }, { headers: { 'user-agent': `${'u'.repeat(200)}/1` } });
  await s.merge(D, { metadata: { labels: { e: '1' } } }, { headers: { 'user-agent': '/1.0' } });
});

it('fields from before the first apply belong to before-first-apply', async (s) => {
  await given(s, CONFIG_MAPS, configMap('x', { a: '1', b: '1' }, { labels: { l: '1' } }));
  await s.merge(X, { metadata: { managedFields: [{}] } });
  await s.apply(X, 'one', configMap('x', { a: '1', b: '2' }));
  await s.apply(X, 'one', configMap('x', { a: '1' }));
  await s.apply(X, 'one', configMap('x', {}));
});

it('the managers are forgotten when the list is emptied, and kept when it is merely left out', async (s) => {
  const made = (await s.apply(X, 'one', configMap('x', { a: '1' }))).object();
  await s.put(X, configMap('x', { a: '1' }));
  await s.merge(X, { metadata: { managedFields: null } });
  await s.merge(X, { metadata: { managedFields: [] } });
  await s.merge(X, { data: { b: '1' } });
  await s.apply(X, 'one', configMap('x', { a: '1' }));
  await s.put(X, configMap('x', { a: '1' }, { managedFields: [{}] }));
  await s.put(X, configMap('x', { a: '2' }, { managedFields: [] }));
  await s.apply(X, 'one', configMap('x', { a: '2' }));
  await s.put(X, { ...made, metadata: { name: 'x', managedFields: made.metadata.managedFields } });
});

it('a client may write the list itself, as long as it can be read', async (s) => {
  const entry = {
    manager: 'hand',
    operation: 'Update',
    apiVersion: 'v1',
    time: '2001-01-01T00:00:00Z',
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:data': { 'f:a': {} } },
  };
  const put = (...managedFields: object[]): Promise<Answer> => s.put(X, configMap('x', { a: '1' }, { managedFields }));
  await s.post(CONFIG_MAPS, configMap('x', { a: '1' }, { managedFields: [entry] }));
  await put(entry);
  await put(entry, { ...entry, manager: 'foot', operation: 'Apply' });
  await put({ ...entry, operation: 'Steal' });
  await put({ ...entry, apiVersion: '' });
  await put({ ...entry, fieldsType: 'FieldsV2' });
  await put({ ...entry, fieldsV1: { 'q:data': {} } });
  await put({ ...entry, fieldsV1: { 'k:data': {} } });
  await put({ ...entry, apiVersion: 'v9' });
  await s.apply(X, 'one', configMap('x', { a: '1' }));
});

it('a manager in the list has a name of 128 bytes at the most', async (s) => {
  await given(s, CONFIG_MAPS, configMap('x'));
  const entry = {
    manager: 'm'.repeat(200),
    operation: 'Update',
    apiVersion: 'v1',
    fieldsType: 'FieldsV1',
    fieldsV1: {},
  };
  await s.put(X, configMap('x', { a: '1' }, { managedFields: [{ ...entry, fieldsV1: { 'f:data': {} } }] }));
});

it('the oldest updaters are gathered under one name beyond ten', async (s) => {
  const keys = Array.from({ length: 13 }, (_each, at) => `k${String(at).padStart(2, '0')}`);
  const data = Object.fromEntries(keys.map((key) => [key, '1']));
  const entry = (key: string, at: number, fields: object = {}): object => ({
    manager: `manager-${key}`,
    operation: 'Update',
    apiVersion: 'v1',
    time: `2001-01-01T00:00:${String(at).padStart(2, '0')}Z`,
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:data': { [`f:${key}`]: {} } },
    ...fields,
  });
  await given(s, CONFIG_MAPS, configMap('x', data));
  const put = (...managedFields: object[]): Promise<Answer> => s.put(X, configMap('x', data, { managedFields }));
  // The older ones come first whatever their names are; appliers do not count.
  await put(...keys.slice(0, 10).map((key, at) => entry(key, 50 - at)), entry('k10', 1, { operation: 'Apply' }));
  await s.merge(`${X}?fieldManager=eleventh`, { data: { more: '1' } });
  await s.merge(`${X}?fieldManager=twelfth`, { data: { still: '1' } });
  await put(...keys.map((key, at) => entry(key, at)));
  await put(...keys.map((key, at) => entry(key, at, at % 2 === 0 ? {} : { apiVersion: 'v0' })));
  await s.apply(X, 'one', configMap('x', { k00: '2', k12: '2' }));
});

it('fields of client-side apply are migrated for kubectl alone', async (s) => {
  const last = JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { annotations: {}, name: 'x', namespace: s.ns },
    data: { a: '1', b: '1' },
  });
  const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': last };
  await s.post(
    `${CONFIG_MAPS}?fieldManager=kubectl-client-side-apply`,
    configMap('x', { a: '1', b: '1', c: '1' }, { annotations }),
  );
  await s.apply(X, 'other', configMap('x', { a: '2' }));
  await s.apply(X, 'kubectl', configMap('x', { a: '2' }));
  await s.apply(X, 'kubectl', configMap('x', { a: '2', c: '2' }));
  await s.apply(X, 'kubectl', configMap('x', { a: '3', b: '3' }, { annotations }));
  await s.apply(X, 'kubectl', configMap('x', { a: '3' }, { annotations }));
});

it('objects that the server created have the server as their manager', async (s) => {
  for (const target of ['/api/v1/namespaces/default', '/api/v1/namespaces/kube-system']) {
    const { metadata } = (await s.quiet('GET', target)).object();
    const entries = (metadata.managedFields ?? []).map(({ time: _time, ...entry }) => entry);
    s.remark(target, { managers: entries });
  }
});

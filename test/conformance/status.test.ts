import { JSON_PATCH, STRATEGIC } from '../src/conformance/session.js';
import {
  CONFIG_MAPS,
  DEPLOYMENTS,
  LEASES,
  configMap,
  deployment,
  given,
  pod,
  PODS,
} from '../src/conformance/objects.js';
import { suite } from '../src/conformance/suite.js';

const it = suite('status');

it('an object that is not there is NotFound whatever the verb', async (s) => {
  await s.get(`${CONFIG_MAPS}/none`);
  await s.put(`${CONFIG_MAPS}/none`, configMap('none'));
  await s.merge(`${CONFIG_MAPS}/none`, { data: {} });
  await s.delete(`${CONFIG_MAPS}/none`);
  await s.get(`${DEPLOYMENTS}/none`);
  await s.get(`${DEPLOYMENTS}/none/scale`);
  await s.get(`${DEPLOYMENTS}/none/status`);
  await s.get(`${LEASES}/none`);
});

it('a create with the name of another object is AlreadyExists', async (s) => {
  await given(s, CONFIG_MAPS, configMap('taken'));
  await s.post(CONFIG_MAPS, configMap('taken'));
  await given(s, DEPLOYMENTS, deployment('taken'));
  await s.post(DEPLOYMENTS, deployment('taken'));
});

it('a create whose name belongs to an object being deleted is refused with that reason', async (s) => {
  await given(s, CONFIG_MAPS, configMap('going', {}, { finalizers: ['example.com/hold'] }));
  await s.quiet('DELETE', `${CONFIG_MAPS}/going`);
  await s.post(CONFIG_MAPS, configMap('going'));
});

it('a stale version is a Conflict on put and on every kind of patch', async (s) => {
  const stale = (await given(s, CONFIG_MAPS, configMap('x'))).object();
  await s.quiet('PUT', `${CONFIG_MAPS}/x`, { body: { ...stale, data: { a: '2' } } });
  const { resourceVersion } = stale.metadata;
  await s.put(`${CONFIG_MAPS}/x`, stale);
  await s.merge(`${CONFIG_MAPS}/x`, { metadata: { resourceVersion }, data: { a: '3' } });
  await s.merge(`${CONFIG_MAPS}/x`, { metadata: { resourceVersion }, data: { a: '3' } }, { type: STRATEGIC });
  const operations = [{ op: 'replace', path: '/metadata/resourceVersion', value: resourceVersion }];
  await s.call('PATCH', `${CONFIG_MAPS}/x`, { body: operations, type: JSON_PATCH });
  await s.put(`${CONFIG_MAPS}/x`, { ...stale, metadata: { ...stale.metadata, resourceVersion: 'abc' } });
  await s.put(`${CONFIG_MAPS}/x`, { ...stale, metadata: { ...stale.metadata, resourceVersion: '99999999' } });
});

it('a put with another uid is a Conflict', async (s) => {
  await given(s, CONFIG_MAPS, configMap('x'));
  await s.put(`${CONFIG_MAPS}/x`, configMap('x', {}, { uid: 'another' }));
  await s.merge(`${CONFIG_MAPS}/x`, { metadata: { uid: 'another' } });
  await given(s, DEPLOYMENTS, deployment('x'));
  const other = deployment('x');
  await s.put(`${DEPLOYMENTS}/x`, { ...other, metadata: { name: 'x', uid: 'another' } });
});

it('delete preconditions that fail are a Conflict', async (s) => {
  await given(s, CONFIG_MAPS, configMap('x'));
  await s.delete(`${CONFIG_MAPS}/x`, { preconditions: { uid: 'another' } });
  await s.delete(`${CONFIG_MAPS}/x`, { preconditions: { resourceVersion: '1' } });
  await given(s, DEPLOYMENTS, deployment('x'));
  await s.delete(`${DEPLOYMENTS}/x`, { preconditions: { uid: 'another' } });
  const { uid, resourceVersion } = (await s.quiet('GET', `${CONFIG_MAPS}/x`)).object().metadata;
  await s.delete(`${CONFIG_MAPS}/x`, { preconditions: { uid, resourceVersion } });
});

it('validation errors name every field', async (s) => {
  await s.post(CONFIG_MAPS, configMap('Not A Name'));
  await s.post(CONFIG_MAPS, configMap('x', { 'bad key!': '1' }));
  await s.post(CONFIG_MAPS, configMap('x', {}, { labels: { ok: 'not ok!' }, annotations: { 'a b': '' } }));
  await s.post(CONFIG_MAPS, { ...configMap('x', { a: '1' }), binaryData: { a: 'AAAA' } });
  await s.post(CONFIG_MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata: {} });
  await s.post(CONFIG_MAPS, configMap('x', {}, { finalizers: ['nodomain', 'a/b/c'] }));
  await s.post(PODS, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: {} });
  await s.post(PODS, pod('p', {}, { containers: [{ name: 'A_', image: '' }], restartPolicy: 'Sometimes' }));
  await s.post(DEPLOYMENTS, { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd' } });
  await s.post(DEPLOYMENTS, deployment('d', { replicas: -1, selector: { matchLabels: { other: 'label' } } }));
});

it('owner references are checked', async (s) => {
  const owners = (...ownerReferences: object[]): object => configMap('x', {}, { ownerReferences });
  await s.post(CONFIG_MAPS, owners({}));
  await s.post(CONFIG_MAPS, owners({ apiVersion: 'v1', kind: 'Event', name: 'a', uid: 'u' }));
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: 'u', controller: true };
  await s.post(CONFIG_MAPS, owners(owner, { ...owner, uid: 'v', name: 'b' }));
  await s.post(`${CONFIG_MAPS}?dryRun=All`, owners(owner, owner));
});

it('metadata may not be changed where it is fixed', async (s) => {
  const made = (await given(s, CONFIG_MAPS, configMap('x'))).object();
  await s.merge(`${CONFIG_MAPS}/x`, { metadata: { name: 'y' } });
  await s.merge(`${CONFIG_MAPS}/x`, { metadata: { namespace: 'default' } });
  await s.merge(`${CONFIG_MAPS}/x`, { metadata: { creationTimestamp: '2001-01-01T00:00:00Z' } });
  await s.merge(`${CONFIG_MAPS}/x`, { metadata: { deletionTimestamp: '2001-01-01T00:00:00Z' } });
  await s.merge(`${CONFIG_MAPS}/x`, { metadata: { generation: 7, selfLink: '/x' } });
  await s.put(`${CONFIG_MAPS}/x`, { ...made, metadata: { name: 'x' } });
  await s.put(`${CONFIG_MAPS}/x`, { ...made, metadata: {} });
});

it('kinds without unconditional updates want a version', async (s) => {
  await given(s, LEASES, { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'l' } });
  await s.put(`${LEASES}/l`, { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'l' } });
  const budgets = '/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets';
  const budget = {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'b' },
    spec: { minAvailable: 1 },
  };
  await given(s, budgets, budget);
  await s.put(`${budgets}/b`, budget);
});

it('kind, version, name and namespace of the body must be those of the URL', async (s) => {
  await s.post(CONFIG_MAPS, { ...configMap('x'), apiVersion: 'v2' });
  await s.post(CONFIG_MAPS, { ...configMap('x'), kind: 'Pod' });
  await s.post(CONFIG_MAPS, { ...configMap('x'), kind: 'Nothing' });
  await s.post(CONFIG_MAPS, { ...configMap('x'), apiVersion: 'apps/v1' });
  await s.post(CONFIG_MAPS, configMap('x', {}, { namespace: 'elsewhere' }));
  await given(s, CONFIG_MAPS, configMap('x'));
  await s.put(`${CONFIG_MAPS}/x`, configMap('y'));
  await s.put(`${CONFIG_MAPS}/x`, configMap('x', {}, { namespace: 'elsewhere' }));
  await s.put(`${CONFIG_MAPS}/x`, { ...configMap('x'), kind: 'Pod' });
  await s.post(CONFIG_MAPS, { metadata: { name: 'untyped' }, data: { a: '1' } });
});

it('versions that are no longer served are still distinguished from unknown ones', async (s) => {
  await s.post(DEPLOYMENTS, { ...deployment('x'), apiVersion: 'apps/v1beta1' });
  await s.post(DEPLOYMENTS, { ...deployment('x'), apiVersion: 'extensions/v1beta1' });
  await s.post(DEPLOYMENTS, { ...deployment('x'), apiVersion: 'apps/v1beta1', kind: 'StatefulSet' });
  await s.post(DEPLOYMENTS, { ...deployment('x'), apiVersion: 'apps/v1beta3' });
  await s.post('/api/v1/namespaces/{ns}/events', { apiVersion: 'events.k8s.io/v1', kind: 'Event' });
  await s.post('/apis/autoscaling/v1/namespaces/{ns}/horizontalpodautoscalers', {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
  });
});

it('a version on create is refused with a bare 500', async (s) => {
  await s.post(CONFIG_MAPS, configMap('x', {}, { resourceVersion: '5' }));
  await s.post(CONFIG_MAPS, configMap('y', {}, { resourceVersion: '0' }));
});

it('a namespace that is not there is NotFound on create and empty on list', async (s) => {
  await s.post('/api/v1/namespaces/no-such-{ns}/configmaps', configMap('x'));
  await s.get('/api/v1/namespaces/no-such-{ns}/configmaps');
  await s.get('/api/v1/namespaces/no-such-{ns}/configmaps/x');
  await s.delete('/api/v1/namespaces/no-such-{ns}/configmaps');
});

it('a terminating namespace refuses new objects (trap 12)', async (s) => {
  await given(s, CONFIG_MAPS, configMap('old'));
  await s.delete('/api/v1/namespaces/{ns}');
  await s.post(CONFIG_MAPS, configMap('new'));
  await s.merge(`${CONFIG_MAPS}/old`, { data: { still: 'writable' } });
  await s.get('/api/v1/namespaces/{ns}');
});

it('bad selectors are BadRequest', async (s) => {
  await s.get(`${CONFIG_MAPS}?fieldSelector=data.a%3D1`);
  await s.get(`${PODS}?fieldSelector=spec.nothing%3D1`);
  await s.get(`${PODS}?fieldSelector=metadata.name`);
  await s.get(`${PODS}?fieldSelector=metadata.name%3D%5Cq`);
  await s.get(`${PODS}?labelSelector=a%20b%20c`);
  await s.get(`${PODS}?labelSelector=a%20in%20(`);
  await s.get(`${PODS}?labelSelector=%3D%3D`);
  await s.get(`${PODS}?labelSelector=a%3Dnot%20ok!`);
  await s.get(`${PODS}?labelSelector=-bad-%3D1`);
  await s.get(`${PODS}?labelSelector=x%3Eabc`);
  await s.delete(`${CONFIG_MAPS}?labelSelector=!!`);
});

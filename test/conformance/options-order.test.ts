import { CONFIG_MAPS, PODS, configMap, given, pod } from '../src/conformance/objects.js';
import { APPLY, MERGE, METADATA, METADATA_LIST, TABLE } from '../src/conformance/session.js';
import { suite } from '../src/conformance/suite.js';

const it = suite('options-order');

const JOBS = '/apis/batch/v1/namespaces/{ns}/jobs';
const job = (name: string): Record<string, unknown> => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name },
  spec: { template: { spec: { containers: [{ name: 'c', image: 'i' }], restartPolicy: 'Never' } } },
});

it('options that cannot be read are reported before those that do not go together', async (s) => {
  await s.get(`${CONFIG_MAPS}?labelSelector=%2C&sendInitialEvents=true`);
  await s.get(`${CONFIG_MAPS}?fieldSelector=metadata.name&resourceVersionMatch=bogus`);
  await s.get(`${CONFIG_MAPS}?limit=x&timeoutSeconds=y&sendInitialEvents=true`);
  await s.get(`${CONFIG_MAPS}?fieldSelector=foo%3Dbar&resourceVersionMatch=bogus`);
  await s.delete(`${CONFIG_MAPS}?labelSelector=a+in+(1&dryRun=x`);
  await s.delete(`${CONFIG_MAPS}?resourceVersion=1.5`);
  await s.delete(`${CONFIG_MAPS}?resourceVersion=1.5&dryRun=x`);
  await s.merge(`${CONFIG_MAPS}/a?force=true&dryRun=x`, {});
  await s.call('PATCH', `${CONFIG_MAPS}/a?dryRun=x&fieldValidation=y`, { body: {}, type: APPLY });
  await s.call('PATCH', `${CONFIG_MAPS}/a?force=true`, { body: {}, type: 'application/foo+json' });
});

it('empty values of delete options are values', async (s) => {
  await given(s, CONFIG_MAPS, configMap('a'));
  await s.delete(`${CONFIG_MAPS}/a?gracePeriodSeconds=`);
  await s.delete(`${CONFIG_MAPS}/a?propagationPolicy=`);
  await s.delete(`${CONFIG_MAPS}/a?propagationPolicy=&orphanDependents=true`);
  await s.delete(`${CONFIG_MAPS}/a?propagationPolicy=Orphan&orphanDependents=true`);
  await s.delete(`${CONFIG_MAPS}/a?dryRun=`);
  await s.get(`${CONFIG_MAPS}/a`);
});

it('a form that an answer does not have is refused when there is an answer', async (s) => {
  await s.get(`${CONFIG_MAPS}/a`, { accept: METADATA_LIST });
  await s.get(`${CONFIG_MAPS}?limit=x`, { accept: METADATA });
  await s.get(`${CONFIG_MAPS}?limit=x&includeObject=y`, { accept: TABLE });
  await s.get(`${CONFIG_MAPS}?includeObject=y`, { accept: TABLE });
  await s.post(CONFIG_MAPS, configMap('a'), { accept: METADATA_LIST });
  await s.get(`${CONFIG_MAPS}/a`);
  await s.merge(`${CONFIG_MAPS}/a`, { data: { a: '2' } }, { accept: METADATA_LIST });
  await s.get(`${CONFIG_MAPS}/a`);
  await s.delete(`${CONFIG_MAPS}/a`, undefined, { accept: METADATA_LIST });
  await s.get(`${CONFIG_MAPS}/a`);
});

it('jobs that are deleted together warn of what they leave, and know their own fields', async (s) => {
  await given(s, JOBS, job('a'));
  await s.delete(`${JOBS}?labelSelector=none`);
  await s.delete(`${JOBS}?resourceVersion=x`);
  await s.get(`${JOBS}?fieldSelector=foo%3Dbar`);
  const { status } = await s.quiet('DELETE', `${JOBS}?propagationPolicy=Background`);
  s.remark('all of them', status);
});

it('a pod may be replaced by the manifest it was created from', async (s) => {
  await s.post(PODS, pod('a'));
  await s.put(`${PODS}/a`, pod('a', { labels: { more: 'yes' } }));
});

it('a selector of nothing selects everything, and version 00 is no version', async (s) => {
  for (const name of ['a', 'b', 'c']) await given(s, CONFIG_MAPS, configMap(name));
  await s.get(`${CONFIG_MAPS}?limit=1&fieldSelector=%3D`);
  await s.get(`${CONFIG_MAPS}?resourceVersion=00&resourceVersionMatch=Exact&limit=1`);
});

it('a dry run does not get as far as the store', async (s) => {
  await s.post(`${CONFIG_MAPS}?dryRun=All`, configMap('a', {}, { resourceVersion: '5' }));
  await given(s, CONFIG_MAPS, configMap('b'));
  await s.put(`${CONFIG_MAPS}/b`, configMap('b', {}, { uid: 'other' }));
  await s.put(`${CONFIG_MAPS}/b?dryRun=All`, configMap('b', {}, { uid: 'other' }));
  const services = '/api/v1/namespaces/{ns}/services';
  const service = (metadata: object): Record<string, unknown> => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'a', ...metadata },
    spec: { clusterIP: 'None', ports: [{ port: 80 }] },
  });
  await given(s, services, service({}));
  await s.put(`${services}/a`, service({ uid: 'other' }));
});

it('a later propagation policy changes the finalizers of a terminating pod', async (s) => {
  await given(s, PODS, pod('a', { finalizers: ['example.com/hold'] }));
  await s.delete(`${PODS}/a`, { propagationPolicy: 'Orphan' });
  await s.delete(`${PODS}/a`, { propagationPolicy: 'Foreground' });
  await s.delete(`${PODS}/a`, { propagationPolicy: 'Background' });
  await given(s, PODS, pod('b', { finalizers: ['example.com/hold'] }, { nodeName: 'n' }));
  await s.delete(`${PODS}/b`, { propagationPolicy: 'Orphan' });
  await s.delete(`${PODS}/b`, { propagationPolicy: 'Foreground' });
  await s.delete(`${PODS}/b`, { propagationPolicy: 'Foreground', gracePeriodSeconds: 5 });
});

it('the type of a patch is checked before the media type of its answer', async (s) => {
  await given(s, PODS, pod('p'));
  for (const path of [`${PODS}/p`, `${PODS}/p/status`, `${PODS}/none`]) {
    for (const type of ['application/json', 'text/plain', MERGE])
      for (const accept of ['text/plain', TABLE, 'application/*'])
        await s.call('PATCH', `${path}?dryRun=x`, { raw: '{}', type, accept });
  }
});

it('what has no table is refused as one before it is read', async (s) => {
  await given(s, PODS, pod('p'));
  const raw = '{"spec":1}';
  const post = ['binding', 'eviction'];
  for (const part of ['resize', 'ephemeralcontainers', 'status'])
    await s.call('PUT', `${PODS}/p/${part}`, { raw, accept: TABLE });
  for (const part of post) await s.call('POST', `${PODS}/p/${part}`, { raw, accept: TABLE });
  for (const accept of [TABLE, 'text/plain', 'text/html', 'application/json', '*/*'])
    await s.get(`${PODS}/p/log`, { accept });
  await s.call('PUT', '/api/v1/namespaces/{ns}/finalize', { raw, accept: TABLE });
});

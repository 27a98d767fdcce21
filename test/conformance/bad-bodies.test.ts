import { CONFIG_MAPS, DEPLOYMENTS, PODS, deployment, given, pod } from '../src/conformance/objects.js';
import { APPLY, JSON_PATCH, MERGE, STRATEGIC } from '../src/conformance/session.js';
import { suite } from '../src/conformance/suite.js';

const it = suite('bad-bodies');
const JSON_TYPE = 'application/json';
const YAML = 'application/yaml';
const DAEMON_SETS = '/apis/apps/v1/namespaces/{ns}/daemonsets';
const GENERATION = 'deprecated.daemonset.template.generation';
const SCALE = `${DEPLOYMENTS}/d/scale`;
const HEAD = '"apiVersion":"apps/v1","kind":"Deployment"';

it('numbers beyond float64 are refused where they are read', async (s) => {
  await given(s, DEPLOYMENTS, deployment('d', { replicas: 1 }));
  await given(s, PODS, pod('p'));
  const create = (raw: string): Promise<unknown> =>
    s.call('POST', `${CONFIG_MAPS}?dryRun=All`, { raw, type: JSON_TYPE });
  for (const raw of ['1e400', '[1e400]', '{"kind":1e400}', '{"metadata":{"name":"x"},"data":{"a":1e400}}'])
    await create(raw);
  await create('{"metadata":{"name":"x"},"unknown":1e400}');
  await create('{"metadata":{"name":"x","generation":-1e400}}');
  await create('{"metadata":{"name":"x","creationTimestamp":1e400}}');
  const replicas = '"spec":{"replicas":1e400}';
  await s.call('PUT', `${DEPLOYMENTS}/d`, { raw: `{${HEAD},"metadata":{"name":"d"},${replicas}}`, type: JSON_TYPE });
  await s.call('PATCH', `${DEPLOYMENTS}/d`, { raw: `{${replicas}}`, type: STRATEGIC });
  await s.call('PATCH', `${DEPLOYMENTS}/d?fieldManager=me`, { raw: `{${HEAD},${replicas}}`, type: APPLY });
  const scale = `{"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"d"},${replicas}}`;
  await s.call('PUT', SCALE, { raw: scale, type: JSON_TYPE });
  const binding = '{"metadata":{"name":"p","generation":1e400},"target":{"kind":"X"}}';
  await s.call('POST', `${PODS}/p/binding`, { raw: binding, type: JSON_TYPE });
  const eviction = '{"metadata":{"name":"p"},"deleteOptions":{"gracePeriodSeconds":1e400}}';
  await s.call('POST', `${PODS}/p/eviction`, { raw: eviction, type: JSON_TYPE });
  for (const number of ['1e400', '1.0', '9223372036854775808'])
    await s.call('DELETE', `${PODS}/p`, { raw: `{"gracePeriodSeconds":${number}}`, type: JSON_TYPE });
  for (const field of ['"maximum":1e400', '"default":1e400', '"enum":[1e400]', '"items":{"maximum":1e400}']) {
    const raw = `{"metadata":{"name":"x"},"spec":{"versions":[{"schema":{"openAPIV3Schema":{${field}}}}]}}`;
    await s.call('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { raw, type: JSON_TYPE });
  }
});

it('the generation of a daemon set that is no number', async (s) => {
  const { spec } = deployment('d');
  const set = { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name: 'd' }, spec };
  await given(s, DAEMON_SETS, set);
  for (const value of ['TCP', '', '+5', '99999999999999999999', '1_0']) {
    const metadata = { name: 'd', annotations: { [GENERATION]: value } };
    await s.post(`${DAEMON_SETS}?dryRun=All`, { ...set, metadata: { ...metadata, name: 'e' } });
    await s.call('PATCH', `${DAEMON_SETS}/d?dryRun=All`, { body: { metadata }, type: STRATEGIC });
    await s.call('PATCH', `${DAEMON_SETS}/d?dryRun=All`, { body: { metadata }, type: MERGE });
    const config = { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata };
    await s.apply(`${DAEMON_SETS}/d`, 'me', config, 'dryRun=All&force=true');
    await s.put(`${DAEMON_SETS}/d/status?dryRun=All`, { ...set, metadata });
  }
});

it('a Scale that is none', async (s) => {
  await given(s, DEPLOYMENTS, deployment('d', { replicas: 1 }));
  const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'd' }, spec: { replicas: 2 } };
  await s.put(`${SCALE}?dryRun=All`, { ...scale, apiVersion: 'x' });
  await s.put(`${SCALE}?dryRun=All`, { ...scale, kind: 'X' });
  await s.put(`${SCALE}?dryRun=All`, { ...scale, extra: 1 });
  await s.put(`${SCALE}?dryRun=All&fieldValidation=Strict`, { ...scale, extra: 1 });
  await s.put(`${SCALE}?dryRun=All`, { ...scale, metadata: { name: 'd', namespace: 'other' } });
  for (const body of [
    { metadata: { namespace: 'x' } },
    { metadata: null },
    { spec: 'a' },
    { metadata: { extra: 1 } },
  ]) {
    await s.call('PATCH', `${SCALE}?dryRun=All`, { body, type: STRATEGIC });
    await s.call('PATCH', `${SCALE}?dryRun=All`, { body, type: MERGE });
  }
});

it('a missing object is reported before what is wrong with a patch', async (s) => {
  for (const type of [MERGE, JSON_PATCH, STRATEGIC]) {
    await s.call('PATCH', `${CONFIG_MAPS}/none`, { raw: '{', type });
    await s.call('PATCH', `${CONFIG_MAPS}/none`, { raw: '1e400', type });
  }
});

it('YAML that JSON has no words for', async (s) => {
  const head = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\n';
  for (const value of ['.inf', '-.Inf', '.nan', '1e400', '"\\ud83d"', '!!float 1', '!!binary AAE='])
    await s.call('POST', `${CONFIG_MAPS}?dryRun=All`, { raw: `${head}data:\n  a: ${value}\n`, type: YAML });
  for (const key of ['~', '[a]', '{a: b}', '1', '1.5', 'true', '.inf'])
    await s.call('POST', `${CONFIG_MAPS}?dryRun=All`, { raw: `${head}data:\n  ? ${key}\n  : text\n`, type: YAML });
  await s.call('POST', `${CONFIG_MAPS}?dryRun=All`, { raw: `${head}zeta: 1\nalpha: 2\n`, type: YAML });
  for (const bad of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xe2, 0x82], [0xc3, 0x28]]) {
    const raw = Buffer.concat([Buffer.from(`${head}data:\n  a: `), Buffer.from(bad)]);
    await s.call('POST', `${CONFIG_MAPS}?dryRun=All`, { raw, type: YAML });
  }
  const config = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"}}';
  for (const raw of [`${config}x`, `${config}]`, config.replace('"x"', '"\\ud800"'), `${config}@`])
    await s.call('PATCH', `${CONFIG_MAPS}/x?fieldManager=me&dryRun=All`, { raw, type: APPLY });
});

it('strict decoding errors are listed in the order of the text', async (s) => {
  const raw =
    '{"metadata":{"name":"x"},"data":{"a":"1"},"data":{"b":"2"},"zeta":1,"kind":"ConfigMap","kind":"ConfigMap"}';
  await s.call('POST', `${CONFIG_MAPS}?dryRun=All`, { raw, type: JSON_TYPE });
  await s.call('POST', `${CONFIG_MAPS}?dryRun=All&fieldValidation=Strict`, { raw, type: JSON_TYPE });
});

it('node ports of one service differ', async (s) => {
  const ports = [80, 81, 82].map((port) => ({ name: `p${port}`, port }));
  const spec = { type: 'NodePort', ports };
  const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'x' }, spec };
  await s.post('/api/v1/namespaces/{ns}/services', service);
});

import { expect } from 'vitest';
import { CONFIG_MAPS, DEPLOYMENTS, configMap, deployment, given, PODS, pod } from '../src/conformance/objects.js';
import { JSON_PATCH, MERGE, STRATEGIC } from '../src/conformance/session.js';
import { suite } from '../src/conformance/suite.js';

const it = suite('bad-input');

const typed = '"apiVersion":"v1","kind":"ConfigMap"';

it('malformed JSON is refused in the words of the real decoder', async (s) => {
  for (const raw of [
    '',
    ' ',
    '{',
    '{"a"}',
    '[]',
    'null',
    '42',
    '"text"',
    '{"a":1}}',
    `{${typed},"data":{"a":"1"},}`,
    '{"kind":1}',
    'kind: ConfigMap',
  ]) {
    await s.call('POST', CONFIG_MAPS, { raw });
  }
});

it('values of the wrong type name their field', async (s) => {
  const bodies = [
    `{${typed},"metadata":{"name":"x"},"data":{"a":1}}`,
    `{${typed},"metadata":{"name":"x"},"data":[]}`,
    `{${typed},"metadata":{"name":"x"},"data":"text"}`,
    `{${typed},"metadata":{"name":5}}`,
    `{${typed},"metadata":[]}`,
    `{${typed},"metadata":{"name":"x","labels":{"a":true}}}`,
    `{${typed},"metadata":{"name":"x"},"immutable":"yes"}`,
    `{${typed},"metadata":{"name":"x"},"binaryData":{"a":"not base64!"}}`,
    `{${typed},"metadata":{"name":"x","creationTimestamp":"yesterday"}}`,
    `{${typed},"metadata":{"name":"x","generation":1.5}}`,
    `{${typed},"metadata":{"name":"x","generation":9223372036854775808}}`,
    `{${typed},"metadata":{"name":"x","finalizers":"one"}}`,
  ];
  for (const raw of bodies) await s.call('POST', CONFIG_MAPS, { raw });
});

it('values of the wrong type deep inside a pod name their field', async (s) => {
  const container = (fields: object): object => pod('p', {}, { containers: [{ name: 'c', image: 'i', ...fields }] });
  await s.post(PODS, container({ ports: [{ containerPort: '80' }] }));
  await s.post(PODS, container({ ports: [{ containerPort: 3_000_000_000 }] }));
  await s.post(PODS, container({ resources: { limits: { cpu: 'much' } } }));
  await s.post(PODS, container({ resources: { limits: { cpu: true } } }));
  await s.post(PODS, container({ command: 'sh' }));
  await s.post(PODS, container({ readinessProbe: { httpGet: { port: 1.5 } } }));
  await s.post(PODS, pod('p', {}, { containers: { name: 'c' } }));
  await s.post(PODS, pod('p', {}, { nodeSelector: { a: null }, terminationGracePeriodSeconds: '30' }));
  await s.post(DEPLOYMENTS, deployment('d', { replicas: '3' }));
  await s.post(DEPLOYMENTS, deployment('d', { strategy: { rollingUpdate: { maxSurge: {} } } }));
});

it('content types that are not understood are refused', async (s) => {
  const raw = JSON.stringify(configMap('x'));
  for (const type of [
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'json',
    'application/json;charset=utf-8',
    'APPLICATION/JSON',
    MERGE,
  ]) {
    await s.call('POST', `${CONFIG_MAPS}?dryRun=All`, { raw, type });
  }
  await given(s, CONFIG_MAPS, configMap('y'));
  await s.call('PUT', `${CONFIG_MAPS}/y`, { raw, type: 'text/plain' });
  for (const type of ['application/json', 'text/plain', 'application/yaml'])
    await s.call('PATCH', `${CONFIG_MAPS}/y`, { raw: '{}', type });
  await s.call('DELETE', `${CONFIG_MAPS}/y`, { raw: '{}', type: 'text/plain' });
});

it('answers in an unsupported format are NotAcceptable', async (s) => {
  await given(s, CONFIG_MAPS, configMap('x'));
  for (const accept of [
    'text/html',
    'application/json;as=Nothing;v=v1;g=meta.k8s.io',
    'application/json;as=Table;v=v9;g=meta.k8s.io',
    'image/*',
    '*/*',
    'application/*',
    'text/html,application/json;q=0.1',
  ]) {
    await s.get(`${CONFIG_MAPS}/x`, { accept });
  }
  await s.get(CONFIG_MAPS, { accept: 'text/html' });
  await s.get('/version', { accept: 'text/html' });
  await s.post(CONFIG_MAPS, configMap('y'), { accept: 'text/html' });
  await s.get(`${CONFIG_MAPS}/y`);
});

it('bodies of four mebibytes are too large, and nothing of them is written', async (s) => {
  const raw = JSON.stringify(configMap('big', { a: 'x'.repeat(4 * 1024 * 1024) }));
  await s.call('POST', CONFIG_MAPS, { raw });
  await given(s, CONFIG_MAPS, configMap('y'));
  await s.call('PUT', `${CONFIG_MAPS}/y`, { raw });
  await s.call('PATCH', `${CONFIG_MAPS}/y`, { raw, type: MERGE });
  await s.get(`${CONFIG_MAPS}/big`);
  await s.get(`${CONFIG_MAPS}/y`);
});

it('a config map of more than a mebibyte is Invalid', async (s) => {
  const answer = await s.quiet('POST', CONFIG_MAPS, { body: configMap('x', { a: 'x'.repeat(1024 * 1024 + 1) }) });
  const { message, reason } = answer.body as { message: string; reason: string };
  s.remark('refused', { status: answer.status, reason, message });
});

it('deep nesting is refused without harm', async (s) => {
  const deep = (open: string, close: string, depth: number): string =>
    `{${typed},"metadata":{"name":"x"},"data":${open.repeat(depth)}1${close.repeat(depth)}}`;
  for (const raw of [
    deep('[', ']', 9000),
    deep('{"a":', '}', 9000),
    deep('[', ']', 20_000),
    deep('{"a":', '}', 20_000),
    '['.repeat(100_000),
  ]) {
    const answer = await s.quiet('POST', CONFIG_MAPS, { raw });
    const { message = '', reason } = answer.body as { message?: string; reason: string };
    s.remark('refused', { status: answer.status, reason, message: message.slice(0, 90) });
  }
  await s.get(`${CONFIG_MAPS}/x`);
});

it('keys named like members of Object.prototype are keys like any other (trap 14)', async (s) => {
  const raw = `{${typed},"metadata":{"name":"x","labels":{"constructor":"c","toString":"t"},"annotations":{"valueOf":"p","hasOwnProperty":"h"}},"data":{"__proto__":"1","constructor":"2","2":"b","10":"a","1":"c","valueOf":"v"}}`;
  const made = await s.call('POST', CONFIG_MAPS, { raw });
  expect(made.text).toContain('"__proto__":"1","constructor":"2","valueOf":"v"}');
  await s.get(`${CONFIG_MAPS}?labelSelector=constructor%3Dc`);
  await s.get(`${CONFIG_MAPS}?labelSelector=toString`);
  await s.get(`${CONFIG_MAPS}?labelSelector=valueOf`);
  const patched = await s.call('PATCH', `${CONFIG_MAPS}/x`, {
    raw: '{"data":{"__proto__":"9","constructor":null}}',
    type: MERGE,
  });
  expect(patched.text).toContain('"__proto__":"9"');
  await s.call('PATCH', `${CONFIG_MAPS}/x`, { raw: '{"data":{"__proto__":null,"toString":"s"}}', type: STRATEGIC });
  await s.call('PATCH', `${CONFIG_MAPS}/x`, {
    raw: '[{"op":"add","path":"/data/__proto__","value":"7"},{"op":"add","path":"/__proto__/polluted","value":"7"}]',
    type: JSON_PATCH,
  });
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  await s.call('POST', `${CONFIG_MAPS}?fieldValidation=Strict`, {
    raw: `{${typed},"metadata":{"name":"z"},"__proto__":{"a":1},"constructor":1}`,
  });
});

it('numbers keep their value and texts their characters (trap 14)', async (s) => {
  await s.post(PODS, pod('p', {}, { securityContext: { runAsUser: 0, fsGroup: 2_147_483_647 }, priority: -0 }));
  await s.call('POST', PODS, {
    raw: JSON.stringify(pod('q', {}, { terminationGracePeriodSeconds: 77 })).replace('77', '9007199254740993'),
  });
  await s.post(CONFIG_MAPS, configMap('x', { a: 'é\u2028"\\<>&\u0001', b: '\ud83d\ude00' }));
  await s.call('POST', CONFIG_MAPS, { raw: `{${typed},"metadata":{"name":"lone"},"data":{"a":"\\ud800"}}` });
});

it('integers are written as integers (trap 14)', async (s) => {
  for (const number of ['1.0', '1e2', '99999999999999999999']) {
    await s.call('POST', PODS, {
      raw: JSON.stringify(pod('r', {}, { terminationGracePeriodSeconds: 77 })).replace('77', number),
    });
  }
  const raw = (spec: string): Promise<unknown> =>
    s.call('POST', `${PODS}?dryRun=All`, { raw: JSON.stringify(pod('r', {}, { X: 0 })).replace('"X":0', spec) });
  await raw('"priority":-1.0');
  await raw('"securityContext":{"supplementalGroups":[1,2.0]}');
  for (const quantity of ['1.0', '1e2', '0.5', '1500'])
    await raw(`"containers":[{"name":"c","image":"i","resources":{"limits":{"cpu":${quantity}}}}]`);
  const service =
    '{"apiVersion":"v1","kind":"Service","metadata":{"name":"s"},"spec":{"ports":[{"port":80,"targetPort":T}]}}';
  for (const port of ['80.0', '8e1', '99999999999999999999', '80'])
    await s.call('POST', '/api/v1/namespaces/{ns}/services?dryRun=All', { raw: service.replace('T', port) });
});

it('invalid UTF-8 and NUL bytes are answered like the real server does', async (s) => {
  const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');
  await s.call('POST', CONFIG_MAPS, { raw: bytes(`{${typed},"metadata":{"name":"u"},"data":{"a":"\xff\xfe"}}`) });
  await s.call('POST', CONFIG_MAPS, { raw: bytes('\0') });
  await s.call('POST', CONFIG_MAPS, { raw: bytes(`{${typed},"metadata":{"name":"n"},"data":{"a":"\0"}}`) });
  await s.call('POST', CONFIG_MAPS, { raw: `{${typed},"metadata":{"name":"n"},"data":{"a":"\\u0000"}}` });
  await s.call('POST', CONFIG_MAPS, { raw: bytes('\x89PNG\r\n\x1a\n') });
  await s.get(`${CONFIG_MAPS}/u`);
});

it('absurd query values are answered like the real server does', async (s) => {
  for (const query of [
    'limit=abc',
    'limit=-5',
    'limit=1e3',
    'limit=99999999999999999999',
    'timeoutSeconds=x',
    'watch=maybe&limit=x',
    'continue=%25',
    'continue=abc',
    'continue=e30',
    'resourceVersion=abc',
    'resourceVersion=-1',
    'resourceVersion=1.5',
    'resourceVersionMatch=Exact',
    'resourceVersionMatch=Odd&resourceVersion=1',
    'resourceVersion=0&resourceVersionMatch=Exact',
    'sendInitialEvents=true',
    'unknown=parameter',
    'limit=&continue=',
    'fieldSelector=,',
    'labelSelector=,',
    'timeout=abc',
    'pretty=maybe',
  ]) {
    await s.get(`${CONFIG_MAPS}?${query}`);
  }
});

it('absurd query values of writes are answered like the real server does', async (s) => {
  for (const query of [
    'dryRun=Some',
    'dryRun=All&dryRun=All',
    'dryRun=All&dryRun=Some',
    'dryRun=',
    'fieldValidation=Loose',
    'fieldManager=%00',
    `fieldManager=${'m'.repeat(129)}`,
    'fieldManager=%C3%A9&dryRun=All',
    'dryRun=Some&fieldValidation=Loose',
  ]) {
    await s.post(`${CONFIG_MAPS}?${query}`, configMap('x'));
    await s.quiet('DELETE', `${CONFIG_MAPS}/x`);
  }
  await given(s, CONFIG_MAPS, configMap('x'));
  await s.put(`${CONFIG_MAPS}/x?dryRun=Some`, configMap('x'));
  await s.merge(`${CONFIG_MAPS}/x?dryRun=Some`, {});
  await s.merge(`${CONFIG_MAPS}/x?force=true`, {});
  for (const query of [
    'dryRun=Some',
    'gracePeriodSeconds=x',
    'propagationPolicy=Sideways',
    'orphanDependents=true&propagationPolicy=Orphan',
  ]) {
    await s.delete(`${CONFIG_MAPS}/x?${query}`);
  }
});

it('huge selectors are answered, not fatal', async (s) => {
  await given(s, CONFIG_MAPS, configMap('x', {}, { labels: { n: '7' } }));
  const values = Array.from({ length: 2000 }, (_, at) => `v${at}`).join(',');
  await s.get(`${CONFIG_MAPS}?labelSelector=${encodeURIComponent(`n in (7,${values})`)}`);
  await s.get(
    `${CONFIG_MAPS}?labelSelector=${encodeURIComponent(Array.from({ length: 500 }, (_, at) => `k${at}!=x`).join(','))}`,
  );
  await s.get(`${CONFIG_MAPS}?labelSelector=n%3D${'x'.repeat(5000)}`);
});

it('delete options that cannot be read are refused', async (s) => {
  await given(s, CONFIG_MAPS, configMap('x'));
  for (const raw of [
    '{',
    '[]',
    '{"kind":"ConfigMap","apiVersion":"v1"}',
    '{"gracePeriodSeconds":"soon"}',
    '{"propagationPolicy":"Sideways"}',
    '{"orphanDependents":true,"propagationPolicy":"Orphan"}',
    '{"dryRun":["Some"]}',
    '{"kind":"DeleteOptions","apiVersion":"v9"}',
  ]) {
    await s.call('DELETE', `${CONFIG_MAPS}/x`, { raw });
  }
  await s.get(`${CONFIG_MAPS}/x`);
  await s.call('DELETE', `${CONFIG_MAPS}/x`, { raw: '{"unknown":1}' });
});

it('patches that cannot be read or applied are refused', async (s) => {
  await given(s, CONFIG_MAPS, configMap('x'));
  const raws = ['{', 'null', '[]', '"a"', '5', '{"data":null}', '{"kind":"Nothing"}', '{"metadata":null}'];
  for (const type of [MERGE, STRATEGIC, JSON_PATCH])
    for (const raw of raws) await s.call('PATCH', `${CONFIG_MAPS}/x?dryRun=All`, { raw, type });
  await s.call('PATCH', `${CONFIG_MAPS}/x?dryRun=All`, { raw: '{"data":{"a":1}}', type: MERGE });
});

it('odd names in the path are not found', async (s) => {
  for (const name of [
    'UPPER',
    'a%20b',
    'a%2Fb',
    '%2E%2E',
    'a%00b',
    '%E2%98%83',
    'x'.repeat(300),
    'a:b',
    'a;b',
    '__proto__',
    'constructor',
    '%',
    '%zz',
  ]) {
    await s.get(`${CONFIG_MAPS}/${name}`);
  }
  for (const path of [
    '/api/v1//namespaces/{ns}/configmaps',
    '/api/v1/namespaces/{ns}/configmaps/',
    '/api/v1/namespaces/{ns}/configmaps//',
    '//api/v1/namespaces/{ns}',
    '/api/v1/namespaces/{ns}/',
    '/api/v1/../v1/namespaces/{ns}',
    '/API/v1/namespaces',
  ]) {
    await s.get(path);
  }
});

it('odd names in the body are refused', async (s) => {
  for (const name of ['UPPER', 'a b', 'a/b', '..', '-a', 'a-', 'a..b', 'ü', 'x'.repeat(254), 'a\u0000b'])
    await s.post(CONFIG_MAPS, configMap(name));
  const secondary = '/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles';
  for (const name of ['system:odd', 'UPPER', 'a b', 'a/b', '..', 'a%b']) {
    await s.post(secondary, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      metadata: { name },
      rules: [],
    });
  }
  await s.get(`${secondary}/system:odd`);
  await s.get(`${secondary}/system%3Aodd`);
  await s.get(`${secondary}/a%20b`);
});

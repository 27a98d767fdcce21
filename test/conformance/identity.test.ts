import { suite } from '../src/conformance/suite.js';

const it = suite('identity');
const AUTHENTICATION = '/apis/authentication.k8s.io/v1';
const AUTHORIZATION = '/apis/authorization.k8s.io/v1';
const ACCOUNTS = '/api/v1/namespaces/{ns}/serviceaccounts';
const ACCESS = `${AUTHORIZATION}/subjectaccessreviews`;
const LOCAL = `${AUTHORIZATION}/namespaces/{ns}/localsubjectaccessreviews`;
const PODS = { verb: 'get', resource: 'pods', namespace: 'default' };

it('the kinds of questions are discovered', async (s) => {
  await s.get(AUTHENTICATION);
  await s.get(AUTHORIZATION);
});

it('questions about access are answered by the roles', async (s) => {
  await s.post(ACCESS, { spec: { user: 'bob', resourceAttributes: PODS } });
  await s.post(ACCESS, { spec: { user: 'bob', groups: ['system:masters'], resourceAttributes: PODS } });
  const healthz = { verb: 'get', path: '/livez' };
  await s.post(ACCESS, {
    spec: { groups: ['system:monitoring'], nonResourceAttributes: { ...healthz, path: '/metrics' } },
  });
  await s.post(ACCESS, { spec: { user: 'bob', nonResourceAttributes: healthz } });
  const scheduler = { verb: 'create', resource: 'pods', subresource: 'binding', namespace: 'default' };
  await s.post(ACCESS, { spec: { user: 'system:kube-scheduler', resourceAttributes: scheduler } });
  await s.post(`${AUTHORIZATION}/selfsubjectaccessreviews`, { spec: { resourceAttributes: PODS } });
});

it('questions that make no sense are refused', async (s) => {
  await s.post(`${AUTHORIZATION}/selfsubjectaccessreviews`, { spec: {} });
  await s.post(ACCESS, { spec: {} });
  await s.post(ACCESS, { spec: { user: 'bob', resourceAttributes: {}, nonResourceAttributes: { path: '/x' } } });
  await s.post(LOCAL, { spec: { user: 'bob', resourceAttributes: { verb: 'get' } } });
  await s.post(LOCAL, { spec: { user: 'bob', nonResourceAttributes: { verb: 'get' } } });
  await s.post(`${AUTHORIZATION}/selfsubjectrulesreviews`, { spec: {} });
  await s.post(`${AUTHENTICATION}/tokenreviews`, { spec: {} });
  await s.get(ACCESS);
  await s.get(`${ACCESS}/x`);
});

it('tokens are reviewed', async (s) => {
  await s.post(`${AUTHENTICATION}/tokenreviews`, { spec: { token: 'no-such-token' } });
  await s.post(`${AUTHENTICATION}/tokenreviews`, { spec: { token: 'no.such.token', audiences: ['x'] } });
});

it('tokens are not issued for invalid requests', async (s) => {
  await s.post(ACCOUNTS, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot' } });
  const tokens = `${ACCOUNTS}/robot/token`;
  await s.post(tokens, { spec: { expirationSeconds: 5 } });
  await s.post(tokens, { spec: { expirationSeconds: 4294967297 } });
  for (const kind of ['Pod', 'Secret', 'Node', 'ConfigMap'])
    await s.post(tokens, { spec: { boundObjectRef: { kind, apiVersion: 'v1', name: 'nope' } } });
  await s.post(tokens, { metadata: { name: 'other' } });
  await s.post(`${ACCOUNTS}/nobody/token`, {});
  await s.get(tokens);
});

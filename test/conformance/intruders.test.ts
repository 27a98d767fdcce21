import { ManualClock } from '@capstan/kube/testing';
import { tokenAuthenticator } from '@capstan/apiserver';
import type { Transport } from '@capstan/meta';
import { expect, test } from 'vitest';
import { embeddedServer, isReal, overHttps } from '../src/conformance/backend.js';
import { CONFIG_MAPS, configMap, given, pod, PODS } from '../src/conformance/objects.js';
import type { Session } from '../src/conformance/session.js';
import { suite } from '../src/conformance/suite.js';
import { untilStatus } from '../src/wait.js';

const it = suite('intruders');
const ACCOUNTS = '/api/v1/namespaces/{ns}/serviceaccounts';
const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const ROLES = `${RBAC}/namespaces/{ns}/roles`;
const BINDINGS = `${RBAC}/namespaces/{ns}/rolebindings`;
const WHO = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
/** It also remembers for ten seconds whom a token let in. */

/** An account of the test's namespace that may do what the rules say there, and a token of it. */
async function robot(s: Session, rules: object[], spec: object = {}): Promise<{ token: string; session: Session }> {
  await given(s, ACCOUNTS, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot' } });
  await given(s, ROLES, { metadata: { name: 'robot' }, rules });
  await given(s, BINDINGS, {
    metadata: { name: 'robot' },
    subjects: [{ kind: 'ServiceAccount', name: 'robot', namespace: s.ns }],
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'robot' },
  });
  const token = await tokenFor(s, spec);
  return { token, session: s.as(token) };
}

async function tokenFor(s: Session, spec: object): Promise<string> {
  const made = await s.quiet('POST', `${ACCOUNTS}/robot/token`, { body: { spec } });
  if (made.status !== 201) throw new Error(`the account was given no token: ${made.text}`);
  return (made.object()['status'] as { token: string }).token;
}

const READ_MAPS = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'create'] }];

it('a token meant for others opens nothing', async (s) => {
  const { session } = await robot(s, READ_MAPS);
  await untilStatus(200, () => session.quiet('GET', CONFIG_MAPS));
  const elsewhere = s.as(await tokenFor(s, { audiences: ['vault'] }));
  await elsewhere.get(CONFIG_MAPS);
  await elsewhere.post(CONFIG_MAPS, configMap('x'));
  await elsewhere.get('/version');
  await elsewhere.post(WHO, {});
});

it('a token that was tampered with opens nothing', async (s) => {
  const { session, token } = await robot(s, READ_MAPS);
  await untilStatus(200, () => session.quiet('GET', CONFIG_MAPS));
  const [header = '', claims = '', signature = ''] = token.split('.');
  const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const read = (part: string): object => JSON.parse(Buffer.from(part, 'base64url').toString()) as object;
  const raised = encode({ ...read(claims), sub: 'system:serviceaccount:kube-system:admin' });
  for (const forged of [
    `${header}.${raised}.${signature}`,
    `${encode({ ...read(header), alg: 'none' })}.${claims}.`,
    `${header}.${claims}.${Buffer.from('no signature').toString('base64url')}`,
    `${header}.${claims}`,
  ])
    await s.as(forged).get(CONFIG_MAPS);
});

it('a token opens its own namespace and no other', async (s) => {
  const { session } = await robot(s, READ_MAPS);
  await untilStatus(200, () => session.quiet('GET', CONFIG_MAPS));
  await session.post(CONFIG_MAPS, configMap('mine'));
  await session.get(`${CONFIG_MAPS}/mine`);
  await session.get('/api/v1/namespaces/default/configmaps');
  await session.post('/api/v1/namespaces/default/configmaps', configMap('theirs'));
  await session.get('/api/v1/configmaps');
  await session.get('/api/v1/namespaces/{ns}/secrets');
  await session.delete(`${CONFIG_MAPS}/mine`);
  await session.post(`${ACCOUNTS}/robot/token`, { spec: {} });
  await session.post('/api/v1/namespaces', { metadata: { name: 'x-{ns}' } });
  session.note('watch', await session.watch('/api/v1/configmaps?watch=true'));
});

it('a token ends with its account, also when another of that name comes', async (s) => {
  const { session } = await robot(s, READ_MAPS);
  await untilStatus(200, () => session.quiet('GET', CONFIG_MAPS));
  await s.quiet('DELETE', `${ACCOUNTS}/robot`);
  await untilStatus(401, () => session.quiet('GET', CONFIG_MAPS));
  await session.get(CONFIG_MAPS);
  await given(s, ACCOUNTS, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot' } });
  const next = s.as(await tokenFor(s, {}));
  await untilStatus(200, () => next.quiet('GET', CONFIG_MAPS));
  await session.get(CONFIG_MAPS);
});

it('a token ends with the pod it was given to', async (s) => {
  await robot(s, READ_MAPS);
  await given(s, PODS, pod('p', {}, { serviceAccountName: 'robot', automountServiceAccountToken: false }));
  const bound = s.as(await tokenFor(s, { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'p' } }));
  await untilStatus(200, () => bound.quiet('GET', CONFIG_MAPS));
  await s.quiet('DELETE', `${PODS}/p?gracePeriodSeconds=0`);
  await untilStatus(401, () => bound.quiet('GET', CONFIG_MAPS));
  await bound.get(CONFIG_MAPS);
});

it('a user cannot grant permissions that he does not have', async (s) => {
  const resources = ['roles', 'rolebindings', 'clusterroles', 'clusterrolebindings'];
  const verbs = ['get', 'create', 'update', 'patch'];
  const { session } = await robot(s, [{ apiGroups: ['rbac.authorization.k8s.io'], resources, verbs }]);
  await untilStatus(200, () => session.quiet('GET', `${ROLES}/robot`));
  const rules = [
    { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list'] },
    { apiGroups: ['rbac.authorization.k8s.io'], resources: ['roles'], verbs: ['get'] },
  ];
  const subjects = [{ kind: 'ServiceAccount', name: 'robot', namespace: s.ns }];
  const clusterAdmin = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' };
  await session.post(ROLES, { metadata: { name: 'more' }, rules });
  await session.merge(`${ROLES}/robot`, { rules });
  await session.apply(`${ROLES}/robot`, 'me', {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    metadata: { name: 'robot' },
    rules,
  });
  await session.post(BINDINGS, { metadata: { name: 'more' }, subjects, roleRef: clusterAdmin });
  await session.post(`${RBAC}/clusterroles`, { metadata: { name: 'more-{ns}' }, rules });
  await session.post(`${RBAC}/clusterrolebindings`, {
    metadata: { name: 'more-{ns}' },
    subjects,
    roleRef: clusterAdmin,
  });
  await session.post(ROLES, { metadata: { name: 'same' }, rules: rules.slice(1) });
  await s.get(`${ROLES}/robot`);
});

it('impersonation needs the permission to impersonate', async (s) => {
  const { session } = await robot(s, READ_MAPS);
  await untilStatus(200, () => session.quiet('GET', CONFIG_MAPS));
  const admin = { 'impersonate-user': 'admin', 'impersonate-group': 'system:masters' };
  await session.get(CONFIG_MAPS, { headers: admin });
  await session.post(CONFIG_MAPS, configMap('x'), { headers: admin });
  await session.get(CONFIG_MAPS, { headers: { 'impersonate-user': 'bob' } });
  await session.get(CONFIG_MAPS, { headers: { 'impersonate-user': 'system:serviceaccount:kube-system:x' } });
  await session.get(CONFIG_MAPS, { headers: { 'impersonate-group': 'system:masters' } });
  await session.get('/api', { headers: { 'impersonate-user': 'bob' } });
  await s.as(undefined).get(CONFIG_MAPS, { headers: admin });
  await s.as('no-such-token').get(CONFIG_MAPS, { headers: admin });
  await s.get(CONFIG_MAPS, { headers: { 'impersonate-user': 'bob' } });
});

// The clock of a real server cannot be moved; its shortest token lasts ten minutes.
const expires = isReal ? undefined : test;
expires?.('a token that has expired opens nothing, over HTTPS', async () => {
  const clock = new ManualClock(Date.now());
  const admin = { username: 'admin', groups: ['system:masters', 'system:authenticated'] };
  const authenticate = tokenAuthenticator(new Map([['admin-token', admin]]));
  const https = await overHttps(embeddedServer({ clock, authenticate, authorization: 'rbac' }));
  const ask = async (token: string, method: string, target: string, body?: object): Promise<[number, string]> => {
    const transport = https.as(token) as Transport & { close(): Promise<void> };
    const bytes = Buffer.from(JSON.stringify(body ?? {}));
    const headers = { 'content-type': 'application/json' };
    const answer = await transport.send({ method, target, headers, body: body && { type: 'bytes', bytes } });
    const text = answer.body.type === 'payload' ? Buffer.concat(answer.body.chunks()).toString() : '';
    await transport.close();
    return [answer.status, text];
  };
  try {
    const accounts = '/api/v1/namespaces/default/serviceaccounts';
    await ask('admin-token', 'POST', accounts, { metadata: { name: 'robot' } });
    const [, made] = await ask('admin-token', 'POST', `${accounts}/robot/token`, { spec: { expirationSeconds: 600 } });
    const { token } = (JSON.parse(made) as { status: { token: string } }).status;
    expect((await ask(token, 'GET', '/api'))[0]).toBe(200);
    await clock.advance(599_000);
    expect((await ask(token, 'GET', '/api'))[0]).toBe(200);
    await clock.advance(70_000);
    const [status, refused] = await ask(token, 'GET', '/api');
    expect([status, (JSON.parse(refused) as { message: string }).message]).toEqual([401, 'Unauthorized']);
  } finally {
    await https.close();
  }
});

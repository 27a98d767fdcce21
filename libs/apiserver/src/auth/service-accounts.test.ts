import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { jsonOfProtobuf, protobufOfJson } from '../protobuf/index.js';
import { AccessFixture } from './testing.js';

const ACCOUNTS = '/api/v1/namespaces/default/serviceaccounts';
const TOKENS = `${ACCOUNTS}/robot/token`;
const ISSUER = 'https://kubernetes.default.svc';
const NAME = 'system:serviceaccount:default:robot';
const HOUR = 3_600_000;

interface Issued {
  readonly spec: unknown;
  readonly status: { readonly token: string; readonly expirationTimestamp: string };
}

async function request(fixture: AccessFixture, spec: object = {}): Promise<Issued> {
  return (await fixture.given(TOKENS, { spec })) as unknown as Issued;
}

async function withRobot(options: ConstructorParameters<typeof AccessFixture>[0] = {}): Promise<AccessFixture> {
  const fixture = new AccessFixture(options);
  await fixture.given(ACCOUNTS, { metadata: { name: 'robot' } });
  return fixture;
}

function partsOf(token: string): Record<string, unknown>[] {
  const decode = (part: string): Record<string, unknown> =>
    JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;
  return token.split('.').slice(0, 2).map(decode);
}

function pem(type: 'rsa' | 'ec'): string {
  const { privateKey } =
    type === 'rsa'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
}

async function review(fixture: AccessFixture, token: string, audiences?: string[]): Promise<unknown> {
  const body = { spec: { token, ...(audiences === undefined ? {} : { audiences }) } };
  return (await fixture.given('/apis/authentication.k8s.io/v1/tokenreviews', body))['status'];
}

describe('the token of a service account', () => {
  it.each([
    ['RS256', pem('rsa')],
    ['ES256', pem('ec')],
    ['ES256', undefined],
  ])('is signed by %s and lets the account in', async (algorithm, signingKey) => {
    const fixture = await withRobot(signingKey === undefined ? {} : { serviceAccounts: { signingKey } });
    const { status } = await request(fixture);
    const [header, claims] = partsOf(status.token);
    expect(header?.['alg']).toBe(algorithm);
    expect(Object.keys(claims ?? {})).toEqual(['aud', 'exp', 'iat', 'iss', 'jti', 'kubernetes.io', 'nbf', 'sub']);
    expect(claims).toMatchObject({ aud: [ISSUER], iss: ISSUER, sub: NAME });
    expect(Number(claims?.['exp']) - Number(claims?.['iat'])).toBe(3600);
    const who = await fixture.send(status.token, 'POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', {
      body: {},
    });
    expect(who).toMatchObject({
      status: 201,
      body: {
        status: {
          userInfo: {
            username: NAME,
            groups: ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'],
            extra: { 'authentication.kubernetes.io/credential-id': [`JTI=${String(claims?.['jti'])}`] },
          },
        },
      },
    });
    const keys = await fixture.send(status.token, 'GET', '/openid/v1/jwks');
    expect(keys.body).toMatchObject({ keys: [{ use: 'sig', alg: algorithm, kid: header?.['kid'] }] });
    expect((await fixture.send(status.token, 'GET', '/.well-known/openid-configuration')).body).toMatchObject({
      issuer: ISSUER,
      id_token_signing_alg_values_supported: [algorithm],
    });
  });

  const changes: [string, (fixture: AccessFixture) => Promise<unknown>, string][] = [
    ['has expired', async ({ clock }) => clock.advance(HOUR + 61_000), 'service account token has expired'],
    [
      'is of an account that is gone',
      (fixture) => fixture.send('admin', 'DELETE', `${ACCOUNTS}/robot`),
      'serviceaccounts "robot" not found',
    ],
  ];
  it.each(changes)('opens nothing when it %s', async (_what, change, error) => {
    const fixture = await withRobot();
    const { token } = (await request(fixture)).status;
    expect((await fixture.send(token, 'GET', '/api')).status).toBe(200);
    await change(fixture);
    expect(await fixture.send(token, 'GET', '/api')).toMatchObject({ status: 401, body: { message: 'Unauthorized' } });
    expect(await review(fixture, token)).toEqual({ user: {}, error: `[invalid bearer token, ${error}]` });
  });

  it('opens nothing for another account of the same name', async () => {
    const fixture = await withRobot();
    const { token } = (await request(fixture)).status;
    await fixture.send('admin', 'DELETE', `${ACCOUNTS}/robot`);
    await fixture.given(ACCOUNTS, { metadata: { name: 'robot' } });
    expect((await fixture.send(token, 'GET', '/api')).status).toBe(401);
  });

  it('opens nothing here when it is meant for others', async () => {
    const fixture = await withRobot();
    const { token } = (await request(fixture, { audiences: ['vault'] })).status;
    expect((await fixture.send(token, 'GET', '/api')).status).toBe(401);
    expect(await review(fixture, token)).toEqual({
      user: {},
      error: `[invalid bearer token, token audiences ["vault"] is invalid for the target audiences ["${ISSUER}"]]`,
    });
    expect(await review(fixture, token, ['vault', 'x'])).toMatchObject({ authenticated: true, audiences: ['vault'] });
  });

  it.each<[string, (token: string) => string]>([
    ['no signature', (token) => `${token.split('.').slice(0, 2).join('.')}.`],
    ['another signature', (token) => `${token.slice(0, -8)}AAAAAAAA`],
    ['claims that were changed', (token) => forged(token, { alg: 'ES256' })],
    ['an algorithm that checks nothing', (token) => forged(token, { alg: 'none' })],
  ])('opens nothing with %s', async (_what, change) => {
    const fixture = await withRobot();
    const { token } = (await request(fixture)).status;
    expect((await fixture.send(change(token), 'GET', '/version')).status).toBe(401);
  });

  it('of another server opens nothing', async () => {
    const fixture = await withRobot({ serviceAccounts: { signingKey: pem('ec') } });
    const other = await withRobot({ serviceAccounts: { signingKey: pem('ec') } });
    expect((await fixture.send((await request(other)).status.token, 'GET', '/api')).status).toBe(401);
  });

  it('has the permissions of its account alone, in its namespace alone', async () => {
    const fixture = await withRobot();
    const { token } = (await request(fixture)).status;
    await fixture.given('/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings', {
      metadata: { name: 'robot' },
      subjects: [{ kind: 'ServiceAccount', name: 'robot' }],
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
    });
    expect((await fixture.send(token, 'GET', '/api/v1/namespaces/default/pods')).status).toBe(200);
    expect(await fixture.send(token, 'GET', '/api/v1/namespaces/kube-system/pods')).toMatchObject({
      status: 403,
      body: {
        message: `pods is forbidden: User "${NAME}" cannot list resource "pods" in API group "" in the namespace "kube-system"`,
      },
    });
    expect((await fixture.send(token, 'POST', TOKENS, { body: {} })).status).toBe(403);
  });

  it('bound to an object goes with it', async () => {
    const fixture = await withRobot();
    const secrets = '/api/v1/namespaces/default/secrets';
    await fixture.given(secrets, { metadata: { name: 's' } });
    const boundObjectRef = { kind: 'Secret', apiVersion: 'v1', name: 's' };
    const { spec, status } = await request(fixture, { boundObjectRef });
    expect(spec).toEqual({ audiences: [ISSUER], expirationSeconds: 3600, boundObjectRef });
    expect((await fixture.send(status.token, 'GET', '/api')).status).toBe(200);
    await fixture.send('admin', 'DELETE', `${secrets}/s`);
    expect((await fixture.send(status.token, 'GET', '/api')).status).toBe(401);
  });

  it.each<[object, number, string]>([
    [
      { expirationSeconds: 5 },
      422,
      'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 5: may not specify a duration less than 10 minutes',
    ],
    [
      { expirationSeconds: 4294967297 },
      422,
      'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 4294967297: may not specify a duration larger than 2^32 seconds',
    ],
    [{ boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'nope' } }, 404, 'pods "nope" not found'],
    [{ boundObjectRef: { kind: 'Node', apiVersion: 'v1', name: 'nope' } }, 404, 'nodes "nope" not found'],
    [
      { boundObjectRef: { kind: 'ConfigMap', apiVersion: 'v1', name: 'nope' } },
      400,
      'cannot bind token to object of type /v1, Kind=ConfigMap',
    ],
  ])('is not given for %j', async (spec, status, message) => {
    const fixture = await withRobot();
    const answer = await fixture.send('admin', 'POST', TOKENS, { body: { spec } });
    expect([answer.status, answer.body['message']]).toEqual([status, message]);
  });

  it('is asked for and given in protobuf too', async () => {
    const { server } = await withRobot();
    const type = 'application/vnd.kubernetes.protobuf';
    const body = protobufOfJson({
      kind: 'TokenRequest',
      apiVersion: 'authentication.k8s.io/v1',
      spec: { audiences: [], expirationSeconds: 900 },
    } as { kind: string; apiVersion: string });
    const response = await server.send({
      method: 'POST',
      target: TOKENS,
      headers: { authorization: 'Bearer admin', 'content-type': type, accept: type },
      body: { type: 'bytes', bytes: body },
    });
    const bytes = response.body.type === 'payload' ? Buffer.concat(response.body.chunks()) : Buffer.of();
    expect(jsonOfProtobuf(bytes)).toMatchObject({
      kind: 'TokenRequest',
      apiVersion: 'authentication.k8s.io/v1',
      spec: { expirationSeconds: 900 },
    });
  });
});

/** The token with an administrator's claims and the given header, with its old signature. */
function forged(token: string, head: object): string {
  const [header, claims] = partsOf(token);
  const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${encode({ ...header, ...head })}.${encode({ ...claims, exp: 9e9 })}.${token.split('.')[2]}`;
}

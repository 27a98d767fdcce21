import { describe, expect, it } from 'vitest';
import { AccessFixture, RBAC, binding } from './testing.js';

const AUTHENTICATION = '/apis/authentication.k8s.io/v1';
const AUTHORIZATION = '/apis/authorization.k8s.io/v1';
const ISSUER = 'https://kubernetes.default.svc';

describe('questions about access', () => {
  it('identify the user, and the impersonated one', async () => {
    const headers = {
      'impersonate-user': 'bob',
      'impersonate-group': 'g1, g2',
      'impersonate-uid': '7',
      'impersonate-extra-scopes': 'a',
      'impersonate-extra-acme%2fx': 'b',
    };
    const fixture = new AccessFixture();
    const answer = await fixture.send('admin', 'POST', `${AUTHENTICATION}/selfsubjectreviews`, { body: {}, headers });
    expect(answer).toEqual({
      status: 201,
      body: {
        kind: 'SelfSubjectReview',
        apiVersion: 'authentication.k8s.io/v1',
        metadata: { creationTimestamp: '2026-01-01T00:00:00Z' },
        status: {
          userInfo: {
            username: 'bob',
            uid: '7',
            groups: ['g1', 'g2', 'system:authenticated'],
            extra: { 'acme/x': ['b'], scopes: ['a'] },
          },
        },
      },
    });
  });

  it.each<[string, string, number]>([
    ['', `${AUTHENTICATION}/selfsubjectreviews`, 403],
    ['', `${AUTHORIZATION}/selfsubjectaccessreviews`, 403],
    ['alice', `${AUTHORIZATION}/selfsubjectaccessreviews`, 201],
    ['alice', `${AUTHORIZATION}/subjectaccessreviews`, 403],
    ['alice', `${AUTHORIZATION}/namespaces/default/localsubjectaccessreviews`, 403],
    ['alice', `${AUTHENTICATION}/tokenreviews`, 403],
  ])('by %j at %s are answered with %i', async (token, target, status) => {
    const body = { spec: { resourceAttributes: { verb: 'get', resource: 'pods' } } };
    expect((await new AccessFixture().send(token, 'POST', target, { body })).status).toBe(status);
  });

  it('say by which binding something is allowed', async () => {
    const fixture = new AccessFixture();
    await fixture.given(`${RBAC}/namespaces/default/rolebindings`, binding('v', 'ClusterRole', 'view'));
    const body = { spec: { resourceAttributes: { verb: 'get', resource: 'pods', namespace: 'default' } } };
    const answer = await fixture.send('alice', 'POST', `${AUTHORIZATION}/selfsubjectaccessreviews`, { body });
    expect(answer.body['status']).toEqual({
      allowed: true,
      reason: 'RBAC: allowed by RoleBinding "v/default" of ClusterRole "view" to User "alice"',
    });
  });

  it('list what a user is allowed to do, and what could not be evaluated', async () => {
    const fixture = new AccessFixture();
    await fixture.given(`${RBAC}/namespaces/default/rolebindings`, binding('broken', 'Role', 'missing'));
    const body = { spec: { namespace: 'default' } };
    const answer = await fixture.send('alice', 'POST', `${AUTHORIZATION}/selfsubjectrulesreviews`, { body });
    expect(answer.body).toMatchObject({
      metadata: {},
      spec: {},
      status: {
        resourceRules: [
          {
            verbs: ['create'],
            apiGroups: ['authorization.k8s.io'],
            resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'],
          },
          { verbs: ['create'], apiGroups: ['authentication.k8s.io'], resources: ['selfsubjectreviews'] },
        ],
        incomplete: false,
        evaluationError: 'role.rbac.authorization.k8s.io "missing" not found',
      },
    });
  });

  it.each<[object, object]>([
    [
      { token: 'alice' },
      {
        authenticated: true,
        user: { username: 'alice', groups: ['devs', 'system:authenticated'] },
        audiences: [ISSUER],
      },
    ],
    [
      { token: 'alice', audiences: ['x'] },
      { user: {}, error: 'invalid bearer token' },
    ],
    [{ token: 'nobody' }, { user: {}, error: 'invalid bearer token' }],
  ])('about the token %j', async (spec, status) => {
    const { body } = await new AccessFixture().send('admin', 'POST', `${AUTHENTICATION}/tokenreviews`, {
      body: { spec },
    });
    expect(body['status']).toEqual(status);
  });

  it('have no name', async () => {
    const body = { metadata: { name: 'x' }, spec: { user: 'bob', resourceAttributes: { verb: 'get' } } };
    const headers = { 'user-agent': 'curl/8' };
    const answer = await new AccessFixture().send('admin', 'POST', `${AUTHORIZATION}/subjectaccessreviews`, {
      body,
      headers,
    });
    expect([answer.status, answer.body['message']]).toEqual([
      422,
      '.authorization.k8s.io "" is invalid: metadata: Invalid value: {"name":"x","managedFields":[{"manager":"curl","operation":"Update","apiVersion":"authorization.k8s.io/v1","time":"2026-01-01T00:00:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:resourceAttributes":{".":{},"f:verb":{}},"f:user":{}}}}]}: must be empty',
    ]);
  });
});

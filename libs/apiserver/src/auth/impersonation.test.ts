import { describe, expect, it } from 'vitest';
import { AccessFixture } from './testing.js';

const PODS = '/api/v1/namespaces/default/pods';
const NAMESPACES = '/api/v1/namespaces';

function denied(verb: string): string {
  return `namespaces is forbidden: User "alice" cannot ${verb} resource "namespaces" in API group "" at the cluster scope`;
}

describe('acting for others', () => {
  it.each<[Record<string, string>, string]>([
    [{ 'impersonate-user': 'bob' }, 'impersonate-on:user-info:list'],
    [{ 'impersonate-user': 'system:serviceaccount:default:x' }, 'impersonate-on:serviceaccount:list'],
    [{ 'impersonate-user': 'admin', 'impersonate-group': 'system:masters' }, 'impersonate-on:user-info:list'],
  ])('as %j is refused without the right', async (headers, verb) => {
    const answer = await new AccessFixture().send('alice', 'GET', NAMESPACES, { headers });
    expect([answer.status, answer.body['message']]).toEqual([403, denied(verb)]);
  });

  it.each<[string, string[], Record<string, string>, number]>([
    ['users alone', ['users'], { 'impersonate-user': 'bob' }, 200],
    ['users alone, a group', ['users'], { 'impersonate-user': 'bob', 'impersonate-group': 'g' }, 403],
    ['users alone, two groups', ['users', 'groups'], { 'impersonate-user': 'bob', 'impersonate-group': 'g, h' }, 200],
    ['users alone, a uid', ['users'], { 'impersonate-user': 'bob', 'impersonate-uid': 'u' }, 403],
    ['uids', ['users', 'uids'], { 'impersonate-user': 'bob', 'impersonate-uid': 'u' }, 200],
    ['users alone, an extra', ['users'], { 'impersonate-user': 'bob', 'impersonate-extra-a': 'u' }, 403],
    ['an extra', ['users', 'userextras/a'], { 'impersonate-user': 'bob', 'impersonate-extra-a': 'u' }, 200],
    ['another extra', ['users', 'userextras/b'], { 'impersonate-user': 'bob', 'impersonate-extra-a': 'u' }, 403],
    ['users alone, an account', ['users'], { 'impersonate-user': 'system:serviceaccount:default:x' }, 403],
  ])('with the right to %s', async (_what, resources, headers, status) => {
    const fixture = new AccessFixture();
    await fixture.letAlice('actor', [{ verbs: ['impersonate'], apiGroups: ['', 'authentication.k8s.io'], resources }]);
    expect((await fixture.send('alice', 'GET', '/api', { headers })).status).toBe(status);
  });

  const REVIEW = 'authentication.k8s.io';
  it.each<[string, readonly [mode: string, resource: string], Record<string, string>, number]>([
    ['that user for that verb', ['user-info', 'users'], { 'impersonate-user': 'bob' }, 200],
    ['users, in no group', ['user-info', 'users'], { 'impersonate-user': 'bob', 'impersonate-group': 'g' }, 403],
    ['users, not accounts', ['user-info', 'users'], { 'impersonate-user': 'system:serviceaccount:default:x' }, 403],
    ['accounts', ['serviceaccount', 'serviceaccounts'], { 'impersonate-user': 'system:serviceaccount:default:x' }, 200],
    ['nodes', ['arbitrary-node', 'nodes'], { 'impersonate-user': 'system:node:n1' }, 200],
    [
      'their own node, which they have not',
      ['associated-node', 'nodes'],
      { 'impersonate-user': 'system:node:n1' },
      403,
    ],
  ])('may be allowed finely: %s', async (_what, [mode, resource], headers, status) => {
    const fixture = new AccessFixture();
    await fixture.letAlice('actor', [
      { verbs: [`impersonate:${mode}`], apiGroups: [REVIEW], resources: [resource] },
      { verbs: [`impersonate-on:${mode}:create`], apiGroups: [REVIEW], resources: ['selfsubjectreviews'] },
    ]);
    const target = `/apis/${REVIEW}/v1/selfsubjectreviews`;
    const answer = await fixture.send('alice', 'POST', target, { headers, body: {} });
    expect(answer.status).toBe(status === 200 ? 201 : status);
    // The right is for one verb on one resource.
    expect((await fixture.send('alice', 'GET', NAMESPACES, { headers })).status).toBe(403);
  });

  it('as a node gives the group of nodes', async () => {
    const target = `/apis/${REVIEW}/v1/selfsubjectreviews`;
    const headers = { 'impersonate-user': 'system:node:n1' };
    const { body } = await new AccessFixture().send('admin', 'POST', target, { headers, body: {} });
    expect(body['status']).toEqual({
      userInfo: { username: 'system:node:n1', groups: ['system:nodes', 'system:authenticated'] },
    });
  });

  it('gives the permissions of the impersonated user alone', async () => {
    const headers = { 'impersonate-user': 'bob' };
    const { status, body } = await new AccessFixture().send('admin', 'GET', PODS, { headers });
    expect([status, body['message']]).toEqual([
      403,
      'pods is forbidden: User "bob" cannot list resource "pods" in API group "" in the namespace "default"',
    ]);
  });

  it.each<[Record<string, string>, string]>([
    [{ 'impersonate-group': 'g' }, 'UID:"", Groups:[]string{"g"}, Extra:map[string][]string(nil)'],
    [{ 'impersonate-uid': '7' }, 'UID:"7", Groups:[]string(nil), Extra:map[string][]string(nil)'],
    [{ 'impersonate-extra-a': 'b' }, 'UID:"", Groups:[]string(nil), Extra:map[string][]string{"a":[]string{"b"}}'],
  ])('needs a user besides %j', async (headers, shown) => {
    const { status, body } = await new AccessFixture().send('alice', 'GET', PODS, { headers });
    expect([status, body['message']]).toEqual([
      400,
      `requested &user.DefaultInfo{Name:"", ${shown}} without impersonating a user name`,
    ]);
  });
});

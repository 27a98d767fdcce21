import { describe, expect, it } from 'vitest';
import { AccessFixture, RBAC, binding } from './testing.js';

const ALL_OF_ROLES = [
  {
    verbs: ['create', 'update', 'patch', 'get'],
    apiGroups: ['rbac.authorization.k8s.io'],
    resources: ['roles', 'rolebindings', 'clusterroles', 'clusterrolebindings'],
  },
];
const WHO =
  'user "alice" (groups=["devs" "system:authenticated"]) is attempting to grant RBAC permissions not currently held:';
const ROLES = `${RBAC}/namespaces/default/roles`;
const BINDINGS = `${RBAC}/namespaces/default/rolebindings`;

async function fixture(more: unknown[] = []): Promise<AccessFixture> {
  const made = new AccessFixture();
  await made.letAlice('keeper', [...ALL_OF_ROLES, ...more]);
  return made;
}

describe('a user who is allowed to write roles', () => {
  it.each<[string, string, object, number, string]>([
    [
      'permissions she lacks',
      ROLES,
      {
        metadata: { name: 'e' },
        rules: [
          { apiGroups: ['', 'apps'], resources: ['pods', 'deployments'], verbs: ['get', 'list'] },
          { apiGroups: [''], resources: ['secrets'], resourceNames: ['a', 'b'], verbs: ['get'] },
        ],
      },
      403,
      `roles.rbac.authorization.k8s.io "e" is forbidden: ${WHO}
{APIGroups:[""], Resources:["deployments"], Verbs:["get" "list"]}
{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}
{APIGroups:[""], Resources:["secrets"], ResourceNames:["a"], Verbs:["get"]}
{APIGroups:[""], Resources:["secrets"], ResourceNames:["b"], Verbs:["get"]}
{APIGroups:["apps"], Resources:["deployments"], Verbs:["get" "list"]}
{APIGroups:["apps"], Resources:["pods"], Verbs:["get" "list"]}`,
    ],
    [
      'a path she may not see',
      `${RBAC}/clusterroles`,
      { metadata: { name: 'e' }, rules: [{ nonResourceURLs: ['/x'], verbs: ['get'] }] },
      403,
      `clusterroles.rbac.authorization.k8s.io "e" is forbidden: ${WHO}\n{NonResourceURLs:["/x"], Verbs:["get"]}`,
    ],
    [
      'whatever others will be given',
      `${RBAC}/clusterroles`,
      { metadata: { name: 'e' }, aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] } },
      403,
      'clusterroles.rbac.authorization.k8s.io "e" is forbidden: must have cluster-admin privileges to use the aggregationRule',
    ],
    [
      'everything, to herself',
      BINDINGS,
      binding('e', 'ClusterRole', 'cluster-admin') as object,
      403,
      `rolebindings.rbac.authorization.k8s.io "e" is forbidden: ${WHO}
{APIGroups:["*"], Resources:["*"], Verbs:["*"]}
{NonResourceURLs:["*"], Verbs:["*"]}`,
    ],
    [
      'a role nobody made',
      BINDINGS,
      binding('e', 'Role', 'view2') as object,
      404,
      'rolebindings.rbac.authorization.k8s.io "view2" not found',
    ],
  ])('cannot give %s', async (_what, target, body, status, message) => {
    const answer = await (await fixture()).send('alice', 'POST', target, { body });
    expect([answer.status, answer.body['message']]).toEqual([status, message]);
  });

  it('cannot widen a role that is there, by whichever verb', async () => {
    const made = await fixture();
    await made.given(ROLES, { metadata: { name: 'r' }, rules: [] });
    const rules = [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }];
    const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata: { name: 'r' }, rules };
    const tries: [string, string, string][] = [
      ['PUT', `${ROLES}/r`, 'application/json'],
      ['PATCH', `${ROLES}/r`, 'application/merge-patch+json'],
      ['PATCH', `${ROLES}/r?fieldManager=m&force=true`, 'application/apply-patch+yaml'],
    ];
    for (const [method, target, type] of tries) {
      const answer = await made.send('alice', method, target, { body: role, headers: { 'content-type': type } });
      expect(answer).toMatchObject({
        status: 403,
        body: {
          message: `roles.rbac.authorization.k8s.io "r" is forbidden: ${WHO}\n{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}`,
        },
      });
    }
    expect((await made.send('admin', 'GET', `${ROLES}/r`)).body['rules']).toBeNull();
  });

  it('may give what she has', async () => {
    const made = await fixture();
    const body = { metadata: { name: 'same' }, rules: ALL_OF_ROLES };
    expect((await made.send('alice', 'POST', ROLES, { body })).status).toBe(201);
    expect((await made.send('alice', 'POST', BINDINGS, { body: binding('b', 'Role', 'same') })).status).toBe(201);
  });

  it('may give more with the verbs escalate and bind, which do not stand for each other', async () => {
    const rule = { apiGroups: ['rbac.authorization.k8s.io'], resources: ['roles', 'clusterroles'] };
    const body = { metadata: { name: 'e' }, rules: [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }] };
    const bound = { body: binding('b', 'ClusterRole', 'view') };
    const escalating = await fixture([{ ...rule, verbs: ['escalate'] }]);
    expect((await escalating.send('alice', 'POST', ROLES, { body })).status).toBe(201);
    expect((await escalating.send('alice', 'POST', BINDINGS, bound)).status).toBe(403);
    const binder = await fixture([{ ...rule, verbs: ['bind'], resourceNames: ['view'] }]);
    expect((await binder.send('alice', 'POST', ROLES, { body })).status).toBe(403);
    expect((await binder.send('alice', 'POST', BINDINGS, bound)).status).toBe(201);
    const other = { body: binding('c', 'ClusterRole', 'edit') };
    expect((await binder.send('alice', 'POST', BINDINGS, other)).status).toBe(403);
  });
});

import { describe, expect, it } from 'vitest';
import { AccessFixture, RBAC, binding } from './testing.js';
import { missingRules, ruleAllows, rulesOf } from './rules.js';

const ASKED = {
  isResource: true,
  verb: 'get',
  group: '',
  version: 'v1',
  resource: 'pods',
  subresource: '',
  namespace: 'n',
  name: 'x',
  path: '',
};
const PODS = { verbs: ['get'], apiGroups: [''], resources: ['pods'] };

describe('a rule', () => {
  it.each<[string, object, object, boolean]>([
    ['its verb on its resource', PODS, {}, true],
    ['another verb', PODS, { verb: 'list' }, false],
    ['another group', PODS, { group: 'apps' }, false],
    ['another resource', PODS, { resource: 'secrets' }, false],
    ['a subresource of its resource', PODS, { subresource: 'log' }, false],
    ['the subresource it names', { ...PODS, resources: ['pods/log'] }, { subresource: 'log' }, true],
    ['the resource of the subresource it names', { ...PODS, resources: ['pods/log'] }, {}, false],
    ['a subresource of whatever resource', { ...PODS, resources: ['*/log'] }, { subresource: 'log' }, true],
    ['any subresource by the star', { ...PODS, resources: ['*'] }, { subresource: 'log' }, true],
    ['any verb by the star', { ...PODS, verbs: ['*'] }, { verb: 'watch' }, true],
    ['any group by the star', { ...PODS, apiGroups: ['*'] }, { group: 'apps' }, true],
    ['the object it names', { ...PODS, resourceNames: ['x'] }, {}, true],
    ['another object than it names', { ...PODS, resourceNames: ['y'] }, {}, false],
    [
      'a create, when it names objects',
      { ...PODS, verbs: ['*'], resourceNames: ['x'] },
      { verb: 'create', name: '' },
      false,
    ],
    [
      'a list, when it names objects',
      { ...PODS, verbs: ['*'], resourceNames: ['x'] },
      { verb: 'list', name: '' },
      false,
    ],
    ['a path, when it is of resources', { ...PODS, resources: ['*'] }, { isResource: false, path: '/x' }, false],
    ['its path', { verbs: ['get'], nonResourceURLs: ['/x'] }, { isResource: false, path: '/x' }, true],
    ['what is below its path', { verbs: ['get'], nonResourceURLs: ['/x'] }, { isResource: false, path: '/x/y' }, false],
    [
      'what is below a starred path',
      { verbs: ['get'], nonResourceURLs: ['/x/*'] },
      { isResource: false, path: '/x/y' },
      true,
    ],
    [
      'a path next to a wildcard one',
      { verbs: ['get'], nonResourceURLs: ['/x/*'] },
      { isResource: false, path: '/x' },
      false,
    ],
    ['a resource, when it is of paths', { verbs: ['*'], nonResourceURLs: ['*'] }, {}, false],
  ])('about %s', (_what, rule, change, allowed) => {
    expect(rulesOf([rule]).some((each) => ruleAllows(each, { ...ASKED, ...change }))).toBe(allowed);
  });

  it.each<[string, object, object, number]>([
    ['itself', PODS, PODS, 0],
    ['one verb more', PODS, { ...PODS, verbs: ['get', 'list'] }, 1],
    ['named objects of what it has whole', PODS, { ...PODS, resourceNames: ['a', 'b'] }, 0],
    ['the whole of what it has by name', { ...PODS, resourceNames: ['a'] }, PODS, 1],
    ['another name', { ...PODS, resourceNames: ['a'] }, { ...PODS, resourceNames: ['a', 'b'] }, 1],
    ['the star for one of many', PODS, { ...PODS, resources: ['*'] }, 1],
    ['a subresource under a starred one', { ...PODS, resources: ['*/scale'] }, { ...PODS, resources: ['x/scale'] }, 0],
    [
      'a narrower path',
      { verbs: ['get'], nonResourceURLs: ['/a/*'] },
      { verbs: ['get'], nonResourceURLs: ['/a/b*'] },
      0,
    ],
    ['a wider path', { verbs: ['get'], nonResourceURLs: ['/a/b*'] }, { verbs: ['get'], nonResourceURLs: ['/a/*'] }, 1],
  ])('%s is missing as many rules as are not covered', (_what, owned, wanted, missing) => {
    expect(missingRules(rulesOf([owned]), rulesOf([wanted]))).toHaveLength(missing);
  });
});

const SECRETS = '/api/v1/namespaces/default/secrets';
const LIST_DENIED =
  'secrets is forbidden: User "alice" cannot list resource "secrets" in API group "" in the namespace "default"';
const READ_SECRETS = [{ verbs: ['get', 'list'], apiGroups: [''], resources: ['secrets'] }];

describe('roles and bindings', () => {
  it('let nobody do what no role allows', async () => {
    const fixture = new AccessFixture();
    expect(await fixture.send('alice', 'GET', SECRETS)).toMatchObject({ status: 403, body: { message: LIST_DENIED } });
    expect((await fixture.send('admin', 'GET', SECRETS)).status).toBe(200);
  });

  it('of the whole cluster hold everywhere, from the moment they are made until they go', async () => {
    const fixture = new AccessFixture();
    await fixture.letAlice('reader', READ_SECRETS);
    for (const path of [SECRETS, '/api/v1/secrets'])
      expect((await fixture.send('alice', 'GET', path)).status).toBe(200);
    await fixture.send('admin', 'DELETE', `${RBAC}/clusterrolebindings/reader`);
    expect((await fixture.send('alice', 'GET', SECRETS)).status).toBe(403);
  });

  it('that give a cluster role in a namespace give it there alone', async () => {
    const fixture = new AccessFixture();
    await fixture.given(`${RBAC}/clusterroles`, { metadata: { name: 'reader' }, rules: READ_SECRETS });
    await fixture.given(`${RBAC}/namespaces/default/rolebindings`, binding('reader', 'ClusterRole', 'reader'));
    const seen: number[] = [];
    for (const path of [SECRETS, '/api/v1/namespaces/kube-system/secrets', '/api/v1/secrets'])
      seen.push((await fixture.send('alice', 'GET', path)).status);
    expect(seen).toEqual([200, 403, 403]);
  });

  it('that name a role nobody made say so', async () => {
    const fixture = new AccessFixture();
    await fixture.given(`${RBAC}/namespaces/default/rolebindings`, binding('broken', 'Role', 'missing'));
    const { body } = await fixture.send('alice', 'GET', SECRETS);
    expect(body['message']).toBe(`${LIST_DENIED}: RBAC: role.rbac.authorization.k8s.io "missing" not found`);
  });

  it('made of others allow what those do, also those that come later', async () => {
    const fixture = new AccessFixture();
    await fixture.given(`${RBAC}/namespaces/default/rolebindings`, binding('v', 'ClusterRole', 'view'));
    expect((await fixture.send('alice', 'GET', '/api/v1/namespaces/default/configmaps')).status).toBe(200);
    expect((await fixture.send('alice', 'GET', SECRETS)).status).toBe(403);
    const labels = { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' };
    await fixture.given(`${RBAC}/clusterroles`, { metadata: { name: 'more', labels }, rules: READ_SECRETS });
    expect((await fixture.send('alice', 'GET', SECRETS)).status).toBe(200);
  });

  it.each([
    ['', '/version', 200],
    ['', '/healthz', 200],
    ['', '/api', 403],
    ['', '/metrics', 403],
    ['alice', '/api', 200],
    ['alice', '/apis/apps/v1', 200],
    ['alice', '/openapi/v3', 200],
    ['alice', '/metrics', 403],
    ['admin', '/metrics', 200],
    ['nobody', '/version', 401],
  ])('let %j at %s be answered with %i', async (token, path, status) => {
    expect((await new AccessFixture().send(token, 'GET', path)).status).toBe(status);
  });

  it('are there from the start as a real server makes them', async () => {
    const fixture = new AccessFixture();
    const counts: number[] = [];
    for (const plural of ['clusterroles', 'clusterrolebindings', 'roles', 'rolebindings'])
      counts.push(((await fixture.send('admin', 'GET', `${RBAC}/${plural}`)).body['items'] as unknown[]).length);
    expect(counts).toEqual([69, 50, 7, 7]);
    const { body } = await fixture.send('admin', 'GET', `${RBAC}/clusterroles/cluster-admin`);
    expect(body['rules']).toEqual([
      { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
      { verbs: ['*'], nonResourceURLs: ['*'] },
    ]);
    expect((await fixture.send('admin', 'GET', `${RBAC}/clusterroles/edit`)).body).toMatchObject({
      metadata: { labels: { 'rbac.authorization.k8s.io/aggregate-to-admin': 'true' } },
      aggregationRule: {
        clusterRoleSelectors: [{ matchLabels: { 'rbac.authorization.k8s.io/aggregate-to-edit': 'true' } }],
      },
    });
  });

  it('must allow a create too where a change makes the object', async () => {
    const fixture = new AccessFixture();
    await fixture.letAlice('changer', [{ verbs: ['update', 'patch'], apiGroups: [''], resources: ['configmaps'] }]);
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } };
    const headers = { 'content-type': 'application/apply-patch+yaml' };
    const target = '/api/v1/namespaces/default/configmaps/x?fieldManager=m';
    const answer = await fixture.send('alice', 'PATCH', target, { body, headers });
    expect([answer.status, answer.body['message']]).toEqual([
      403,
      'configmaps "x" is forbidden: User "alice" cannot create resource "configmaps" in API group "" in the namespace "default"',
    ]);
    expect((await fixture.send('admin', 'PATCH', target, { body, headers })).status).toBe(201);
  });
});

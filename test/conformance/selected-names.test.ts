import { CONFIG_MAPS, configMap, given } from '../src/conformance/objects.js';
import type { Session } from '../src/conformance/session.js';
import { suite } from '../src/conformance/suite.js';
import { untilStatus } from '../src/wait.js';

const it = suite('selected-names');
const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const REVIEWS = '/apis/authorization.k8s.io/v1';
const BOB = { 'impersonate-user': 'bob' };

/** Bob may do everything with the config map `mine` of the test's namespace, and nothing with others. */
async function ownsMine(s: Session): Promise<void> {
  for (const name of ['mine', 'other']) await given(s, CONFIG_MAPS, configMap(name));
  await given(s, `${RBAC}/namespaces/{ns}/roles`, {
    metadata: { name: 'mine' },
    rules: [{ apiGroups: [''], resources: ['configmaps'], resourceNames: ['mine'], verbs: ['*'] }],
  });
  await given(s, `${RBAC}/namespaces/{ns}/rolebindings`, {
    metadata: { name: 'mine' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'bob' }],
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'mine' },
  });
  await untilStatus(200, () => s.quiet('GET', `${CONFIG_MAPS}/mine`, { headers: BOB }));
}

it('a list by a field selector on the name is authorized as a request for that name', async (s) => {
  await ownsMine(s);
  for (const query of [
    'fieldSelector=metadata.name%3Dmine',
    'fieldSelector=metadata.name%3D%3Dmine',
    'fieldSelector=metadata.namespace%3D{ns},metadata.name%3Dmine',
    'fieldSelector=metadata.name%3Dmine&labelSelector=a%3Db',
    'fieldSelector=metadata.name%3Dmine&limit=1',
    'fieldSelector=metadata.name%3Dmine,metadata.name%3Dother',
    'fieldSelector=metadata.name%3Dother',
    'fieldSelector=metadata.name%3Dother,metadata.name%3Danother',
    'fieldSelector=metadata.name!%3Dmine',
    'fieldSelector=metadata.name%3D',
    'fieldSelector=metadata.name%3Da%2Fb',
    'fieldSelector=metadata.name%3D..',
    'fieldSelector=metadata.name',
    'fieldSelector=metadata.name%3Dmine&labelSelector=a%20b',
    'fieldSelector=metadata.name%3Dmine&limit=many',
    'fieldSelector=spec.x%3D1,metadata.name%3Dmine',
    'labelSelector=metadata.name%3Dmine',
    '',
  ])
    await s.get(`${CONFIG_MAPS}?${query}`, { headers: BOB });
});

it('a watch by a field selector on the name is authorized as a request for that name', async (s) => {
  await ownsMine(s);
  for (const path of [
    `${CONFIG_MAPS}?watch=true&fieldSelector=metadata.name%3Dmine`,
    `${CONFIG_MAPS}?watch=true&fieldSelector=metadata.name%3Dother`,
    `${CONFIG_MAPS}?watch=true`,
    `/api/v1/configmaps?watch=true&fieldSelector=metadata.name%3Dmine`,
    '/api/v1/watch/namespaces/{ns}/configmaps?fieldSelector=metadata.name%3Dmine',
    '/api/v1/watch/namespaces/{ns}/configmaps/mine',
    '/api/v1/watch/namespaces/{ns}/configmaps/other?fieldSelector=metadata.name%3Dmine',
    '/api/v1/watch/namespaces/{ns}/configmaps/mine?fieldSelector=metadata.name%3Dother',
    '/api/v1/watch/namespaces/{ns}/configmaps/mine?fieldSelector=metadata.name%3Dmine',
  ]) {
    const watching = await s.watch(path, { headers: BOB });
    if (watching.response.status === 200) await watching.until(1);
    s.note(`watch ${path}`, watching);
  }
});

it('a path with a name is a get, whatever its query', async (s) => {
  await ownsMine(s);
  await s.get(`${CONFIG_MAPS}/other?watch=true&fieldSelector=metadata.name%3Dmine`, { headers: BOB });
  await s.get(`${REVIEWS}/subjectaccessreviews?fieldSelector=metadata.name%3Dmine`);
});

it('a collection is not deleted by the right to one object', async (s) => {
  await ownsMine(s);
  await s.delete(`${CONFIG_MAPS}?fieldSelector=metadata.name%3Dmine`, undefined, { headers: BOB });
  await s.delete(CONFIG_MAPS, undefined, { headers: BOB });
  await s.get(`${CONFIG_MAPS}/mine`);
});

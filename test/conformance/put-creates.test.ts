import { suite } from '../src/conformance/suite.js';

const it = suite('put-creates');
const ROLES = '/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles';
const role = (metadata: object): object => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'Role',
  metadata,
  rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
});

it('an update creates a missing object, unless it has a uid', async (s) => {
  await s.put(`${ROLES}/known`, role({ name: 'known', uid: 'u' }));
  await s.get(`${ROLES}/known`);
  await s.apply(`${ROLES}/known`, 'me', role({ name: 'known', uid: 'u' }));
  await s.get(`${ROLES}/known`);
  await s.put(`${ROLES}/unknown`, role({ name: 'unknown' }));
  await s.apply(`${ROLES}/applied`, 'me', role({ name: 'applied' }));
});

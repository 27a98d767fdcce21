import { RbacIndex, Store } from '@capstan/apiserver';
import { systemClock } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import type { BenchRow } from '../../model.js';

const GROUP = 'rbac.authorization.k8s.io';
const BINDINGS = 1_000;
const GROUPS = 20;

/** As many bindings in one namespace, a few dozen of which concern the user who asks, the last one rightly. */
function storeOfBindings(): Store {
  const store = new Store({ clock: systemClock() });
  const put = (plural: string, kind: string, name: string, rest: object): void => {
    const object = { kind, apiVersion: `${GROUP}/v1`, metadata: { name, namespace: 'default' }, ...rest } as KubeObject;
    store.create(`${GROUP}/${plural}`, 'default', name, object);
  };
  for (let at = 0; at < BINDINGS; at += 1) {
    const name = `r-${at}`;
    const resources = [`things-${at}`, `things-${at}/status`];
    put('roles', 'Role', name, { rules: [{ verbs: ['get', 'list', 'watch'], apiGroups: ['example.com'], resources }] });
    put('rolebindings', 'RoleBinding', name, {
      subjects: [{ kind: 'Group', apiGroup: GROUP, name: `g-${at % GROUPS}` }],
      roleRef: { apiGroup: GROUP, kind: 'Role', name },
    });
  }
  return store;
}

/** The cost of an access review. */
export function accessRows(): BenchRow[] {
  const index = new RbacIndex(storeOfBindings());
  const user = { username: 'alice', groups: [`g-${GROUPS - 1}`, 'system:authenticated'] };
  const asked = {
    isResource: true,
    verb: 'list',
    group: 'example.com',
    version: 'v1',
    resource: `things-${BINDINGS - 1}`,
    subresource: '',
    namespace: 'default',
    name: '',
    path: '',
  };
  const text = JSON.stringify({ user, asked });
  if (!index.authorize(user, asked).allowed) throw new Error('the roles do not allow what they should');
  return [
    {
      name: 'RBAC check with 1,000 bindings',
      unit: 'us',
      better: 'lower',
      target: 20,
      run: (context) => 1e6 / context.rate(() => index.authorize(user, asked)),
      reference: { name: 'JSON.parse of the question', run: (context) => 1e6 / context.rate(() => JSON.parse(text)) },
    },
  ];
}

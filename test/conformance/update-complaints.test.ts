import type { Session } from '../src/conformance/session.js';
import { suite } from '../src/conformance/suite.js';

const it = suite('update-complaints');
const CORE = '/api/v1/namespaces/{ns}/';
const RBAC = 'rbac.authorization.k8s.io/v1';
const NETWORKING = 'networking.k8s.io/v1';
const STORAGE = 'storage.k8s.io/v1';

interface Kind {
  readonly collection: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly good: Readonly<Record<string, unknown>>;
  readonly bad: Readonly<Record<string, unknown>>;
  readonly name?: string;
}

type Row = readonly [collection: string, apiVersion: string, name: string, good: Kind['good'], bad: Kind['bad']];

function kind(...[collection, apiVersion, name, good, bad]: Row): Kind {
  return { collection, apiVersion, kind: name, good, bad };
}

const volume = (mode: string, path: string): object => ({
  spec: { capacity: { storage: '1Gi' }, accessModes: [mode], hostPath: { path } },
});
const claim = (mode: string): object => ({
  spec: { accessModes: [mode], resources: { requests: { storage: '1Gi' } } },
});
const roleRef = (refKind: string): object => ({
  roleRef: { kind: refKind, name: 'a', apiGroup: 'rbac.authorization.k8s.io' },
});
const parentRef = (resource: string): object => ({
  spec: { parentRef: { group: '', resource, name: 'a', namespace: 'b' } },
});

/** Kinds that look at the metadata of an update a second time between their own complaints, and some that do not. */
const KINDS: readonly Kind[] = [
  kind(`${CORE}configmaps`, 'v1', 'ConfigMap', { data: { a: 'b' }, immutable: true }, { data: { '!': 'b' } }),
  kind(`${CORE}secrets`, 'v1', 'Secret', { data: { a: 'Yg==' } }, { data: { '!': 'Yg==' }, type: 'x' }),
  kind(
    '/api/v1/persistentvolumes',
    'v1',
    'PersistentVolume',
    { ...volume('ReadWriteOnce', '/x') },
    { ...volume('X', '/x') },
  ),
  kind(
    `${CORE}persistentvolumeclaims`,
    'v1',
    'PersistentVolumeClaim',
    { ...claim('ReadWriteOnce') },
    { ...claim('X') },
  ),
  kind(
    `/apis/${NETWORKING}/ingressclasses`,
    NETWORKING,
    'IngressClass',
    { spec: { controller: 'a.b/c' } },
    { spec: { controller: 'a' } },
  ),
  kind('/api/v1/nodes', 'v1', 'Node', { spec: {} }, { spec: { taints: [{ key: '!', effect: 'X' }] } }),
  kind('/apis/node.k8s.io/v1/runtimeclasses', 'node.k8s.io/v1', 'RuntimeClass', { handler: 'a' }, { handler: 'B_' }),
  kind(`/apis/${RBAC}/namespaces/{ns}/roles`, RBAC, 'Role', { rules: [] }, { rules: [{}] }),
  kind(`/apis/${RBAC}/namespaces/{ns}/rolebindings`, RBAC, 'RoleBinding', { ...roleRef('Role') }, { ...roleRef('X') }),
  kind(`/apis/${STORAGE}/storageclasses`, STORAGE, 'StorageClass', { provisioner: 'a' }, { provisioner: '!' }),
  kind(
    `/apis/${STORAGE}/namespaces/{ns}/csistoragecapacities`,
    STORAGE,
    'CSIStorageCapacity',
    { storageClassName: 'a' },
    { storageClassName: '!' },
  ),
  kind(`${CORE}limitranges`, 'v1', 'LimitRange', { spec: { limits: [] } }, { spec: { limits: [{ type: '!' }] } }),
  kind(
    '/apis/scheduling.k8s.io/v1/priorityclasses',
    'scheduling.k8s.io/v1',
    'PriorityClass',
    { value: 1 },
    { value: 2 },
  ),
];

async function refused(s: Session, { collection, apiVersion, kind: name, good, bad, ...given }: Kind): Promise<void> {
  const at = given.name ?? 'x-{ns}';
  const created = await s.quiet('POST', collection, {
    body: { apiVersion, kind: name, metadata: { name: at }, ...good },
  });
  const { resourceVersion } = created.object().metadata;
  const put = (metadata: object): Promise<unknown> =>
    s.put(`${collection}/${at}?dryRun=All`, {
      apiVersion,
      kind: name,
      metadata: { name: at, resourceVersion, ...metadata },
      ...bad,
    });
  await put({ finalizers: ['*'] });
  await put({ generateName: 'A_', labels: { '!': 'a' } });
  await s.quiet('DELETE', `${collection}/${at}?gracePeriodSeconds=0`);
}

it('metadata errors are repeated where the kind validates its metadata again', async (s) => {
  for (const each of KINDS) await refused(s, each);
});

const ADDRESSES = `/apis/${NETWORKING}/ipaddresses`;

it(
  'an updated address is validated like a new one',
  (s) =>
    refused(s, {
      ...kind(ADDRESSES, NETWORKING, 'IPAddress', { ...parentRef('services') }, { ...parentRef('') }),
      name: '10.7.7.8',
    }),
  { exempt: { 'real-1.30': 'it has no such kind in this version' } },
);

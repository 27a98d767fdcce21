import { createCertificateRequest } from '@capstan/kube';
import { configMap, CONFIG_MAPS, given, pod, PODS } from '../src/conformance/objects.js';
import { STRATEGIC, type Answer, type CallOptions, type Session } from '../src/conformance/session.js';
import { suite } from '../src/conformance/suite.js';
import { untilStatus } from '../src/wait.js';

const it = suite('nodes');
const SECRETS = '/api/v1/namespaces/{ns}/secrets';
const ACCOUNTS = '/api/v1/namespaces/{ns}/serviceaccounts';
const CLAIMS = '/api/v1/namespaces/{ns}/persistentvolumeclaims';
const NODES = '/api/v1/nodes';
const VOLUMES = '/api/v1/persistentvolumes';
const ATTACHMENTS = '/apis/storage.k8s.io/v1/volumeattachments';
const CSI_NODES = '/apis/storage.k8s.io/v1/csinodes';
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';
const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const REVIEWS = '/apis/authorization.k8s.io/v1';
/** Cluster-scoped objects are named after the test's namespace, so that tests can share a server. */
const [OWN, OTHER] = ['own-{ns}', 'other-{ns}'];

/** Asks as a node. */
function as(s: Session, node: string, options: CallOptions = {}): CallOptions {
  const user = `system:node:${node.replaceAll('{ns}', s.ns)}`;
  return { ...options, headers: { 'impersonate-user': user, 'impersonate-group': 'system:nodes', ...options.headers } };
}

function node(name: string, metadata: object = {}, spec: object = {}): Record<string, unknown> {
  return { apiVersion: 'v1', kind: 'Node', metadata: { name, ...metadata }, spec };
}

function secret(name: string): Record<string, unknown> {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name }, data: { a: 'MQ==' } };
}

/** Two nodes, with a pod on each that has a Secret, a ConfigMap, an account and a claim of its own, and one that is on none. */
async function nodesWithPods(s: Session): Promise<void> {
  for (const [which, name] of [
    ['own', OWN],
    ['other', OTHER],
    ['none', undefined],
  ] as const) {
    if (name !== undefined) await given(s, NODES, node(name));
    await given(s, SECRETS, secret(which));
    await given(s, CONFIG_MAPS, configMap(which));
    await given(s, ACCOUNTS, { metadata: { name: which } });
    await given(s, CLAIMS, claim(which));
    const nodeName = name === undefined ? {} : { nodeName: name };
    await given(s, PODS, pod(which, {}, { ...nodeName, serviceAccountName: which, volumes: volumesOf(which) }));
  }
  for (const [which, name] of [
    ['own', OWN],
    ['other', OTHER],
  ] as const)
    await untilStatus(200, () => s.quiet('GET', `${SECRETS}/${which}`, as(s, name)));
}

function volumesOf(name: string): object[] {
  const token = { serviceAccountToken: { path: 't', audience: 'wanted', expirationSeconds: 3600 } };
  return [
    { name: 's', secret: { secretName: name } },
    { name: 'c', configMap: { name } },
    { name: 'v', persistentVolumeClaim: { claimName: name } },
    { name: 't', projected: { sources: [token] } },
  ];
}

function claim(name: string): Record<string, unknown> {
  const resources = { requests: { storage: '1Gi' } };
  const spec = { accessModes: ['ReadWriteOnce'], resources, storageClassName: 'x', volumeName: `${name}-{ns}` };
  return { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name }, spec };
}

function volume(name: string): Record<string, unknown> {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: `${name}-{ns}` },
    spec: {
      accessModes: ['ReadWriteOnce'],
      capacity: { storage: '1Gi' },
      storageClassName: 'x',
      claimRef: { namespace: '{ns}', name },
      csi: {
        driver: 'd',
        volumeHandle: 'h',
        nodePublishSecretRef: { namespace: '{ns}', name: `volume-${name}` },
        controllerPublishSecretRef: { namespace: '{ns}', name: `controller-${name}` },
      },
    },
  };
}

async function tidy(s: Session): Promise<void> {
  for (const target of [
    `${NODES}/${OWN}`,
    `${NODES}/${OTHER}`,
    `${VOLUMES}/own-{ns}`,
    `${VOLUMES}/other-{ns}`,
    `${ATTACHMENTS}/own-{ns}`,
    `${CSI_NODES}/${OWN}`,
    `${LEASES}/${OWN}`,
  ])
    await s.quiet('DELETE', target);
}

function nodeTest(name: string, run: (s: Session) => Promise<void>): void {
  const tidied = async (s: Session): Promise<void> => {
    try {
      await run(s);
    } finally {
      await tidy(s);
    }
  };
  it(name, tidied);
}

nodeTest('a node reads what its pods name, and nothing else', async (s) => {
  await nodesWithPods(s);
  for (const collection of [SECRETS, CONFIG_MAPS]) {
    for (const name of ['own', 'other', 'none', 'absent']) {
      await s.get(`${collection}/${name}`, as(s, OWN));
      await s.get(`${collection}?fieldSelector=metadata.name%3D${name}`, as(s, OWN));
    }
    for (const target of [collection, collection.replace('namespaces/{ns}/', ''), `${collection}?limit=1`])
      await s.get(target, as(s, OWN));
    await s.get(`${collection.replace('namespaces/{ns}/', '')}?fieldSelector=metadata.name%3Down`, as(s, OWN));
    s.note('watch all', await s.watch(`${collection}?watch=true`, as(s, OWN)));
    s.note('watch another', await s.watch(`${collection}?watch=true&fieldSelector=metadata.name%3Dother`, as(s, OWN)));
    await s.post(collection, { metadata: { name: 'x' } }, as(s, OWN));
    await s.merge(`${collection}/own`, { data: {} }, as(s, OWN));
    await s.delete(`${collection}/own`, undefined, as(s, OWN));
    await s.delete(collection, undefined, as(s, OWN));
  }
  // In another group, without a name, and of a name that nothing is known of.
  await s.get(`${SECRETS}/own`, as(s, OWN, { headers: { 'impersonate-group': 'others' } }));
  await s.get(`${SECRETS}/own`, as(s, ''));
  await s.get(`${SECRETS}/own`, as(s, 'absent-{ns}'));
});

nodeTest('a node reads its own Node and its own pods', async (s) => {
  await nodesWithPods(s);
  for (const target of [
    `${NODES}/${OWN}`,
    `${NODES}?fieldSelector=metadata.name%3D${OWN}`,
    `${NODES}/${OTHER}`,
    `${NODES}?fieldSelector=metadata.name%3D${OTHER}`,
    NODES,
    `${PODS}/own`,
    `${PODS}/other`,
    `${PODS}/none`,
    `${PODS}?fieldSelector=spec.nodeName%3D${OWN}`,
    `/api/v1/pods?fieldSelector=spec.nodeName%3D${OWN}`,
    `/api/v1/pods?fieldSelector=spec.nodeName%3D${OTHER}`,
    `/api/v1/pods?fieldSelector=spec.nodeName!%3D${OWN}`,
    `/api/v1/pods?fieldSelector=status.phase%3DPending,spec.nodeName%3D${OWN}`,
    `${PODS}?fieldSelector=metadata.name%3Down`,
    `${PODS}?fieldSelector=metadata.name%3Dother`,
    PODS,
    '/api/v1/pods',
    `${PODS}/own/log`,
    `${PODS}/own/status`,
    `${NODES}/${OWN}/status`,
    `${NODES}/${OWN}/proxy/`,
  ])
    await s.get(target, as(s, OWN));
  s.note('watch all', await s.watch('/api/v1/pods?watch=true', as(s, OWN)));
  s.note('watch none', await s.watch('/api/v1/pods?watch=true&fieldSelector=spec.nodeName%3D', as(s, OWN)));
});

nodeTest('a node reads the volumes of its pods and their Secrets', async (s) => {
  await nodesWithPods(s);
  for (const name of ['own', 'other']) {
    await given(s, VOLUMES, volume(name));
    for (const each of [`volume-${name}`, `controller-${name}`]) await given(s, SECRETS, secret(each));
  }
  await given(s, ATTACHMENTS, {
    metadata: { name: 'own-{ns}' },
    spec: { attacher: 'a', nodeName: OWN, source: { persistentVolumeName: 'own-{ns}' } },
  });
  await untilStatus(200, () => s.quiet('GET', `${VOLUMES}/own-{ns}`, as(s, OWN)));
  await untilStatus(200, () => s.quiet('GET', `${ATTACHMENTS}/own-{ns}`, as(s, OWN)));
  await untilStatus(200, () => s.quiet('GET', `${VOLUMES}/other-{ns}`, as(s, OTHER)));
  for (const name of ['own', 'other']) {
    await s.get(`${CLAIMS}/${name}`, as(s, OWN));
    await s.get(`${VOLUMES}/${name}-{ns}`, as(s, OWN));
    await s.get(`${SECRETS}/volume-${name}`, as(s, OWN));
    await s.get(`${SECRETS}/controller-${name}`, as(s, OWN));
  }
  await s.get(`${ATTACHMENTS}/own-{ns}`, as(s, OWN));
  await s.get(`${ATTACHMENTS}/own-{ns}`, as(s, OTHER));
  for (const target of [CLAIMS, VOLUMES, ATTACHMENTS, `${VOLUMES}?fieldSelector=metadata.name%3Down-{ns}`])
    await s.get(target, as(s, OWN));
  await s.get(`${CLAIMS}/own/status`, as(s, OWN));
  await s.merge(`${CLAIMS}/own`, { metadata: { labels: { a: 'b' } } }, as(s, OWN));
  const status = { capacity: { storage: '2Gi' } };
  await s.merge(`${CLAIMS}/own/status`, { status }, as(s, OWN));
  await s.merge(`${CLAIMS}/own/status`, { status: { phase: 'Lost' } }, as(s, OWN));
  await s.merge(`${CLAIMS}/own/status`, { metadata: { labels: { a: 'b' } } }, as(s, OWN));
  await s.merge(`${CLAIMS}/own/status`, { metadata: { finalizers: [] }, status }, as(s, OWN));
  await s.merge(`${CLAIMS}/other/status`, { status }, as(s, OWN));
});

nodeTest('what a node reads ends with the pod', async (s) => {
  await nodesWithPods(s);
  await given(s, PODS, pod('second', {}, { nodeName: OWN, volumes: volumesOf('own').slice(0, 2) }));
  await untilStatus(200, () => s.quiet('GET', `${PODS}/second`, as(s, OWN)));
  await s.quiet('DELETE', `${PODS}/own?gracePeriodSeconds=0`);
  await untilStatus(403, () => s.quiet('POST', `${ACCOUNTS}/own/token`, as(s, OWN, { body: { spec: {} } })));
  await s.get(`${SECRETS}/own`, as(s, OWN));
  await s.quiet('DELETE', `${PODS}/second?gracePeriodSeconds=0`);
  await untilStatus(403, () => s.quiet('GET', `${SECRETS}/own`, as(s, OWN)));
  await s.get(`${SECRETS}/own`, as(s, OWN));
  await s.get(`${CONFIG_MAPS}/own`, as(s, OWN));
});

nodeTest('a node asks for tokens of its pods alone', async (s) => {
  await nodesWithPods(s);
  const uid = async (name: string): Promise<string> =>
    (await s.quiet('GET', `${PODS}/${name}`)).object().metadata.uid ?? '';
  const bound = async (name: string, more: object = {}, spec: object = {}): Promise<object> => ({
    spec: {
      audiences: ['wanted'],
      ...spec,
      boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name, uid: await uid(name), ...more },
    },
  });
  const ask = (account: string, body: object): Promise<Answer> =>
    s.post(`${ACCOUNTS}/${account}/token`, body, as(s, OWN));
  const good = await s.quiet('POST', `${ACCOUNTS}/own/token`, as(s, OWN, { body: await bound('own') }));
  s.remark('a token for the own pod', good.status);
  await ask('own', { spec: { audiences: ['wanted'] } });
  await ask('own', await bound('own', { kind: 'Secret' }));
  await ask('own', await bound('own', { uid: '' }));
  await ask('own', await bound('own', { uid: '00000000-0000-4000-8000-000000000000' }));
  await ask('own', await bound('absent', { uid: '1' }));
  await ask('own', await bound('other'));
  await ask('other', await bound('other'));
  await ask('none', await bound('none'));
  await ask('absent', await bound('own'));
  await s.get(`${ACCOUNTS}/other`, as(s, OWN));
  await s.get(ACCOUNTS, as(s, OWN));
  await s.merge(`${ACCOUNTS}/own`, { metadata: { labels: { a: 'b' } } }, as(s, OWN));
  await s.post(ACCOUNTS, { metadata: { name: 'x' } }, as(s, OWN));
});

nodeTest('a node asks for tokens of the audiences its pods name', async (s) => {
  await nodesWithPods(s);
  const { uid } = (await s.quiet('GET', `${PODS}/own`)).object().metadata;
  const boundObjectRef = { kind: 'Pod', apiVersion: 'v1', name: 'own', uid };
  for (const audiences of [['elsewhere'], ['wanted', 'elsewhere'], []])
    await s.post(`${ACCOUNTS}/own/token`, { spec: { audiences, boundObjectRef } }, as(s, OWN));
});

nodeTest('a node writes its own Node, but not the labels and taints that attract pods', async (s) => {
  const labelled = (labels: object): object => node(OWN, { labels });
  await s.post(NODES, labelled({ 'node-restriction.kubernetes.io/x': '1', 'kubernetes.io/os': 'linux' }), as(s, OWN));
  await s.post(
    NODES,
    labelled({ 'x.node-restriction.kubernetes.io/y': '', 'node-role.kubernetes.io/master': '' }),
    as(s, OWN),
  );
  await s.post(NODES, node(OTHER), as(s, OWN));
  await s.post(NODES, { apiVersion: 'v1', kind: 'Node', metadata: { generateName: 'x-' } }, as(s, OWN));
  await s.post(
    NODES,
    node(
      OWN,
      {
        labels: {
          'kubernetes.io/hostname': 'h',
          'node.kubernetes.io/x': '',
          'a.kubelet.kubernetes.io/b': '',
          own: 'x',
        },
      },
      { taints: [{ key: 'a', effect: 'NoSchedule' }] },
    ),
    as(s, OWN),
  );
  await given(s, NODES, node(OTHER));
  const at = `${NODES}/${OWN}`;
  await s.merge(at, { metadata: { labels: { own: 'y', 'topology.kubernetes.io/zone': 'z' } } }, as(s, OWN));
  await s.merge(at, { metadata: { labels: { 'node-restriction.kubernetes.io/x': '1' } } }, as(s, OWN));
  await s.merge(at, { metadata: { labels: { 'k8s.io/b': '', 'a.k8s.io/b': '', 'kubernetes.io/c': '' } } }, as(s, OWN));
  await s.merge(`${at}/status`, { metadata: { labels: { 'kubernetes.io/c': '' } } }, as(s, OWN));
  await s.merge(at, { spec: { taints: [] } }, as(s, OWN));
  await s.merge(`${at}/status`, { spec: { taints: [] } }, as(s, OWN));
  await s.merge(at, { spec: { taints: [{ key: 'b', effect: 'NoExecute' }] } }, as(s, OWN));
  await s.merge(at, { spec: { unschedulable: true } }, as(s, OWN));
  const owner = { apiVersion: 'v1', kind: 'Node', name: OTHER, uid: '1' };
  await s.merge(at, { metadata: { ownerReferences: [owner] } }, as(s, OWN));
  const configSource = {
    configMap: { namespace: '{ns}', name: 'x', kubeletConfigKey: 'k', uid: 'u', resourceVersion: '1' },
  };
  await s.merge(at, { spec: { configSource } }, as(s, OWN));
  await s.merge(`${at}/status`, { status: { conditions: [{ type: 'Ready', status: 'True' }] } }, as(s, OWN));
  await s.merge(`${NODES}/${OTHER}`, { metadata: { labels: { a: 'b' } } }, as(s, OWN));
  await s.merge(`${NODES}/${OTHER}/status`, { status: { phase: 'x' } }, as(s, OWN));
  await s.delete(at, undefined, as(s, OWN));
  await s.delete(`${NODES}/${OTHER}`, undefined, as(s, OWN));
  await s.delete(NODES, undefined, as(s, OWN));
  await s.post(NODES, node('x-{ns}'), as(s, ''));
});

nodeTest('a node creates mirror pods of its own, and no others', async (s) => {
  const made = await given(s, NODES, node(OWN));
  const { uid } = made.object().metadata;
  const owner = { apiVersion: 'v1', kind: 'Node', name: OWN, uid, controller: true };
  const mirror = (
    owners: object[],
    spec: object = {},
    annotations: object = { 'kubernetes.io/config.mirror': 'x' },
  ): object => pod('m', { annotations, ownerReferences: owners }, { nodeName: OWN, ...spec });
  const post = (body: object): Promise<Answer> => s.post(PODS, body, as(s, OWN));
  await untilStatus(403, () =>
    s.quiet('POST', PODS, as(s, OWN, { body: mirror([owner], { serviceAccountName: 'x' }) })),
  );
  await post(pod('m'));
  await post(pod('m', {}, { nodeName: OWN }));
  await post(mirror([owner], { nodeName: OTHER }));
  await post(mirror([]));
  await post(mirror([{ ...owner, controller: false }]));
  await post(mirror([{ ...owner, name: OTHER }]));
  await post(mirror([{ ...owner, blockOwnerDeletion: true }]));
  await post(mirror([{ ...owner, uid: 'x' }]));
  await post(mirror([owner, { apiVersion: 'v1', kind: 'Pod', name: 'x', uid: 'x' }]));
  for (const spec of [
    { serviceAccountName: 'x' },
    { imagePullSecrets: [{ name: 'x' }] },
    { volumes: [{ name: 'v', secret: { secretName: 'x' } }] },
    { volumes: [{ name: 'v', configMap: { name: 'x' } }] },
    { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'x' } }] },
    { volumes: [{ name: 'v', csi: { driver: 'x' } }] },
    { volumes: [{ name: 'v', projected: { sources: [{ serviceAccountToken: { path: 't' } }] } }] },
    { volumes: [{ name: 'v', azureFile: { secretName: 'x', shareName: 'y' } }] },
    {
      containers: [
        { name: 'c', image: 'i', env: [{ name: 'E', valueFrom: { secretKeyRef: { name: 'x', key: 'k' } } }] },
      ],
    },
    { containers: [{ name: 'c', image: 'i', envFrom: [{ configMapRef: { name: 'x' } }] }] },
  ])
    await post(mirror([owner], spec));
  await post(mirror([owner], { volumes: [{ name: 'v', hostPath: { path: '/x' } }] }));
  await s.merge(`${PODS}/m`, { metadata: { labels: { a: 'b' } } }, as(s, OWN));
  await s.post(`${PODS}/m/binding`, { target: { kind: 'Node', name: OTHER } }, as(s, OWN));
  await s.post(`${PODS}/m/exec?command=x`, {}, as(s, OWN));
  await s.delete(`${PODS}/m?gracePeriodSeconds=0`, undefined, as(s, OWN));
});

nodeTest('a node reports, evicts and deletes its own pods', async (s) => {
  await nodesWithPods(s);
  const eviction = (name: string): object => ({ apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } });
  for (const name of ['other', 'none', 'own', 'absent']) {
    const status = { phase: 'Running' };
    await s.call('PATCH', `${PODS}/${name}/status`, as(s, OWN, { body: { status }, type: STRATEGIC }));
    await s.merge(`${PODS}/${name}/status`, { metadata: { labels: { a: 'b' } } }, as(s, OWN));
    await s.merge(`${PODS}/${name}`, { metadata: { labels: { a: 'b' } } }, as(s, OWN));
    await s.post(`${PODS}/${name}/eviction`, eviction(name), as(s, OWN));
    await s.delete(`${PODS}/${name}?gracePeriodSeconds=0`, undefined, as(s, OWN));
  }
  await s.delete(PODS, undefined, as(s, OWN));
});

nodeTest('a node has one lease and one CSINode', async (s) => {
  await given(s, NODES, node(OWN));
  const lease = (name: string): object => ({ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name } });
  const csi = (name: string): object => ({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSINode',
    metadata: { name },
    spec: { drivers: [] },
  });
  for (const [collection, object] of [
    [LEASES, lease],
    [CSI_NODES, csi],
  ] as const) {
    await s.post(collection, object(OTHER), as(s, OWN));
    await s.post(collection, object(OWN), as(s, OWN));
    await s.get(`${collection}/${OWN}`, as(s, OWN));
    await s.get(`${collection}/${OTHER}`, as(s, OWN));
    await s.get(collection, as(s, OWN));
    await s.get(`${collection}?fieldSelector=metadata.name%3D${OWN}`, as(s, OWN));
    await s.merge(`${collection}/${OTHER}`, {}, as(s, OWN));
    await s.delete(collection, undefined, as(s, OWN));
    await s.delete(`${collection}/${OWN}`, undefined, as(s, OWN));
    await s.delete(`${collection}/${OTHER}`, undefined, as(s, OWN));
  }
  await s.post(LEASES.replace('kube-node-lease', '{ns}'), lease(OWN), as(s, OWN));
});

nodeTest('a node asks for certificates of its own name', async (s) => {
  const request = (commonName: string): string => {
    const { requestPem } = createCertificateRequest({
      commonName: commonName.replaceAll('{ns}', s.ns),
      organizations: ['system:nodes'],
    });
    return Buffer.from(requestPem).toString('base64');
  };
  const ask = (commonName: string, signer: string, usage: string): Promise<Answer> =>
    s.quiet(
      'POST',
      `${REQUESTS}?dryRun=All`,
      as(s, OWN, {
        body: {
          metadata: { name: 'r-{ns}' },
          spec: { request: request(commonName), signerName: signer, usages: ['digital signature', usage] },
        },
      }),
    );
  for (const [signer, usage] of [
    ['kubernetes.io/kubelet-serving', 'server auth'],
    ['kubernetes.io/kube-apiserver-client-kubelet', 'client auth'],
    ['kubernetes.io/kube-apiserver-client', 'client auth'],
  ] as const)
    for (const name of [`system:node:${OWN}`, `system:node:${OTHER}`, 'admin']) {
      const { status, body } = await ask(name, signer, usage);
      s.remark(`${signer} ${name}`, status === 201 ? status : body);
    }
});

nodeTest('the rest that a node may do is the same for all', async (s) => {
  await given(s, NODES, node(OWN));
  for (const target of [
    '/api/v1/services?limit=1',
    '/api/v1/namespaces/{ns}/endpoints',
    '/apis/node.k8s.io/v1/runtimeclasses',
    '/apis/storage.k8s.io/v1/csidrivers',
    '/apis/storage.k8s.io/v1/storageclasses',
    '/api/v1/namespaces',
    '/apis/apps/v1/deployments',
    '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    '/metrics',
  ]) {
    const { status, body } = await s.quiet('GET', target, as(s, OWN));
    s.remark(target, status === 200 ? status : body);
  }
  const rules = await s.quiet(
    'POST',
    `${REVIEWS}/selfsubjectrulesreviews`,
    as(s, OWN, { body: { spec: { namespace: s.ns } } }),
  );
  const { incomplete, evaluationError } = rules.object()['status'] as Record<string, unknown>;
  s.remark('rules', { incomplete, evaluationError });
  const review = async (resourceAttributes: object): Promise<void> => {
    const body = { spec: { resourceAttributes, user: `system:node:own-${s.ns}`, groups: ['system:nodes'] } };
    const { status } = (await s.quiet('POST', `${REVIEWS}/subjectaccessreviews`, { body })).object();
    s.remark(JSON.stringify(resourceAttributes).replaceAll(s.ns, '{ns}'), status);
  };
  await review({ verb: 'list', resource: 'secrets', namespace: s.ns });
  await review({ verb: 'get', resource: 'nodes', name: `own-${s.ns}` });
  await review({ verb: 'get', resource: 'nodes', name: 'x' });
  const selects = (fieldSelector: object): object => ({ verb: 'list', resource: 'pods', fieldSelector });
  await review(selects({ rawSelector: `spec.nodeName=own-${s.ns}` }));
  await review(selects({ requirements: [{ key: 'spec.nodeName', operator: 'In', values: [`own-${s.ns}`] }] }));
  await review(selects({ requirements: [{ key: 'spec.nodeName', operator: 'NotIn', values: [`own-${s.ns}`] }] }));
  await review(selects({ rawSelector: 'spec.nodeName=x' }));
});

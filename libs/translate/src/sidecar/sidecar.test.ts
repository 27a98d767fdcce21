import type { KubeObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { CLUSTER_API_RULES, GroupMapping } from '../groups/mapping.js';
import { privateRole, proxySidecar, sidecarPatch, takesSidecar, withSidecar } from './index.js';

const image = 'capstan:test';

function deployment(containers: readonly object[], pod: object = {}): KubeObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'manager' },
    spec: { replicas: 1, template: { metadata: { labels: { app: 'm' } }, spec: { ...pod, containers } } },
  };
}

interface Pod {
  readonly metadata: { readonly annotations: Readonly<Record<string, string>>; readonly labels?: object };
  readonly spec: {
    readonly containers: readonly { readonly name: string; readonly env?: unknown; readonly volumeMounts?: unknown }[];
    readonly volumes: readonly { readonly name: string }[];
  };
}

const templateOf = (workload: KubeObject): Pod => (workload['spec'] as { readonly template: Pod }).template;

describe('A sidecar', () => {
  it('listens for its pod alone, and is watched from outside', () => {
    const { container } = proxySidecar({ image, port: 9000, healthPort: 9001, groupPairs: ['a.io=b.io'] });
    expect(container['args']).toEqual([
      'proxy',
      '--listen=127.0.0.1:9000',
      '--health-listen=0.0.0.0:9001',
      '--group-pair=a.io=b.io',
    ]);
    expect(container.ports).toEqual([{ name: 'proxy-health', containerPort: 9001, protocol: 'TCP' }]);
  });

  it('brings a kubeconfig that leads to it, in a volume made of an annotation', () => {
    const { annotations, env, volume, volumeMount } = proxySidecar({ image, port: 9000 });
    const [[key, kubeconfig] = ['', '']] = Object.entries(annotations);
    expect(JSON.parse(kubeconfig)).toMatchObject({ clusters: [{ cluster: { server: 'http://127.0.0.1:9000' } }] });
    expect(volume).toEqual({
      name: volumeMount.name,
      downwardAPI: {
        items: [{ path: 'kubeconfig', fieldRef: { apiVersion: 'v1', fieldPath: `metadata.annotations['${key}']` } }],
      },
    });
    expect(env).toEqual({ name: 'KUBECONFIG', value: `${volumeMount.mountPath}/kubeconfig` });
  });
});

describe('A workload', () => {
  const workload = deployment([
    { name: 'manager', env: [{ name: 'KUBECONFIG', value: '/old' }, { name: 'A' }] },
    { name: 'other' },
  ]);

  it('gets the sidecar first, and its containers the way to it', () => {
    const { metadata, spec } = templateOf(withSidecar(workload, { image }));
    expect(spec.containers.map(({ name }) => name)).toEqual(['kube-apiserver-proxy', 'manager', 'other']);
    expect(spec.containers[1]?.env).toEqual([
      { name: 'A' },
      { name: 'KUBECONFIG', value: '/etc/kube-apiserver-proxy/kubeconfig' },
    ]);
    expect(spec.containers[2]?.volumeMounts).toEqual([
      { name: 'kube-apiserver-proxy-kubeconfig', mountPath: '/etc/kube-apiserver-proxy', readOnly: true },
    ]);
    expect(metadata.labels).toEqual({ app: 'm' });
  });

  it('is the same when it is done twice, and takes what changed', () => {
    const once = withSidecar(workload, { image });
    expect(withSidecar(once, { image })).toEqual(once);
    const { spec } = templateOf(withSidecar(once, { image: 'capstan:newer' }));
    expect(spec.containers[0]).toMatchObject({ image: 'capstan:newer' });
    expect(spec.containers).toHaveLength(3);
  });

  it('keeps containers that were not named as they are', () => {
    const { spec } = templateOf(withSidecar(workload, { image, containers: ['manager'] }));
    expect(spec.containers[2]).toEqual({ name: 'other' });
  });

  it('that mounts no token gets one for the proxy alone', () => {
    const bare = deployment([{ name: 'manager' }], { automountServiceAccountToken: false });
    const { spec } = templateOf(withSidecar(bare, { image }));
    expect(spec.volumes.map(({ name }) => name)).toEqual([
      'kube-apiserver-proxy-kubeconfig',
      'kube-apiserver-proxy-token',
    ]);
    expect(spec.containers.map(({ volumeMounts }) => JSON.stringify(volumeMounts).includes('token'))).toEqual([
      true,
      false,
    ]);
  });

  it('may be a pod', () => {
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { containers: [{ name: 'a' }] } };
    const injected = withSidecar(pod, { image }) as unknown as Pod;
    expect(injected.spec.containers.map(({ name }) => name)).toEqual(['kube-apiserver-proxy', 'a']);
    expect(Object.keys(injected.metadata.annotations)).toHaveLength(1);
  });

  it.each([
    ['Deployment', true],
    ['StatefulSet', true],
    ['DaemonSet', true],
    ['ReplicaSet', true],
    ['Pod', true],
    ['Job', false],
    ['Service', false],
  ])('of kind %s: %s', (kind, takes) => {
    expect(takesSidecar({ apiVersion: 'v1', kind, metadata: {} })).toBe(takes);
  });

  it.each([
    [
      'another that has its port',
      deployment([{ name: 'web', ports: [{ containerPort: 8080 }] }]),
      {},
      'Deployment manager: port 8080 is that of container web',
    ],
    [
      'another that has its health port',
      deployment([{ name: 'web', ports: [{ containerPort: 8081 }] }]),
      {},
      'Deployment manager: port 8081 is that of container web',
    ],
    ['a container that is not there', workload, { containers: ['b'] }, 'Deployment manager: there is no container b'],
  ])('is refused with %s', (_name, given, more, message) => {
    expect(() => withSidecar(given, { image, ...more })).toThrow(message);
  });
});

it('A patch names the containers that are to use the proxy, and the proxy', () => {
  const { spec } = sidecarPatch({ image, containers: ['a'] }) as { spec: { template: Pod } };
  expect(spec.template.spec.containers.map(({ name }) => name)).toEqual(['a', 'kube-apiserver-proxy']);
  expect(spec.template.spec.volumes).toHaveLength(1);
});

it('A role is made one of private groups, and of the names of private definitions', () => {
  const role = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'r', labels: { 'cluster.x-k8s.io/provider': 'cluster-api' } },
    rules: [
      { apiGroups: ['cluster.x-k8s.io', 'shared.cluster.x-k8s.io', 'apps'], resources: ['*'], verbs: ['*'] },
      {
        apiGroups: ['apiextensions.k8s.io'],
        resources: ['customresourcedefinitions'],
        resourceNames: ['machines.cluster.x-k8s.io'],
        verbs: ['get'],
      },
    ],
  };
  const [rule, definitions] = role.rules;
  expect(privateRole(role, new GroupMapping({ ...CLUSTER_API_RULES, shared: ['shared.cluster.x-k8s.io'] }))).toEqual({
    ...role,
    rules: [
      { ...rule, apiGroups: ['cluster.hypershift.openshift.io', 'shared.cluster.x-k8s.io', 'apps'] },
      { ...definitions, resourceNames: ['machines.cluster.hypershift.openshift.io'] },
    ],
  });
});

it('a role that names a private group itself is refused: it would be given the platform\u2019s', () => {
  const role = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    metadata: { name: 'r' },
    rules: [{ apiGroups: ['cluster.hypershift.openshift.io'], resources: ['*'], verbs: ['*'] }],
  };
  expect(() => privateRole(role, new GroupMapping(CLUSTER_API_RULES))).toThrow(/is not served here/);
});

it.each([
  ['alone', ['*']],
  ['among others', ['apps', '*']],
])('a role for all groups is refused, %s: it would be given the platform\u2019s', (_case, apiGroups) => {
  const role = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'r' },
    rules: [
      { apiGroups: ['cluster.x-k8s.io'], resources: ['*'], verbs: ['*'] },
      { apiGroups, resources: ['machines'], verbs: ['get'] },
    ],
  };
  expect(() => privateRole(role, new GroupMapping(CLUSTER_API_RULES))).toThrow(
    'ClusterRole r: rules[1].apiGroups has "*", which grants the platform\'s own Cluster API as well; list the groups that the component needs',
  );
});

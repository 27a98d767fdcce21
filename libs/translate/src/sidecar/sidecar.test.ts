import type { KubeObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { hasNativeSidecars, proxySidecar, sidecarPatch, takesSidecar, withoutSidecar, withSidecar } from './index.js';
import type { PodTemplate } from './index.js';

const image = 'capstan:test';
const native = true;

function deployment(containers: readonly object[], pod: object = {}): KubeObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'manager' },
    spec: { replicas: 1, template: { metadata: { labels: { app: 'm' } }, spec: { ...pod, containers } } },
  };
}

const templateOf = (workload: KubeObject): PodTemplate =>
  (workload['spec'] as { readonly template: PodTemplate }).template;

describe('A sidecar', () => {
  it('listens for its pod alone, and is watched from outside', () => {
    const { container } = proxySidecar({ image, native, port: 9000, healthPort: 9001, groupPairs: ['a.io=b.io'] });
    expect(container['args']).toEqual([
      'proxy',
      '--listen=127.0.0.1:9000',
      '--health-listen=0.0.0.0:9001',
      '--held-response-limit=48',
      '--group-pair=a.io=b.io',
    ]);
    expect(container.ports).toEqual([{ name: 'proxy-health', containerPort: 9001, protocol: 'TCP' }]);
  });

  it('runs in a restricted namespace, within named limits', () => {
    const { container } = proxySidecar({ image, native });
    expect(container).toMatchObject({
      env: [
        { name: 'NODE_OPTIONS', value: '--max-old-space-size=96 --max-semi-space-size=1' },
        { name: 'MALLOC_ARENA_MAX', value: '1' },
      ],
      resources: { requests: { memory: '64Mi' }, limits: { memory: '256Mi' } },
      securityContext: {
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
        readOnlyRootFilesystem: true,
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      },
    });
    const probes = ['startupProbe', 'livenessProbe', 'readinessProbe'].map((probe) => container[probe]);
    expect(probes).toMatchObject(
      ['/healthz', '/healthz', '/readyz'].map((path) => ({ httpGet: { path, port: 'proxy-health' } })),
    );
  });

  it('is ended last by the kubelet where it is native, and otherwise serves on until its clients are gone', () => {
    const [ordered, unordered] = [true, false].map((each) => proxySidecar({ image, native: each }).container);
    expect(ordered?.['restartPolicy']).toBe('Always');
    expect(ordered?.['args']).not.toContain('--linger-timeout=25s');
    expect(unordered).not.toHaveProperty('restartPolicy');
    expect(unordered?.['args']).toContain('--linger-timeout=25s');
    // Hooks of the kind `sleep` are unknown to servers that have no native sidecars.
    expect(unordered).not.toHaveProperty('lifecycle');
  });

  it('brings a kubeconfig that leads to it, in a volume made of an annotation', () => {
    const { annotations, env, volume, volumeMount } = proxySidecar({ image, native, port: 9000 });
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

  it.each([
    ['1', '28', false],
    ['1', '29', true],
    ['1', '36+', true],
    ['2', '0', true],
    ['', '', false],
  ])('may be native on Kubernetes %s.%s: %s', (major, minor, expected) => {
    expect(hasNativeSidecars({ major, minor })).toBe(expected);
  });

  it.each([
    [['v1.29.0', 'v1.31.4+k3s1'], true],
    [['v1.31.4', 'v1.28.9'], false],
    [['unknown'], false],
  ])('may be native on nodes of %j: %s', (kubelets, expected) => {
    expect(hasNativeSidecars({ major: '1', minor: '31' }, kubelets)).toBe(expected);
  });
});

describe('A workload', () => {
  const workload = deployment([
    { name: 'manager', env: [{ name: 'KUBECONFIG', value: '/old' }, { name: 'A' }] },
    { name: 'other' },
  ]);

  it('gets a native sidecar before its other init containers, and its containers the way to it', () => {
    const { spec } = templateOf(
      withSidecar(deployment([{ name: 'a' }], { initContainers: [{ name: 'i' }] }), { image, native }),
    );
    expect(spec.initContainers?.map(({ name }) => name)).toEqual(['kube-apiserver-proxy', 'i']);
    expect(spec.initContainers?.[1]).toEqual({ name: 'i' });
  });

  it('gets another sidecar before its other containers, and keeps the place of its variables', () => {
    const { metadata, spec } = templateOf(withSidecar(workload, { image, native: false }));
    expect(spec.containers.map(({ name }) => name)).toEqual(['kube-apiserver-proxy', 'manager', 'other']);
    expect(spec.containers[1]?.env).toEqual([
      { name: 'KUBECONFIG', value: '/etc/kube-apiserver-proxy/kubeconfig' },
      { name: 'A' },
    ]);
    expect(spec.containers[2]?.volumeMounts).toEqual([
      { name: 'kube-apiserver-proxy-kubeconfig', mountPath: '/etc/kube-apiserver-proxy', readOnly: true },
    ]);
    expect(metadata?.['labels']).toEqual({ app: 'm' });
  });

  it('has the time of its pod for its clients to end', () => {
    const slow = deployment([{ name: 'a' }], { terminationGracePeriodSeconds: 135 });
    expect(templateOf(withSidecar(slow, { image, native: false })).spec.containers[0]?.args).toContain(
      '--linger-timeout=130s',
    );
  });

  it('keeps containers that were not named as they are', () => {
    const { spec } = templateOf(withSidecar(workload, { image, native, containers: ['manager'] }));
    expect(spec.containers[1]).toEqual({ name: 'other' });
  });

  it('that mounts no token gets one for the proxy alone', () => {
    const bare = deployment([{ name: 'manager' }], { automountServiceAccountToken: false });
    const { spec } = templateOf(withSidecar(bare, { image, native }));
    expect(spec.volumes?.map(({ name }) => name)).toEqual([
      'kube-apiserver-proxy-kubeconfig',
      'kube-apiserver-proxy-token',
    ]);
    const containers = [...(spec.initContainers ?? []), ...spec.containers];
    expect(containers.map(({ volumeMounts }) => JSON.stringify(volumeMounts).includes('token'))).toEqual([true, false]);
  });

  it('may be a pod', () => {
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { containers: [{ name: 'a' }] } };
    const injected = withSidecar(pod, { image, native: false });
    expect(injected.spec.containers.map(({ name }) => name)).toEqual(['kube-apiserver-proxy', 'a']);
    expect(withoutSidecar(injected)).toEqual(pod);
  });

  it('without a proxy is given back itself', () => {
    expect(withoutSidecar(workload)).toBe(workload);
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

  const ours = { name: 'kube-apiserver-proxy-kubeconfig', mountPath: '/x' };
  it.each([
    [
      'a chosen port that another container has',
      deployment([{ name: 'web', ports: [{ containerPort: 9090 }] }]),
      { port: 9090 },
      'Deployment manager: port 9090 is that of container web: choose another',
    ],
    [
      'a chosen health port that an init container has',
      deployment([{ name: 'a' }], { initContainers: [{ name: 'web', ports: [{ containerPort: 9091 }] }] }),
      { healthPort: 9091 },
      'Deployment manager: port 9091 is that of container web: choose another',
    ],
    ['one port for both', workload, { port: 9, healthPort: 9 }, 'port 9 cannot be both'],
    ['a container that is not there', workload, { containers: ['b'] }, 'Deployment manager: there is no container b'],
    [
      'an init container without a native sidecar',
      deployment([{ name: 'a' }], { initContainers: [{ name: 'b' }] }),
      { containers: ['b'], native: false },
      'Deployment manager: there is no container b',
    ],
    [
      'a proxy that something else has added',
      deployment([{ name: 'kube-apiserver-proxy' }]),
      {},
      'Deployment manager: container kube-apiserver-proxy is not recorded in annotation',
    ],
    [
      'a volume of that name',
      deployment([{ name: 'a' }], { volumes: [ours] }),
      {},
      'volume kube-apiserver-proxy-kubeconfig',
    ],
    [
      'a volume at that place',
      deployment([{ name: 'a', volumeMounts: [{ name: 'v', mountPath: '/etc/kube-apiserver-proxy' }] }]),
      {},
      'container a has another volume at /etc/kube-apiserver-proxy',
    ],
  ])('is refused with %s', (_name, given, more, message) => {
    expect(() => withSidecar(given, { image, native, ...more })).toThrow(message);
  });
});

describe('A patch', () => {
  it.each([
    [false, ['a', 'kube-apiserver-proxy'], undefined],
    [true, ['a'], ['kube-apiserver-proxy']],
  ])('names the containers that are to use the proxy, and the proxy; native: %s', (isNative, containers, inits) => {
    const patch = sidecarPatch({ image, native: isNative, containers: ['a'] });
    const { spec } = templateOf(patch as unknown as KubeObject);
    expect(spec.containers.map(({ name }) => name)).toEqual(containers);
    expect(spec.initContainers?.map(({ name }) => name)).toEqual(inits);
    expect(spec.volumes).toHaveLength(1);
  });
});

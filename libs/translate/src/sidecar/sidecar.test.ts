import { describe, expect, it } from 'vitest';
import { proxyKubeconfig, PROXY_KUBECONFIG_FILE, withProxySidecar } from './index.js';
import type { PodSpec } from './index.js';

const image = 'quay.io/capstan/capstan:1';
const mount = { name: 'kube-apiserver-proxy-kubeconfig', mountPath: '/etc/kube-apiserver-proxy', readOnly: true };
const found = { name: 'KUBECONFIG', value: '/etc/kube-apiserver-proxy/kubeconfig' };

function pod(...names: string[]): PodSpec {
  return { serviceAccountName: 'cluster-api', containers: names.map((name) => ({ name, image: 'manager' })) };
}

describe('a pod with a proxy', () => {
  it('has the proxy first, and programs that find it by their environment', () => {
    expect(withProxySidecar(pod('manager'), { image })).toEqual({
      serviceAccountName: 'cluster-api',
      containers: [
        {
          name: 'kube-apiserver-proxy',
          image,
          command: ['capstan'],
          args: ['proxy', '--listen=127.0.0.1:8080', '--health-listen=0.0.0.0:8081'],
          ports: [{ name: 'proxy-health', containerPort: 8081 }],
          readinessProbe: { httpGet: { path: '/readyz', port: 'proxy-health' }, timeoutSeconds: 5 },
          livenessProbe: { httpGet: { path: '/healthz', port: 'proxy-health' }, timeoutSeconds: 5 },
          lifecycle: { preStop: { sleep: { seconds: 3 } } },
        },
        { name: 'manager', image: 'manager', volumeMounts: [mount], env: [found] },
      ],
      volumes: [{ name: mount.name, configMap: { name: 'kube-apiserver-proxy-kubeconfig' } }],
    });
  });

  it('lets the others be told by a flag', () => {
    const { containers } = withProxySidecar(pod('autoscaler', 'manager'), { image, byEnvironment: ['manager'] });
    expect(containers.map(({ env, name, volumeMounts }) => [name, env, volumeMounts])).toEqual([
      ['kube-apiserver-proxy', undefined, undefined],
      ['autoscaler', undefined, [mount]],
      ['manager', [found], [mount]],
    ]);
    expect(PROXY_KUBECONFIG_FILE).toBe(found.value);
  });

  it('takes another port with the kubeconfig of that port, and more groups', () => {
    const { containers, volumes } = withProxySidecar(pod('manager'), {
      image,
      port: 9180,
      healthPort: 9181,
      groupPairs: ['a.example.com=b.example.com'],
    });
    expect(containers[0]).toMatchObject({
      args: [
        'proxy',
        '--listen=127.0.0.1:9180',
        '--health-listen=0.0.0.0:9181',
        '--group-pair=a.example.com=b.example.com',
      ],
      ports: [{ containerPort: 9181 }],
    });
    expect(volumes).toEqual([{ name: mount.name, configMap: { name: 'kube-apiserver-proxy-kubeconfig-9180' } }]);
  });

  it('is the same when it is made again, but for resources that somebody gave the proxy', () => {
    const once = withProxySidecar(pod('manager'), { image });
    expect(withProxySidecar(once, { image })).toEqual(once);
    const resources = { requests: { memory: '60Mi' } };
    const tuned = {
      ...once,
      containers: once.containers.map((each, at) => (at === 0 ? { ...each, resources } : each)),
    };
    expect(withProxySidecar(tuned, { image, resources: {} })).toEqual(tuned);
    const renewed = withProxySidecar(tuned, { image: 'quay.io/capstan/capstan:2', port: 9180 });
    expect(renewed.containers[0]).toMatchObject({ image: 'quay.io/capstan/capstan:2', resources });
    expect(renewed.volumes).toEqual([{ name: mount.name, configMap: { name: `${mount.name}-9180` } }]);
  });

  it.each([
    ['PORT_TAKEN', { image }, 'container manager uses port 8080 itself: give the proxy another'],
    [
      'PORT_TAKEN',
      { image, port: 1, healthPort: 8080 },
      'container manager uses port 8080 itself: give the proxy another',
    ],
    ['NO_SUCH_CONTAINER', { image, port: 1, byEnvironment: ['other'] }, 'the pod has no container "other"'],
  ])('refuses with %s what cannot work: %j', (code, sidecar, message) => {
    const spec = { containers: [{ name: 'manager', ports: [{ containerPort: 8080 }] }] };
    expect(() => withProxySidecar(spec, sidecar)).toThrow(expect.objectContaining({ code, message }));
  });
});

describe('the kubeconfig of a proxy', () => {
  it.each([
    [undefined, 'kube-apiserver-proxy-kubeconfig', 'http://127.0.0.1:8080'],
    [9180, 'kube-apiserver-proxy-kubeconfig-9180', 'http://127.0.0.1:9180'],
  ])('is a ConfigMap that names port %s of the pod itself, and no user', (port, name, server) => {
    const { data, metadata } = proxyKubeconfig({ namespace: 'clusters-a', port }) as {
      data?: { kubeconfig: string };
      metadata: object;
    };
    expect(metadata).toEqual({ name, namespace: 'clusters-a' });
    expect(JSON.parse(data?.kubeconfig ?? '')).toEqual({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'kube-apiserver-proxy', cluster: { server } }],
      users: [{ name: 'kube-apiserver-proxy', user: {} }],
      contexts: [
        {
          name: 'kube-apiserver-proxy',
          context: { cluster: 'kube-apiserver-proxy', user: 'kube-apiserver-proxy', namespace: 'clusters-a' },
        },
      ],
      'current-context': 'kube-apiserver-proxy',
    });
  });
});

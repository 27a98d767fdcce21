import type { KubeObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { proxyNetworkPolicy, proxyPodMonitor, withSidecar } from './index.js';

const workload: KubeObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'operator', namespace: 'hypershift' },
  spec: {
    selector: { matchLabels: { name: 'operator' } },
    template: {
      spec: {
        containers: [
          {
            name: 'operator',
            ports: [
              { containerPort: 9443, protocol: 'TCP' },
              { containerPort: 53, protocol: 'UDP' },
            ],
          },
          { name: 'other', ports: [{ containerPort: 9000 }] },
        ],
      },
    },
  },
};

it('every proxy of a namespace is scraped by the name of its port', () => {
  const monitor = proxyPodMonitor({ namespace: 'hypershift', labels: { a: 'b' } });
  const { initContainers } = templateSpec(withSidecar(workload, { image: 'i', native: true }));
  expect(monitor).toMatchObject({
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PodMonitor',
    metadata: { name: 'kube-apiserver-proxy', namespace: 'hypershift', labels: { a: 'b' } },
    spec: { selector: {}, podMetricsEndpoints: [{ port: initContainers[0]?.ports[0]?.name, path: '/metrics' }] },
  });
});

describe('The network of a workload with a proxy', () => {
  const from = [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'openshift-monitoring' } } }];

  it('lets only the given peers to the proxy, and everyone to what was open before', () => {
    const proxied = withSidecar(workload, { image: 'i', native: true });
    expect(proxyNetworkPolicy(proxied, { from, isIsolated: false })).toEqual({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: { name: 'operator-kube-apiserver-proxy', namespace: 'hypershift' },
      spec: {
        podSelector: { matchLabels: { name: 'operator' } },
        policyTypes: ['Ingress'],
        ingress: [
          {
            ports: [
              { port: 9443, protocol: 'TCP' },
              { port: 53, protocol: 'UDP' },
              { port: 9000, protocol: 'TCP' },
            ],
          },
          { from, ports: [{ port: 8081, protocol: 'TCP' }] },
        ],
      },
    });
  });

  it('opens nothing but the port of the proxy where another policy has closed the others', () => {
    const proxied = withSidecar(workload, { image: 'i', native: false, healthPort: 18_081 });
    expect(proxyNetworkPolicy(proxied, { from, isIsolated: true })['spec']).toMatchObject({
      ingress: [{ from, ports: [{ port: 18_081, protocol: 'TCP' }] }],
    });
  });

  it('is not described for a workload without one', () => {
    expect(() => proxyNetworkPolicy(workload, { from, isIsolated: false })).toThrow(
      'Deployment operator: there is no proxy in it',
    );
  });
});

interface Spec {
  readonly initContainers: readonly { readonly ports: readonly { readonly name: string }[] }[];
}

function templateSpec({ spec }: KubeObject & { readonly spec?: unknown }): Spec {
  return (spec as { readonly template: { readonly spec: Spec } }).template.spec;
}

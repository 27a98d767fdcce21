import type { HostedControlPlaneSpec } from '@capstan/api/hypershift';
import type { KubeObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { servicesOf } from './services.js';

describe('services are published', () => {
  const spec = (strategy: object, more: object = {}): HostedControlPlaneSpec =>
    ({
      etcd: { managementType: 'Managed' },
      services: [{ service: 'APIServer', servicePublishingStrategy: strategy }],
      ...more,
    }) as unknown as HostedControlPlaneSpec;
  const apiService = (of: HostedControlPlaneSpec): KubeObject | undefined =>
    servicesOf(of).find(({ metadata }) => metadata.name === 'kube-apiserver');

  it.each<[object, object, object]>([
    [{ type: 'LoadBalancer' }, {}, { type: 'LoadBalancer', ports: [{ port: 6443, targetPort: 'client' }] }],
    [
      { type: 'LoadBalancer' },
      { networking: { apiServer: { port: 7443, allowedCIDRBlocks: ['10.0.0.0/8'] } } },
      { loadBalancerSourceRanges: ['10.0.0.0/8'], ports: [{ port: 7443 }] },
    ],
    [
      { type: 'NodePort', nodePort: { address: 'x', port: 30_443 } },
      {},
      { type: 'NodePort', ports: [{ nodePort: 30_443 }] },
    ],
    [{ type: 'Route', route: { hostname: 'api.example.com' } }, {}, { type: 'ClusterIP' }],
  ])('%j with %j', (strategy, more, expected) => {
    expect(apiService(spec(strategy, more))).toMatchObject({ spec: expected });
  });

  it('a router carries named routes, and etcd of others has no Service', () => {
    const names = (of: HostedControlPlaneSpec): unknown[] => servicesOf(of).map(({ metadata }) => metadata.name);
    expect(names(spec({ type: 'Route', route: { hostname: 'x' } }))).toContain('router');
    expect(names(spec({ type: 'Route' }))).not.toContain('router');
    expect(names(spec({ type: 'Route' }, { etcd: { managementType: 'Unmanaged' } }))).not.toContain('etcd-client');
  });
});

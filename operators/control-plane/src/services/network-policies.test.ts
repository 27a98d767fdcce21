import type { HostedControlPlaneSpec } from '@capstan/api/hypershift';
import { describe, expect, it } from 'vitest';
import { budgetOf } from '../component/budget.js';
import { networkPoliciesOf } from './network-policies.js';

function published(types: Readonly<Record<string, string>>, hostname = ''): HostedControlPlaneSpec {
  const services = Object.entries(types).map(([service, type]) => ({
    service,
    servicePublishingStrategy: { type, ...(type === 'Route' && hostname !== '' ? { route: { hostname } } : {}) },
  }));
  return { services } as unknown as HostedControlPlaneSpec;
}

interface Policy {
  readonly metadata: { readonly name?: string };
  readonly spec: {
    readonly podSelector: { readonly matchLabels?: { readonly app?: string } };
    readonly policyTypes: readonly string[];
    readonly ingress: readonly { readonly from?: unknown; readonly ports?: readonly { readonly port: number }[] }[];
  };
}

const policies = (spec: HostedControlPlaneSpec): readonly Policy[] => networkPoliciesOf(spec) as unknown as Policy[];

/** `name: app port` of what anybody may come to. */
const open = (spec: HostedControlPlaneSpec): string[] =>
  policies(spec)
    .filter(({ spec: { ingress } }) => ingress.some(({ from }) => from === undefined))
    .map(
      ({ metadata, spec: { ingress, podSelector } }) =>
        `${metadata.name}: ${podSelector.matchLabels?.app} ${ingress[0]?.ports?.[0]?.port}`,
    );

describe('who may come to the pods of a control plane', () => {
  it('those of its own namespace, and routers and monitoring of the platform', () => {
    const closed = policies(published({})).filter(({ spec: { ingress } }) => ingress[0]?.from !== undefined);
    expect(closed.map(({ metadata, spec }) => [metadata.name, spec.podSelector, spec.ingress])).toEqual([
      ['same-namespace', {}, [{ from: [{ podSelector: {} }] }]],
      ...(['ingress', 'monitoring'] as const).map((group) => [
        `openshift-${group}`,
        {},
        [{ from: [{ namespaceSelector: { matchLabels: { 'network.openshift.io/policy-group': group } } }] }],
      ]),
    ]);
    expect(policies(published({})).every(({ spec }) => spec.policyTypes.join() === 'Ingress')).toBe(true);
  });

  it.each<[string, HostedControlPlaneSpec, readonly string[]]>([
    [
      'only the API server where the rest is behind routes',
      published({ APIServer: 'LoadBalancer', OAuthServer: 'Route', Ignition: 'Route', Konnectivity: 'Route' }),
      ['kas: kube-apiserver 6443'],
    ],
    [
      'each on its own where all are on ports of nodes',
      published({ APIServer: 'NodePort', OAuthServer: 'NodePort', Ignition: 'NodePort', Konnectivity: 'NodePort' }),
      [
        'kas: kube-apiserver 6443',
        'nodeport-oauth: oauth-openshift 6443',
        'nodeport-ignition: ignition-server 9090',
        'nodeport-ignition-proxy: ignition-server-proxy 8443',
        'nodeport-konnectivity: kube-apiserver 8091',
      ],
    ],
    [
      'the router where routes have names of their own',
      published({ APIServer: 'Route', Konnectivity: 'LoadBalancer' }, 'api.example.com'),
      ['kas: kube-apiserver 6443', 'nodeport-konnectivity: kube-apiserver 8091', 'private-router: router 8443'],
    ],
  ])('anybody: %s', (_, spec, expected) => {
    expect(open(spec)).toEqual(expected);
  });
});

describe('how many pods of a component may go at once', () => {
  it.each([
    ['SingleReplica', { minAvailable: 1 }],
    ['HighlyAvailable', { maxUnavailable: 1 }],
  ] as const)('under %s', (controllerAvailabilityPolicy, allowed) => {
    const spec = { controllerAvailabilityPolicy } as HostedControlPlaneSpec;
    expect(budgetOf('etcd', { spec })).toEqual({
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'etcd', labels: { 'hypershift.openshift.io/control-plane-component': 'etcd' } },
      spec: { ...allowed, selector: { matchLabels: { app: 'etcd' } }, unhealthyPodEvictionPolicy: 'AlwaysAllow' },
    });
  });
});

import type { HostedControlPlaneSpec } from '@capstan/api/hypershift';
import type { KubeObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { ROUTES, SERVICES } from '../kinds.js';
import { Snapshot } from '../objects/snapshot.js';
import { decideRoutes, endpointsOf, wantedServices } from './decide.js';
import type { PublishedEndpoints, PublishedRoutes } from './decide.js';

type Published = readonly [service: string, type: string, hostname?: string];

function specOf(...services: readonly Published[]): HostedControlPlaneSpec {
  return {
    etcd: { managementType: 'Managed' },
    services: services.map(([service, type, hostname]) => ({
      service,
      servicePublishingStrategy: { type, ...(hostname === undefined ? {} : { route: { hostname } }) },
    })),
  } as unknown as HostedControlPlaneSpec;
}

const service = (name: string, status: object = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, namespace: 'clusters-one' },
  spec: { ports: [{ port: 443 }] },
  status,
});
const route = (name: string, host?: string): KubeObject => ({
  apiVersion: 'route.openshift.io/v1',
  kind: 'Route',
  metadata: { name },
  spec: host === undefined ? {} : { host },
});

describe('the address of a published service', () => {
  const served: PublishedRoutes = { services: ['Ignition'], areServed: true };
  const balanced = { loadBalancer: { ingress: [{ hostname: 'lb.example.com' }] } };

  it.each<[string, readonly [Published, PublishedRoutes | undefined], readonly KubeObject[], PublishedEndpoints]>([
    [
      'is that of its load balancer',
      [['APIServer', 'LoadBalancer'], undefined],
      [service('kube-apiserver', balanced)],
      { endpoints: { APIServer: { host: 'lb.example.com', port: 443 } }, waitingFor: [] },
    ],
    [
      'is waited for until the load balancer has one',
      [['APIServer', 'LoadBalancer'], undefined],
      [service('kube-apiserver')],
      {
        endpoints: {},
        waitingFor: ['APIServer: an address of the load balancer of Service clusters-one/kube-apiserver'],
      },
    ],
    [
      'is that of its Route, once a router has named it',
      [['Ignition', 'Route'], served],
      [service('ignition-server'), route('ignition-server', 'ignition.apps.example.com')],
      { endpoints: { Ignition: { host: 'ignition.apps.example.com', port: 443 } }, waitingFor: [] },
    ],
    [
      'is waited for until a router has named its Route',
      [['Ignition', 'Route'], served],
      [service('ignition-server'), route('ignition-server')],
      { endpoints: {}, waitingFor: ['Ignition: a host name of Route ignition-server, which a router gives it'] },
    ],
    [
      'is that of its Service where there can be no Routes',
      [['Ignition', 'Route'], { ...served, areServed: false }],
      [service('ignition-server')],
      { endpoints: { Ignition: { host: 'ignition-server.clusters-one.svc', port: 443 } }, waitingFor: [] },
    ],
  ])('%s', (_, [published, routes], objects, expected) => {
    const snapshot = new Snapshot();
    for (const object of objects) snapshot.put(object.kind === 'Route' ? ROUTES : SERVICES, object);
    expect(endpointsOf(specOf(published), snapshot, routes)).toEqual(expected);
  });
});

describe('the Routes of a control plane', () => {
  const spec = specOf(['Ignition', 'Route']);

  it.each([
    ['are none where the spec asks for none', specOf(['APIServer', 'LoadBalancer']), [], undefined],
    ['are ensured where the API is served', spec, [], [['ignition-server'], ['Ignition'], true]],
    ['are reported, and not written, where the API is not served', spec, undefined, [[], ['Ignition'], false]],
  ] as const)('%s', (_, of, found, expected) => {
    const decision = decideRoutes(of, found);
    const { published, wanted } = decision ?? {};
    const summary = [wanted?.map(({ metadata }) => metadata.name), published?.services, published?.areServed];
    expect(decision === undefined ? undefined : summary).toEqual(expected);
  });
});

it('NetworkPolicies are written before the Services that they restrict', () => {
  const plurals = wantedServices(specOf(['APIServer', 'LoadBalancer'])).map(([{ plural }]) => plural);
  expect(new Set(plurals)).toEqual(new Set(['networkpolicies', 'services']));
  expect(plurals.lastIndexOf('networkpolicies')).toBeLessThan(plurals.indexOf('services'));
});

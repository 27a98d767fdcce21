import type { HostedControlPlaneSpec } from '@capstan/api/hypershift';
import type { KubeObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { ROUTES, SERVICES } from '../kinds.js';
import { Snapshot } from '../objects/snapshot.js';
import { endpointsOf } from './reconcile.js';
import { routesOf } from './routes.js';

function published(...services: readonly [service: string, type: string, hostname?: string][]): HostedControlPlaneSpec {
  return {
    services: services.map(([service, type, hostname]) => ({
      service,
      servicePublishingStrategy: { type, ...(hostname === undefined ? {} : { route: { hostname } }) },
    })),
  } as unknown as HostedControlPlaneSpec;
}

function snapshotOf(...objects: readonly KubeObject[]): Snapshot {
  const snapshot = new Snapshot();
  for (const object of objects) snapshot.put(object.kind === 'Route' ? ROUTES : SERVICES, object);
  return snapshot;
}

const service = (name: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, namespace: 'clusters-one' },
  spec: { ports: [{ port: 443 }] },
});
const route = (name: string, host?: string): KubeObject => ({
  apiVersion: 'route.openshift.io/v1',
  kind: 'Route',
  metadata: { name },
  spec: host === undefined ? {} : { host },
});

describe('the routes of a control plane', () => {
  it('are those that the spec asks for, and pass TLS on', () => {
    const spec = published(
      ['APIServer', 'LoadBalancer'],
      ['OAuthServer', 'Route', 'login.example.com'],
      ['Ignition', 'Route'],
    );
    const tls = { termination: 'passthrough', insecureEdgeTerminationPolicy: 'None' };
    expect([...routesOf(spec)].map(([name, { metadata, spec: made }]) => [name, metadata.name, made])).toEqual([
      ['Ignition', 'ignition-server', { to: { kind: 'Service', name: 'ignition-server' }, tls }],
      ['OAuthServer', 'oauth', { host: 'login.example.com', to: { kind: 'Service', name: 'oauth-openshift' }, tls }],
    ]);
  });

  const spec = published(['Ignition', 'Route']);
  const there = { services: ['Ignition'], areServed: true } as const;

  it('are where services are reached, once a router has named them', () => {
    const named = snapshotOf(service('ignition-server'), route('ignition-server', 'ignition.apps.example.com'));
    expect(endpointsOf(spec, named, there)).toEqual({
      endpoints: { Ignition: { host: 'ignition.apps.example.com', port: 443 } },
      waitingFor: [],
    });
    expect(endpointsOf(spec, snapshotOf(service('ignition-server'), route('ignition-server')), there)).toEqual({
      endpoints: {},
      waitingFor: ['Ignition: a host name of Route ignition-server, which a router gives it'],
    });
  });

  it('are not waited for where there can be none', () => {
    expect(endpointsOf(spec, snapshotOf(service('ignition-server')), { ...there, areServed: false })).toEqual({
      endpoints: { Ignition: { host: 'ignition-server.clusters-one.svc', port: 443 } },
      waitingFor: [],
    });
  });
});

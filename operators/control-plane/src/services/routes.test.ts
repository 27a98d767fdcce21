import type { HostedControlPlaneSpec } from '@capstan/api/hypershift';
import { describe, expect, it } from 'vitest';
import { routesOf } from './routes.js';

function published(...services: readonly [service: string, type: string, hostname?: string][]): HostedControlPlaneSpec {
  return {
    services: services.map(([service, type, hostname]) => ({
      service,
      servicePublishingStrategy: { type, ...(hostname === undefined ? {} : { route: { hostname } }) },
    })),
  } as unknown as HostedControlPlaneSpec;
}

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
});

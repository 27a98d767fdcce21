import type { KubeObject } from '@capstan/meta';
import { openDefinition } from '@capstan/upstream';
import { afterEach, expect, it } from 'vitest';
import { embeddedServer } from '../src/conformance/backend.js';
import { ControlPlaneFixture } from './control-plane-fixture.js';

const ROUTES = { group: 'route.openshift.io', version: 'v1', plural: 'routes', namespaced: true };
const fixture = new ControlPlaneFixture(embeddedServer({}), 'clusters-routed');

afterEach(() => fixture.close());

/** As a router does to those that have none: gives each a name. */
async function nameRoutes(): Promise<string[]> {
  const { namespace } = fixture;
  const { items } = await fixture.client.list<KubeObject & { spec?: { host?: string } }>(ROUTES, { namespace });
  for (const { metadata, spec } of items)
    if (spec?.host === undefined) {
      const value = { spec: { host: `${metadata.name ?? ''}.apps.example.com` } };
      await fixture.client.patch(ROUTES, metadata.name ?? '', { type: 'merge', value }, { namespace });
    }
  return items.map(({ metadata }) => metadata.name ?? '').toSorted();
}

it(
  'A control plane is published by routes where there are any, and waits for their names',
  { timeout: 180_000 },
  async () => {
    await fixture.open();
    await fixture.define(openDefinition('route.openshift.io', 'Route', ['v1']));
    await fixture.operator();
    await fixture.create();
    await fixture.balance();
    await fixture.condition('RoutesPublished', { status: 'True', reason: 'AsExpected' });
    await fixture.condition('InfrastructureReady', {
      status: 'False',
      message: expect.stringContaining(
        'Ignition: a host name of Route ignition-server, which a router gives it',
      ) as string,
    });
    await expect
      .poll(nameRoutes, { timeout: 60_000, interval: 20 })
      .toEqual(['ignition-server', 'konnectivity-server', 'oauth']);
    await fixture.condition('Available', { status: 'True', reason: 'AsExpected' });
    await fixture.quiet();
    const { items } = await fixture.client.list<KubeObject & { spec?: object }>(ROUTES, {
      namespace: fixture.namespace,
    });
    expect(items.find(({ metadata }) => metadata.name === 'oauth')?.spec).toEqual({
      host: 'oauth.apps.example.com',
      to: { kind: 'Service', name: 'oauth-openshift' },
      tls: { termination: 'passthrough', insecureEdgeTerminationPolicy: 'None' },
    });
  },
);

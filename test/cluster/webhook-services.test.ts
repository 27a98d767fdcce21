import { HttpsCaller, type ApiServer } from '@capstan/apiserver';
import { afterEach, describe, expect, it } from 'vitest';
import { embeddedServer } from '../src/conformance/backend.js';
import {
  CONFIG_MAPS,
  configMap,
  configureHook,
  describeEndpoints,
  type HookFixture,
} from './webhook-services-suite.js';

let closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers) await close();
  closers = [];
});

/** A server that finds webhooks behind Services by the given resolver. */
async function fixtureWith(resolves: boolean): Promise<HookFixture & { readonly server: ApiServer }> {
  let server: ApiServer | undefined;
  const fixture = await configureHook('default', async (port) => {
    const caller = new HttpsCaller(resolves ? { resolveService: () => ({ host: '127.0.0.1', port }) } : {});
    closers.push(() => caller.close());
    return (server = embeddedServer({ webhooks: caller }));
  });
  closers.unshift(() => fixture.close());
  if (server === undefined) throw new Error('the fixture did not start the server');
  return { ...fixture, server };
}

describe('webhooks behind Services', () => {
  it('are found by a resolver of the embedder, under the name of the Service', async () => {
    const { client, asked } = await fixtureWith(true);
    await client.create(CONFIG_MAPS, configMap('a', 'default'));
    expect(asked).toEqual(['/validate']);
  });

  it('are found by the endpoints of the Service, once there are any', async () => {
    const fixture = await fixtureWith(false);
    const addEndpoint = async (): Promise<void> => {
      // Clients may not name loopback addresses as endpoints; the webhook of this test has no other.
      fixture.server.store.create('discovery.k8s.io/endpointslices', 'default', 'hooks', {
        kind: 'EndpointSlice',
        apiVersion: 'discovery.k8s.io/v1',
        metadata: { name: 'hooks', namespace: 'default', labels: { 'kubernetes.io/service-name': 'hooks' } },
        addressType: 'IPv4',
        ports: [{ port: fixture.port }],
        endpoints: [{ addresses: ['127.0.0.1'] }],
      });
    };
    await describeEndpoints(fixture, 'default', { addEndpoint });
  });
});

import { HttpsCaller, type ApiServer } from '@capstan/apiserver';
import { Client } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { afterEach, describe, expect, it } from 'vitest';
import { embeddedServer } from '../src/conformance/backend.js';
import { ALLOWED, startHookServer } from '../src/hook-server.js';

const CONFIG_MAPS = { group: '', version: 'v1', plural: 'configmaps', namespaced: true };
const SERVICES = { group: '', version: 'v1', plural: 'services', namespaced: true };
const CONFIGURATIONS = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  plural: 'validatingwebhookconfigurations',
  namespaced: false,
};

let closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers) await close();
  closers = [];
});

interface World {
  readonly server: ApiServer;
  readonly client: Client;
  /** Paths webhooks were asked on. */
  readonly asked: string[];
  readonly port: number;
}

/** A server with a webhook behind the Service `hooks`, which is found as told. */
async function worldWith(resolves: boolean): Promise<World> {
  const asked: string[] = [];
  const hooks = await startHookServer(
    (path) => () => {
      asked.push(path);
      return ALLOWED;
    },
    ['hooks.default.svc'],
  );
  const port = Number(new URL(hooks.url).port);
  const caller = new HttpsCaller(resolves ? { resolveService: () => ({ host: '127.0.0.1', port }) } : {});
  closers.push(
    () => caller.close(),
    () => hooks.close(),
  );
  const server = embeddedServer({ webhooks: caller });
  const client = new Client(server);
  await client.create(CONFIGURATIONS, {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'hooks' },
    webhooks: [
      {
        name: 'hooks.example.com',
        clientConfig: { service: { namespace: 'default', name: 'hooks', path: '/validate' }, caBundle: hooks.caBundle },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  });
  return { server, client, asked, port };
}

const configMap = (name: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default' },
});

const failed = (reason: string): string =>
  'Internal error occurred: failed calling webhook "hooks.example.com": failed to call webhook: ' +
  `Post "https://hooks.default.svc:443/validate?timeout=10s": ${reason}`;

describe('webhooks behind Services', () => {
  it('are found by whoever knows better, under the name of the Service', async () => {
    const { client, asked } = await worldWith(true);
    await client.create(CONFIG_MAPS, configMap('a'));
    expect(asked).toEqual(['/validate']);
  });

  it('are found by the endpoints of the Service, once there are any', async () => {
    const { server, client, asked, port } = await worldWith(false);
    await expect(client.create(CONFIG_MAPS, configMap('a'))).rejects.toThrow(failed('service "hooks" not found'));
    await client.create(SERVICES, {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'hooks', namespace: 'default' },
      spec: { ports: [{ port: 443, targetPort: 9443 }] },
    });
    const none = failed('no endpoints available for service "hooks"');
    await expect(client.create(CONFIG_MAPS, configMap('a'))).rejects.toThrow(none);
    // Clients may not name loopback addresses as endpoints; the webhook of this test has no other.
    server.store.create('discovery.k8s.io/endpointslices', 'default', 'hooks', {
      kind: 'EndpointSlice',
      apiVersion: 'discovery.k8s.io/v1',
      metadata: { name: 'hooks', namespace: 'default', labels: { 'kubernetes.io/service-name': 'hooks' } },
      addressType: 'IPv4',
      ports: [{ port }],
      endpoints: [{ addresses: ['127.0.0.1'] }],
    });
    await client.create(CONFIG_MAPS, configMap('a'));
    expect(asked).toEqual(['/validate']);
  });
});

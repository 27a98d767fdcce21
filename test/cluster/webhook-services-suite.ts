import { Client } from '@capstan/kube';
import type { KubeObject, Transport } from '@capstan/meta';
import { expect } from 'vitest';
import { ALLOWED, startHookServer } from '../src/hook-server.js';

export const CONFIG_MAPS = { group: '', version: 'v1', plural: 'configmaps', namespaced: true };
const SERVICES = { ...CONFIG_MAPS, plural: 'services' };
const CONFIGURATIONS = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  plural: 'validatingwebhookconfigurations',
  namespaced: false,
};

/** A webhook behind the Service `hooks`, which there is not yet. */
export interface HookFixture {
  readonly client: Client;
  /** Paths it was asked on. */
  readonly asked: string[];
  /** Where it listens, on loopback. */
  readonly port: number;
  close(): Promise<void>;
}

/** Serves the webhook and registers it with the server, for one namespace alone. */
export async function configureHook(
  namespace: string,
  connect: (port: number) => Promise<Transport>,
): Promise<HookFixture> {
  const asked: string[] = [];
  const hooks = await startHookServer(
    (path) => () => {
      asked.push(path);
      return ALLOWED;
    },
    [`hooks.${namespace}.svc`],
  );
  const port = Number(new URL(hooks.url).port);
  const client = new Client(await connect(port));
  await client.create(CONFIGURATIONS, {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: `hooks-${namespace}` },
    webhooks: [
      {
        name: 'hooks.example.com',
        clientConfig: { service: { namespace, name: 'hooks', path: '/validate' }, caBundle: hooks.caBundle },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  });
  const close = async (): Promise<void> => {
    await client.delete(CONFIGURATIONS, `hooks-${namespace}`);
    await hooks.close();
  };
  return { client, asked, port, close };
}

export const configMap = (name: string, namespace: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace },
});

/** What differs between servers. */
export interface EndpointScenario {
  /** The error for a Service without endpoints. */
  readonly nothingBehind?: string;
  readonly addEndpoint: () => Promise<void>;
}

/** The webhook is not found without a Service, without endpoints behind it, and then is. */
export async function describeEndpoints(
  { asked, client }: HookFixture,
  namespace: string,
  { addEndpoint, nothingBehind = 'no endpoints available for service "hooks"' }: EndpointScenario,
): Promise<void> {
  const create = async (): Promise<string> =>
    client.create(CONFIG_MAPS, configMap('a', namespace), { dryRun: true }).then(
      () => 'created',
      (error: Error) => error.message,
    );
  const failed = (reason: string): string =>
    'Internal error occurred: failed calling webhook "hooks.example.com": failed to call webhook: ' +
    `Post "https://hooks.${namespace}.svc:443/validate?timeout=10s": ${reason}`;
  // A real server learns of what was written a moment later.
  await expect.poll(create).toBe(failed('service "hooks" not found'));
  await client.create(SERVICES, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'hooks', namespace },
    spec: { ports: [{ port: 443, targetPort: 9443 }] },
  });
  await expect.poll(create).toBe(failed(nothingBehind));
  expect(asked).toEqual([]);
  await addEndpoint();
  await expect.poll(create).toBe('created');
  expect(asked).toEqual(['/validate']);
}

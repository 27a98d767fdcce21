import { Client, createCa, Manager, WebhookServer } from '@capstan/kube';
import type { KubeObject, Transport } from '@capstan/meta';
import { expect } from 'vitest';
import { CONFIG_MAPS, start } from './fixture.js';
import type { Fixture } from './fixture.js';
import { eventually } from '../src/wait.js';

const ADMISSION = { group: 'admissionregistration.k8s.io', version: 'v1', namespaced: false };
const MUTATING = { ...ADMISSION, plural: 'mutatingwebhookconfigurations' };
const VALIDATING = { ...ADMISSION, plural: 'validatingwebhookconfigurations' };
const KIND = { group: '', kind: 'ConfigMap' };

interface Hooks {
  readonly url: string;
  readonly caBundle: string;
  readonly stop: () => Promise<void>;
}

/** A manager that serves webhooks and nothing else. */
async function startHooks(transport: Transport): Promise<Hooks> {
  const manager = new Manager({ transport });
  const ca = createCa({ commonName: 'hooks' });
  const pair = ca.issueServing({ commonName: 'hooks', ipAddresses: ['127.0.0.1'] });
  const { clock, logger, metrics } = manager;
  const certificate = { current: pair, onChange: () => {} };
  const server = new WebhookServer({ port: 0, certificate, clock, logger, metrics });
  server.mutating('/mutate', {
    for: KIND,
    mutate: (object, context) => {
      context.warn('mind the hook');
      object['data'] = { hook: 'was here' };
    },
  });
  server.validating('/validate', {
    for: KIND,
    validate: ({ object }) => {
      if (object?.metadata.name === 'bad') throw new Error('bad is no name');
    },
  });
  manager.add(server, 'webhook');
  const stop = start(manager);
  return { url: await server.ready(), caBundle: Buffer.from(ca.certPem).toString('base64'), stop };
}

/** A configuration that matches the namespace of the fixture alone. */
function configuration({ namespace }: Fixture, hooks: Hooks, kind: string, path: string): KubeObject {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: `${kind}WebhookConfiguration`,
    metadata: { name: namespace },
    webhooks: [
      {
        name: 'hook.example.com',
        clientConfig: { url: `${hooks.url}${path}`, caBundle: hooks.caBundle },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE'] }],
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  };
}

/** Objects are changed and refused by webhooks of ours. */
export async function describeHooks(fixture: Fixture): Promise<void> {
  const { client, namespace, transport } = fixture;
  const hooks = await startHooks(transport);
  try {
    await client.create(MUTATING, configuration(fixture, hooks, 'Mutating', '/mutate'));
    await client.create(VALIDATING, configuration(fixture, hooks, 'Validating', '/validate'));
    const changed = await eventually('the webhook is called', async () => {
      const warnings: string[] = [];
      const warned = new Client(transport, { onWarning: (warning) => warnings.push(warning) });
      const object = await warned.create(CONFIG_MAPS, fixture.configMap({ generateName: 'hooked-' }));
      return object['data'] === undefined ? undefined : { data: object['data'], warnings };
    });
    expect(changed).toEqual({ data: { hook: 'was here' }, warnings: ['mind the hook'] });
    const message = 'admission webhook "hook.example.com" denied the request: bad is no name';
    await expect(client.create(CONFIG_MAPS, fixture.configMap({ name: 'bad' }))).rejects.toMatchObject({
      status: { code: 403, message },
    });
  } finally {
    await client.delete(MUTATING, namespace).catch(() => {});
    await client.delete(VALIDATING, namespace).catch(() => {});
    await hooks.stop();
  }
}

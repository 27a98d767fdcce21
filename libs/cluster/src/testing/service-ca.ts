import { X509Certificate } from 'node:crypto';
import { CA_NAMESPACE, CA_SECRET } from '../service-ca/signing-key.js';
import type { Secret } from '../service-ca/serving.js';
import { CUSTOM_RESOURCE_DEFINITIONS, SERVICES, VALIDATING_WEBHOOKS } from '../workload/resources.js';
import type { ScenarioContext } from './context.js';
import { CONFIG_MAPS, mustEqual, SECRETS } from './context.js';
import type { Scenario } from './context.js';

const INJECT = { 'service.beta.openshift.io/inject-cabundle': 'true' };

const decoded = (secret: Secret, key: string): string => Buffer.from(secret.data?.[key] ?? '', 'base64').toString();

async function createService(context: ScenarioContext): Promise<Secret> {
  const annotations = { 'service.beta.openshift.io/serving-cert-secret-name': 'web-tls' };
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web', namespace: context.namespace, annotations },
    spec: { ports: [{ port: 443 }] },
  };
  await context.client.create(SERVICES, service);
  return context.eventually('there is a certificate', () => context.get('web-tls', SECRETS));
}

async function injected(context: ScenarioContext, name = 'trust'): Promise<string> {
  await context.configMap(name, { annotations: INJECT });
  return context.eventually('the bundle is there', async () => {
    const map = (await context.mustLive(name)) as { data?: Record<string, string> };
    return map.data?.['service-ca.crt'];
  });
}

/** What the service CA must do. */
export const serviceCaScenarios: readonly Scenario[] = [
  {
    name: 'a service that asks for a certificate has one that the injected bundle trusts, again when it is lost',
    async run(context) {
      const secret = await createService(context);
      const bundle = new X509Certificate(await injected(context));
      const certificate = new X509Certificate(decoded(secret, 'tls.crt'));
      mustEqual([certificate.checkIssued(bundle), certificate.verify(bundle.publicKey)], [true, true], 'trust');
      const host = `web.${context.namespace}.svc`;
      mustEqual(certificate.subjectAltName, `DNS:${host}, DNS:${host}.cluster.local`, 'names');
      const service = await context.mustLive('web', SERVICES);
      const { annotations = {}, ownerReferences } = secret.metadata;
      mustEqual(secret.type, 'kubernetes.io/tls', 'type');
      mustEqual(
        ownerReferences?.map(({ kind, uid }) => [kind, uid]),
        [['Service', service.metadata.uid]],
        'owner',
      );
      mustEqual(
        ['originating-service-name', 'originating-service-uid'].map(
          (key) => annotations[`service.beta.openshift.io/${key}`],
        ),
        ['web', service.metadata.uid],
        'origin',
      );
      await context.delete('web-tls', 'Background', SECRETS);
      await context.eventually('there is another', async () => {
        const again = await context.get('web-tls', SECRETS);
        return again !== undefined && again.metadata.uid !== secret.metadata.uid;
      });
    },
  },
  {
    name: 'a new CA signs every certificate again',
    async run(context) {
      const before = await createService(context);
      await context.client.delete(SECRETS, CA_SECRET, { namespace: CA_NAMESPACE });
      await context.eventually('the certificate is another', async () => {
        const secret = (await context.mustLive('web-tls', SECRETS)) as Secret;
        return decoded(secret, 'tls.crt') !== decoded(before, 'tls.crt');
      });
      const bundle = new X509Certificate(await injected(context));
      await context.eventually('it is trusted', async () => {
        const secret = (await context.mustLive('web-tls', SECRETS)) as Secret;
        return new X509Certificate(decoded(secret, 'tls.crt')).verify(bundle.publicKey);
      });
    },
  },
  {
    name: 'the bundle is injected into webhooks and conversions',
    async run(context) {
      const bundle = Buffer.from(await injected(context)).toString('base64');
      const name = `capstan-${context.suffix}`;
      const service = { namespace: context.namespace, name: 'web' };
      const hook = {
        name: 'web.example.com',
        clientConfig: { service },
        rules: [],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      };
      context.onCleanup(() => context.client.delete(VALIDATING_WEBHOOKS, name));
      await context.client.create(VALIDATING_WEBHOOKS, {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingWebhookConfiguration',
        metadata: { name, annotations: INJECT },
        webhooks: [hook, { ...hook, name: 'second.example.com' }],
      });
      const crd = `${name}s.example.com`;
      context.onCleanup(() => context.client.delete(CUSTOM_RESOURCE_DEFINITIONS, crd));
      const schema = { openAPIV3Schema: { type: 'object' } };
      await context.client.create(CUSTOM_RESOURCE_DEFINITIONS, {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: crd, annotations: INJECT },
        spec: {
          group: 'example.com',
          names: { plural: `${name}s`, singular: name, kind: 'Thing', listKind: 'ThingList' },
          scope: 'Namespaced',
          versions: [{ name: 'v1', served: true, storage: true, schema }],
          conversion: {
            strategy: 'Webhook',
            webhook: { conversionReviewVersions: ['v1'], clientConfig: { service } },
          },
        },
      });
      await context.eventually('the hooks trust the service', async () => {
        const found = await context.client.get(VALIDATING_WEBHOOKS, name);
        const hooks = found['webhooks'] as { clientConfig: { caBundle?: string } }[];
        return hooks.every(({ clientConfig }) => clientConfig.caBundle === bundle);
      });
      await context.eventually('the conversion trusts the service', async () => {
        const found = await context.client.get(CUSTOM_RESOURCE_DEFINITIONS, crd);
        const spec = found['spec'] as { conversion: { webhook: { clientConfig: { caBundle?: string } } } };
        return spec.conversion.webhook.clientConfig.caBundle === bundle;
      });
    },
  },
  {
    name: 'a map with the bundle has nothing else, and a map that does not ask has none',
    async run(context) {
      await injected(context);
      const value = { data: { 'service-ca.crt': 'wrong', more: 'x' } };
      await context.client.patch(CONFIG_MAPS, 'trust', { type: 'merge', value }, { namespace: context.namespace });
      await context.eventually('the bundle is back alone', async () => {
        const { data } = (await context.mustLive('trust')) as { data?: Record<string, string> };
        return Object.keys(data ?? {}).join() === 'service-ca.crt' && data?.['service-ca.crt'] !== 'wrong';
      });
      await context.configMap('plain');
      await context.settle();
      mustEqual((await context.mustLive('plain'))['data'], undefined, 'data');
    },
  },
];

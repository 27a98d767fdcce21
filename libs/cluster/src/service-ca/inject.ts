import { deepEqual } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';

export const INJECT = 'service.beta.openshift.io/inject-cabundle';
const DATA_KEY = 'service-ca.crt';

interface ClientConfig {
  readonly caBundle?: string;
}

interface Hook {
  readonly clientConfig?: ClientConfig;
}

interface Definition extends KubeObject {
  spec?: { conversion?: { strategy?: string; webhook?: Hook } };
}

type Injector = (object: KubeObject, bundlePem: string) => KubeObject;

const encoded = (pem: string): string => Buffer.from(pem).toString('base64');

function withBundle<T extends Hook>(hook: T, pem: string): T {
  return { ...hook, clientConfig: { ...hook.clientConfig, caBundle: encoded(pem) } };
}

function intoHooks(object: KubeObject, pem: string): KubeObject {
  const hooks = (object['webhooks'] ?? []) as readonly Hook[];
  return hooks.length === 0 ? object : { ...object, webhooks: hooks.map((hook) => withBundle(hook, pem)) };
}

function intoDefinition(object: KubeObject, pem: string): KubeObject {
  const { conversion } = (object as Definition).spec ?? {};
  // A CRD that asks nobody has nobody to trust.
  if (conversion?.strategy !== 'Webhook' || conversion.webhook?.clientConfig === undefined) return object;
  const injected = { ...conversion, webhook: withBundle(conversion.webhook, pem) };
  return { ...object, spec: { ...(object as Definition).spec, conversion: injected } };
}

/** Where the bundle goes, by plural name. */
export const INJECTORS: Readonly<Record<string, Injector>> = {
  // The whole content: what else is in such a map is not meant to be there.
  configmaps: (object, pem) => ({ ...object, data: { [DATA_KEY]: pem } }),
  customresourcedefinitions: intoDefinition,
  validatingwebhookconfigurations: intoHooks,
  mutatingwebhookconfigurations: intoHooks,
  apiservices: (object, pem) => ({
    ...object,
    spec: { ...(object['spec'] as object | undefined), caBundle: encoded(pem) },
  }),
};

/** The object with the bundle in it; undefined when it asks for none or has it. */
export function inject(plural: string, object: KubeObject, bundlePem: string): KubeObject | undefined {
  if (object.metadata.annotations?.[INJECT] !== 'true' || object.metadata.deletionTimestamp != null) return undefined;
  const injected = INJECTORS[plural]?.(object, bundlePem) ?? object;
  return deepEqual(injected, object) ? undefined : injected;
}

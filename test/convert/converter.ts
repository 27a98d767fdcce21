import { clusterApiConverter, contractContext } from '@capstan/convert/cluster-api';
import { createAuthority, Manager, WebhookServer } from '@capstan/kube';
import type { JsonObject, KubeObject, Transport } from '@capstan/meta';
import { start } from '../runtime/world.js';

/** Where definitions of kinds are. */
export const DEFINITIONS = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
};

/** An operator that does nothing but convert Cluster API. */
export interface Converter {
  /** What definitions say under `spec.conversion`. */
  readonly conversion: JsonObject;
  readonly warnings: readonly string[];
  readonly stop: () => Promise<void>;
}

/** Starts it beside a server; the contract labels of definitions it reads from a cache. */
export async function startConverter(transport: Transport): Promise<Converter> {
  const manager = new Manager({ transport });
  const { clock, logger, metrics } = manager;
  const authority = createAuthority({ commonName: 'conversion' });
  const current = authority.issueServing({ commonName: 'conversion', ipAddresses: ['127.0.0.1'] });
  const server = new WebhookServer({ port: 0, certificate: { current, onChange: () => {} }, clock, logger, metrics });
  const definitions = manager.cache.informer<KubeObject>(DEFINITIONS, { metadataOnly: true });
  const context = contractContext((name) => definitions.store.get(name)?.metadata.labels);
  const warnings: string[] = [];
  const kinds = clusterApiConverter(context, (_object, { path, message }) => warnings.push(`${path}: ${message}`));
  server.converting('/convert', kinds, { whenReady: () => definitions.whenSynced() });
  manager.add(server, 'webhook');
  const stop = start(manager);
  const caBundle = Buffer.from(authority.certPem).toString('base64');
  const clientConfig = { url: `${await server.ready()}/convert`, caBundle };
  const webhook = { conversionReviewVersions: ['v1', 'v1beta1'], clientConfig };
  return { conversion: { strategy: 'Webhook', webhook }, warnings, stop };
}

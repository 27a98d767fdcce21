import type { HubConversion, SpokeConversion } from '@capstan/convert';
import { clusterApiConverter, contractContext } from '@capstan/convert/cluster-api';
import { createCa, Manager, WebhookServer } from '@capstan/kube';
import type { JsonObject, KubeObject, Transport } from '@capstan/meta';
import { start } from '../runtime/fixture.js';

/** Where definitions of kinds are. */
export const DEFINITIONS = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
};

/** An operator that does nothing but convert Cluster API. */
export interface Converter {
  /** What CRDs say under `spec.conversion`. */
  readonly conversion: JsonObject;
  readonly warnings: readonly string[];
  /** How many objects of a kind were converted so far. */
  readonly conversionsOf: (kind: string) => number;
  readonly stop: () => Promise<void>;
}

/** The same kinds, with every conversion counted. */
function counted(kinds: readonly HubConversion[], counts: Map<string, number>): HubConversion[] {
  return kinds.map(({ spokes, ...each }) => {
    const count = (convert: SpokeConversion['toHub']) => (object: KubeObject) => {
      counts.set(each.kind, (counts.get(each.kind) ?? 0) + 1);
      return convert(object);
    };
    const wrap = ({ fromHub, toHub }: SpokeConversion) => ({ fromHub: count(fromHub), toHub: count(toHub) });
    const all = Object.entries(spokes).map(([version, spoke]) => [version, wrap(spoke)] as const);
    return { ...each, spokes: Object.fromEntries(all) };
  });
}

/** Starts it as a client of a server; it reads the contract labels of CRDs from a cache. */
export async function startConverter(transport: Transport): Promise<Converter> {
  const manager = new Manager({ transport });
  const { clock, logger, metrics } = manager;
  const ca = createCa({ commonName: 'conversion' });
  const current = ca.issueServing({ commonName: 'conversion', ipAddresses: ['127.0.0.1'] });
  const server = new WebhookServer({ port: 0, certificate: { current, onChange: () => {} }, clock, logger, metrics });
  const definitions = manager.cache.informer<KubeObject>(DEFINITIONS, { metadataOnly: true });
  const context = contractContext((name) => definitions.store.get(name)?.metadata.labels);
  const warnings: string[] = [];
  const kinds = clusterApiConverter(context, (_object, { path, message }) => warnings.push(`${path}: ${message}`));
  const counts = new Map<string, number>();
  server.converting('/convert', counted(kinds, counts), { whenReady: () => definitions.whenSynced() });
  manager.add(server, 'webhook');
  const stop = start(manager);
  const caBundle = Buffer.from(ca.certPem).toString('base64');
  const clientConfig = { url: `${await server.ready()}/convert`, caBundle };
  const webhook = { conversionReviewVersions: ['v1', 'v1beta1'], clientConfig };
  const conversionsOf = (kind: string): number => counts.get(kind) ?? 0;
  return { conversion: { strategy: 'Webhook', webhook }, warnings, conversionsOf, stop };
}

import { CertificateFiles, WebhookServer } from '@capstan/kube';
import type { ConvertedKind, Manager, OperatorContext } from '@capstan/kube';
import type { HYPERSHIFT_FLAGS } from './config.js';
import { DEFINITIONS } from './kinds.js';
import { NODE_POOL_WEBHOOK_PATH, nodePoolWebhook } from './node-pool/admission/webhook.js';
import type { NodePoolWebhookDependencies } from './node-pool/admission/webhook.js';

const DEFAULT_PORT = 9443;
/** Where the API server sends standard Cluster API objects, by CRDs that an operator of HyperShift has installed. */
const CONVERT_PATH = '/convert';

/** What is converted; the labels of a CRD decide which version a reference names. */
export type Converter = (
  labelsOf: (crd: string) => Readonly<Record<string, string>> | undefined,
) => readonly ConvertedKind[];

/** Serves webhooks with the certificate of a folder, where one is named. */
export async function serveWebhooks(
  manager: Manager,
  { attach, files, flags }: Pick<OperatorContext<typeof HYPERSHIFT_FLAGS>, 'attach' | 'files' | 'flags'>,
  { converter, ...parts }: NodePoolWebhookDependencies & { readonly converter?: Converter | undefined },
): Promise<void> {
  const folder = flags['webhook-cert-dir'];
  if (folder === undefined) return;
  const { clock, logger, metrics } = manager;
  const certificate = await CertificateFiles.load({
    certFile: `${folder}/tls.crt`,
    keyFile: `${folder}/tls.key`,
    files,
    clock,
    logger,
    metrics,
  });
  const port = flags['webhook-port'] ?? DEFAULT_PORT;
  const server = new WebhookServer({ port, host: '0.0.0.0', certificate, attach, clock, logger, metrics });
  server.validating(NODE_POOL_WEBHOOK_PATH, nodePoolWebhook(parts));
  if (converter !== undefined) {
    const definitions = manager.cache.informer(DEFINITIONS);
    const kinds = converter((name) => definitions.store.get(name)?.metadata.labels);
    server.converting(CONVERT_PATH, kinds, { whenReady: () => definitions.whenSynced() });
  }
  manager.add(certificate, 'webhook');
  manager.add(server, 'webhook');
}

import { CertificateFiles, WebhookServer } from '@capstan/kube';
import type { Manager, OperatorContext } from '@capstan/kube';
import type { HYPERSHIFT_FLAGS } from './config.js';
import { NODE_POOL_WEBHOOK_PATH, nodePoolWebhook } from './node-pool/admission/webhook.js';
import type { NodePoolWebhookDependencies } from './node-pool/admission/webhook.js';

const DEFAULT_PORT = 9443;

/** Serves webhooks with the certificate of a folder, where one is named. */
export async function serveWebhooks(
  manager: Manager,
  { attach, files, flags }: Pick<OperatorContext<typeof HYPERSHIFT_FLAGS>, 'attach' | 'files' | 'flags'>,
  parts: NodePoolWebhookDependencies,
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
  manager.add(certificate, 'webhook');
  manager.add(server, 'webhook');
}

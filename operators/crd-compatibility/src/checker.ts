import type { CompatibilityRequirement } from '@capstan/api/apiextensions';
import { CertificateFiles, Manager, sleep, WebhookServer } from '@capstan/kube';
import type { AttachServer, FileReader, ManagerOptions, ServingCertificate } from '@capstan/kube';
import type { KubeObject, Transport } from '@capstan/meta';
import type { CheckerSettings } from './config.js';
import { addControllers } from './controllers.js';
import { definitionWebhook } from './definitions/webhook.js';
import { DEFINITIONS, REQUIREMENTS } from './kinds.js';
import { CheckerMetrics } from './metrics.js';
import { CHECKER_NAME, PATHS } from './names.js';
import { LiveDefinitions } from './objects/live-definitions.js';
import { ObjectWebhook } from './objects/webhook.js';
import { Freshness } from './requirement-cache/freshness.js';
import { Requirements } from './requirement-cache/requirements.js';
import { requirementWebhook } from './requirement/admission/webhook.js';
import { serverRelease } from './server-release.js';
import { probeAnswer } from './webhooks/probe.js';

/** The dependencies and settings of a checker. */
export interface CheckerOptions {
  readonly manager: ManagerOptions;
  readonly settings: Pick<CheckerSettings, 'hasStaticWebhook' | 'host' | 'port' | 'reach' | 'shutdownDelayMs'>;
  /** Files that are read again when they change, or a certificate that notifies of its changes. */
  readonly certificate: { readonly certFile: string; readonly keyFile: string } | ServingCertificate;
  /** The CA bundle of the certificate, as PEM; undefined: the service CA injects it. */
  readonly caPem?: string | undefined;
  readonly files?: FileReader | undefined;
  readonly attach?: AttachServer | undefined;
  /** The way to a single API server, by its URL, where a cluster has several; absent: each is asked through the one way there is. */
  readonly connect?: ((url: string) => Transport) | undefined;
}

/** A checker that is put together and not started. */
export interface Checker {
  readonly manager: Manager;
  readonly metrics: CheckerMetrics;
  /** Where reviews are taken, once they are. */
  readonly url: () => Promise<string>;
}

/** Puts a checker together: webhooks that every replica serves, and controllers that only the leader runs. */
export async function buildChecker(options: CheckerOptions): Promise<Checker> {
  const { client: given } = options.manager;
  const manager = new Manager({ ...options.manager, client: { ...given, userAgent: CHECKER_NAME } });
  const { cache, clock, unguardedClient: client } = manager;
  const server = serverRelease(client);
  const requirements = new Requirements({
    informer: cache.informer<CompatibilityRequirement>(REQUIREMENTS),
    clock,
    server,
  });
  const metrics = new CheckerMetrics(requirements);
  manager.metrics.register(...metrics.families);
  const webhooks = await webhookServer(options, manager);
  const freshness = new Freshness(client, requirements);
  const informer = cache.informer<KubeObject>(DEFINITIONS, { metadataOnly: true });
  const definitions = new LiveDefinitions({ client, informer, server });
  webhooks.validating(PATHS.definitions, definitionWebhook({ requirements, freshness, metrics }));
  webhooks.validating(PATHS.requirements, requirementWebhook(server));
  webhooks.validating(PATHS.objects, new ObjectWebhook({ client, clock, requirements, definitions, server, metrics }));
  webhooks.validating(PATHS.probe, { validate: (_objects, context) => context.warn(probeAnswer(context.path)) });
  manager.add(webhooks, 'webhook');
  addControllers(manager, { ...options, requirements, url: () => webhooks.ready() });
  addShutdownDelay(manager, webhooks, options.settings.shutdownDelayMs);
  return { manager, metrics, url: () => webhooks.ready() };
}

async function webhookServer(options: CheckerOptions, manager: Manager): Promise<WebhookServer> {
  const { clock, logger, metrics } = manager;
  const { attach, certificate: given, files } = options;
  const { host, port } = options.settings;
  let certificate: ServingCertificate;
  if ('certFile' in given) {
    const loaded = await CertificateFiles.load({ ...given, files, clock, logger, metrics });
    manager.add(loaded, 'webhook');
    certificate = loaded;
  } else certificate = given;
  return new WebhookServer({ port, host, certificate, attach, clock, logger, metrics });
}

/**
 * Delays the stop: API servers keep sending reviews to a replica until they have observed that it is no longer ready,
 * and a review without an answer is a failed write.
 */
function addShutdownDelay(manager: Manager, webhooks: WebhookServer, delayMs: number): void {
  const run = async (signal: AbortSignal): Promise<void> => {
    if (!signal.aborted)
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    webhooks.drain();
    if (delayMs > 0) await sleep(manager.clock, delayMs);
  };
  manager.add({ name: 'shutdown delay', run }, 'other');
}

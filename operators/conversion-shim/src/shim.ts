import type { Duplex } from 'node:stream';
import { CertificateFiles, EndpointServer, HealthChecks, Manager } from '@capstan/kube';
import type { AttachServer, FileReader, Logger, ServingCertificate } from '@capstan/kube';
import type { Clock, KubeObject, Random, Transport } from '@capstan/meta';
import { CLUSTER_API_RULES, GroupMapping } from '@capstan/translate';
import { cutDown, Definitions, DEFINITIONS } from './definitions.js';
import type { Delegate } from './delegates/delegate.js';
import { ownConverter } from './delegates/own.js';
import { DelegateCaller } from './delegates/remote.js';
import { conversionEndpoint } from './endpoint.js';
import { BadConfiguration } from './errors.js';
import { Gate } from './gate.js';
import { DEFAULT_LIMITS } from './limits.js';
import type { ShimLimits } from './limits.js';
import { ShimMetrics } from './metrics.js';
import { ReviewLabels } from './review/labels.js';
import { reviewSwapper } from './review/translation.js';
import { TrustFile } from './trust-file.js';

/** Another version of the same objects, with an annotation that keeps what it has no place for, is not much larger. */
const ANSWER_FACTOR = 2;

interface Listening {
  /** 0 = any free one. */
  readonly port: number;
  /** Default: this machine only. */
  readonly host?: string | undefined;
}

/** What a shim is given. */
export interface ShimOptions extends Listening {
  /** The way to the API server: CRDs are read there. */
  readonly transport: Transport;
  /** Files that are read again when they change, or a certificate that announces its changes. */
  readonly certificate: { readonly certFile: string; readonly keyFile: string } | ServingCertificate;
  /** Serves `/healthz`, `/readyz` and `/metrics` without TLS. Default: not at all. */
  readonly health?: Listening | undefined;
  /** Default: the groups of Cluster API. */
  readonly mapping?: GroupMapping | undefined;
  /** Who converts groups, by their standard names, before anything else is asked. */
  readonly delegates?: ReadonlyMap<string, Delegate> | undefined;
  /** PEM file of those who are trusted where a definition names nobody. Default: the system's CAs. */
  readonly delegateCaFile?: string | undefined;
  readonly limits?: Partial<ShimLimits> | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
  readonly logger?: Logger | undefined;
  /** Networks and files that are not this machine's: those of a pod. */
  readonly attach?: AttachServer | undefined;
  readonly dial?: ((host: string, port: number) => Promise<Duplex>) | undefined;
  readonly files?: FileReader | undefined;
}

/** A shim that is put together and not started. */
export interface Shim {
  readonly manager: Manager;
  readonly metrics: ShimMetrics;
  /** Where reviews are taken, once they are. */
  readonly url: () => Promise<string>;
  /** Where health and metrics are served, once they are. */
  readonly healthUrl: () => Promise<string>;
}

/** A shim that takes reviews. */
export interface RunningShim {
  /** `https://host:port`; reviews go to `/convert`. */
  readonly url: string;
  readonly healthUrl: string | undefined;
  readonly metrics: ShimMetrics;
  /** Settles when the shim has ended, rejects when it failed. */
  readonly ended: Promise<void>;
  /** Answers what is under way and ends. */
  stop(): Promise<void>;
}

/** Puts a shim together. It listens before it knows any CRD: caches elsewhere may need it to start. */
export async function buildShim(options: ShimOptions): Promise<Shim> {
  const { clock: givenClock, logger: givenLogger, random: givenRandom, transport } = options;
  const manager = new Manager({
    transport,
    clock: givenClock,
    logger: givenLogger,
    random: givenRandom,
    cache: { transform: cutDown },
  });
  const metrics = new ShimMetrics();
  manager.metrics.register(...metrics.families);
  const { clock, logger } = manager;
  const definitions = new Definitions(manager.cache.informer<KubeObject>(DEFINITIONS, { metadataOnly: true }));
  const endpoint = conversionEndpoint({ ...(await converters(options, manager, definitions)), clock, logger, metrics });
  const certificate = await certificateOf(options, manager);
  const { attach, host, limits, port } = options;
  const maxBodyBytes = limits?.bodyBytes ?? DEFAULT_LIMITS.bodyBytes;
  const server = new EndpointServer({ name: 'conversion', certificate, port, host, attach, logger, maxBodyBytes });
  server.route('/convert', endpoint);
  manager.add(server, 'webhook');
  const health = addHealth(options, { manager, definitions, server });
  return { manager, metrics, url: () => server.ready(), healthUrl: health };
}

/** Starts a shim; resolves once it takes reviews. */
export async function startShim(options: ShimOptions): Promise<RunningShim> {
  const { healthUrl, manager, metrics, url } = await buildShim(options);
  const ending = new AbortController();
  const ended = manager.run(ending.signal);
  const failed = ended.then(() => Promise.reject(new BadConfiguration('the shim ended before it began')));
  const stop = (): Promise<void> => {
    ending.abort();
    return ended;
  };
  const listening = await Promise.race([url(), failed]);
  failed.catch(() => {});
  return {
    url: listening,
    healthUrl: options.health === undefined ? undefined : await healthUrl(),
    metrics,
    ended,
    stop,
  };
}

async function converters(options: ShimOptions, manager: Manager, definitions: Definitions) {
  const { clock, logger, random } = manager;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const mapping = options.mapping ?? new GroupMapping(CLUSTER_API_RULES);
  const { delegateCaFile, delegates = new Map<string, Delegate>(), dial } = options;
  const trusted = delegateCaFile === undefined ? undefined : await TrustFile.load(delegateCaFile, { clock, logger });
  if (trusted !== undefined) manager.add(trusted, 'http');
  const caller = new DelegateCaller({
    clock,
    random: random.split('delegates'),
    budgetMs: limits.delegateMs,
    answerBytes: ANSWER_FACTOR * limits.bodyBytes,
    trust: () => trusted?.pem,
    dial,
  });
  // Stopped after the webhook: reviews under way still need it.
  manager.add({ name: 'delegates', run: (signal) => untilAborted(signal, () => caller.close()) }, 'http');
  return {
    mapping,
    definitions,
    delegates,
    caller,
    swap: reviewSwapper(mapping),
    own: ownConverter(definitions.labelsOf, mapping),
    labels: new ReviewLabels(),
    gate: new Gate(limits.concurrent, limits.queued),
    startMs: limits.startMs,
  };
}

async function untilAborted(signal: AbortSignal, finish: () => Promise<void>): Promise<void> {
  if (!signal.aborted)
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  await finish();
}

async function certificateOf({ certificate, files }: ShimOptions, manager: Manager): Promise<ServingCertificate> {
  if (!('certFile' in certificate)) return certificate;
  const { clock, logger, metrics } = manager;
  const loaded = await CertificateFiles.load({ ...certificate, files, clock, logger, metrics });
  manager.add(loaded, 'webhook');
  return loaded;
}

interface Watched {
  readonly manager: Manager;
  readonly definitions: Definitions;
  readonly server: EndpointServer;
}

function addHealth({ attach, health }: ShimOptions, { definitions, manager, server }: Watched): Shim['healthUrl'] {
  const { logger, metrics } = manager;
  if (health === undefined) return () => Promise.reject(new BadConfiguration('this shim serves no health'));
  const alive = new HealthChecks('healthz', logger);
  const ready = new HealthChecks('readyz', logger);
  let isListening = false;
  void server.ready().then(
    () => (isListening = true),
    () => undefined,
  );
  ready.add('webhook', () => {
    if (!isListening) throw new BadConfiguration('reviews are not accepted yet');
  });
  ready.add('definitions', () => {
    if (!definitions.hasSynced) throw new BadConfiguration('the CRDs are not known yet');
  });
  const pages = new EndpointServer({ ...health, name: 'health', attach, logger });
  pages.route('/healthz', alive.endpoint);
  pages.route('/readyz', ready.endpoint);
  const contentType = 'text/plain; version=0.0.4; charset=utf-8';
  pages.route('/metrics', () => ({ status: 200, contentType, body: metrics.render() }));
  manager.add(pages, 'http');
  return () => pages.ready();
}

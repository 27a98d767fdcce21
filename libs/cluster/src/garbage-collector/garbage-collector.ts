import { Discovery, errorText, EventRecorder, runWorkers, sleep, WorkQueue } from '@capstan/kube';
import type { WorkResult } from '@capstan/kube';
import type { ControllerOptions } from '../controller.js';
import { Collector } from './collector.js';
import { DependencyGraph } from './graph.js';
import { identityText, referencedIdentity } from './identity.js';
import { Monitors } from './monitors.js';
import type { GraphNode } from './node.js';
import { Operations } from './operations.js';

export interface GarbageCollectorOptions extends ControllerOptions {
  /** Objects worked on at once. Default 20. */
  readonly workers?: number | undefined;
}

const PERIOD_MS = 30_000;
const INITIAL_SYNC_MS = 30_000;
/** After a change of CRDs the server needs a moment, sometimes seconds, until it serves by them. */
const FOLLOW_UPS_MS: readonly number[] = [100, 1000, 3000, 10_000];

/**
 * Deletes what has lost its owners, and carries foreground and orphaning deletions through. A client like any other:
 * it learns of everything by informers and acts some time later.
 */
export class GarbageCollector {
  readonly #options: GarbageCollectorOptions;
  readonly #discovery: Discovery;
  readonly #examineQueue: WorkQueue<GraphNode>;
  readonly #orphanQueue: WorkQueue<GraphNode>;
  readonly #discoverQueue: WorkQueue<'discover'>;
  readonly #graph: DependencyGraph;
  readonly #collector: Collector;
  readonly #monitors: Monitors;
  readonly #recorder: EventRecorder;
  #followUps: number[] = [];
  #stopped: Promise<void> = Promise.resolve();

  constructor(options: GarbageCollectorOptions) {
    const { client, clock, logger } = options;
    const random = options.random.split('garbage-collector');
    this.#options = options;
    this.#discovery = new Discovery(client, { clock });
    this.#examineQueue = new WorkQueue({ clock });
    this.#orphanQueue = new WorkQueue({ clock });
    this.#discoverQueue = new WorkQueue({ clock, maxDelayMs: PERIOD_MS });
    this.#recorder = new EventRecorder({
      client,
      clock,
      logger,
      random: random.split('events'),
      component: 'garbage-collector-controller',
    });
    this.#graph = new DependencyGraph({
      examine: (node) => this.#examineQueue.add(node),
      examineLater: (node) => this.#examineQueue.addRateLimited(node),
      orphan: (node) => this.#orphanQueue.add(node),
      invalidNamespace: (node, reference) => {
        const { namespace } = node.identity;
        const owner = identityText(referencedIdentity(reference, namespace));
        const message = `ownerRef ${owner} does not exist in namespace ${JSON.stringify(namespace)}`;
        this.#recorder.record(node.identity, { type: 'Warning', reason: 'OwnerRefInvalidNamespace', message });
      },
    });
    const operations = new Operations({
      client,
      clock,
      discovery: this.#discovery,
      random: random.split('operations'),
    });
    this.#collector = new Collector({ graph: this.#graph, operations, logger, examineQueue: this.#examineQueue });
    this.#monitors = new Monitors({
      client,
      clock,
      logger,
      random: random.split('monitors'),
      observe: (observation) => this.#graph.observe(observation),
      remove: (identity) => this.#graph.remove(identity),
      schemaChanged: () => this.#schemaChanged(),
    });
  }

  /** Begins; resolves when every kind of object is known and work has begun. Runs until the signal aborts. */
  async start(signal: AbortSignal): Promise<void> {
    const { clock, logger, workers = 20 } = this.#options;
    if (signal.aborted) return;
    let stop: () => void = () => {};
    const aborted = new Promise<void>((resolve) => {
      stop = resolve;
    });
    signal.addEventListener('abort', stop, { once: true });
    const discovering = this.#discover(signal);
    const synced = this.#firstDiscovery.then(() => this.#monitors.whenSynced());
    await Promise.race([synced, aborted, this.#firstDiscovery.then(() => sleep(clock, INITIAL_SYNC_MS, signal))]);
    const describe = (node: GraphNode): string => identityText(node.identity);
    // What is still queued at the end is left to the next collector.
    const unlessStopped = (work: (node: GraphNode) => Promise<WorkResult>) => async (node: GraphNode) =>
      signal.aborted ? 'done' : work(node);
    const examine = unlessStopped((node) => this.#collector.examine(node));
    const orphan = unlessStopped((node) => this.#collector.orphan(node));
    const working = [
      runWorkers({ queue: this.#examineQueue, workers, logger, describe, handle: examine }),
      runWorkers({ queue: this.#orphanQueue, workers, logger, describe, handle: orphan }),
    ];
    this.#stopped = aborted.then(async () => {
      for (const queue of [this.#discoverQueue, this.#examineQueue, this.#orphanQueue]) queue.shutDown();
      await Promise.all([this.#monitors.stop(), discovering, ...working]);
      await this.#recorder.close();
    });
  }

  /** Resolves when, after the signal, the last work has ended. */
  stopped(): Promise<void> {
    return this.#stopped;
  }

  /** True when no work is known to be left. */
  get idle(): boolean {
    return this.#examineQueue.idle && this.#orphanQueue.idle;
  }

  #resolveFirst: () => void = () => {};
  readonly #firstDiscovery = new Promise<void>((resolve) => {
    this.#resolveFirst = resolve;
  });

  #discover(signal: AbortSignal): Promise<void> {
    const { logger } = this.#options;
    const handle = async (): Promise<WorkResult> => {
      try {
        const snapshot = await this.#discovery.refresh(signal);
        if (signal.aborted) return 'done';
        for (const { group, version, message } of snapshot.failures)
          logger.warn('group cannot be discovered', { group, version, error: message });
        this.#monitors.sync(snapshot);
        this.#resolveFirst();
        return { afterMs: this.#followUps.shift() ?? PERIOD_MS };
      } catch (error) {
        if (!signal.aborted) logger.warn('discovery failed', { error: errorText(error) });
        return 'retry';
      }
    };
    this.#discoverQueue.add('discover');
    return runWorkers({ queue: this.#discoverQueue, workers: 1, logger, describe: (key) => key, handle });
  }

  #schemaChanged(): void {
    const [first = 0, ...rest] = FOLLOW_UPS_MS;
    this.#followUps = rest;
    this.#discoverQueue.addAfter('discover', first);
  }
}

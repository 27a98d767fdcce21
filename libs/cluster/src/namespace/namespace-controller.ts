import { ignoreNotFound, isNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { Discovery, errorText, Informer, retryOnConflict, runWorkers, timestamp, WorkQueue } from '@capstan/kube';
import type { ResourceRef, WorkResult } from '@capstan/kube';
import { ClusterError } from '../errors.js';
import type { ControllerOptions } from '../controller.js';
import { deletionConditions } from './conditions.js';
import type { NamespaceCondition } from './conditions.js';
import { deleteContent, remainingText } from './content.js';
import { watchDepartures } from './departures.js';
import type { ContentOutcome } from './outcome.js';

export interface NamespaceControllerOptions extends ControllerOptions {
  /** Namespaces worked on at once. Default 10. */
  readonly workers?: number | undefined;
  /** Wait between the deletion of a namespace and of its content: several servers need 5 s to agree. Default 0. */
  readonly delayMs?: number | undefined;
}

interface Namespace extends KubeObject {
  spec?: { finalizers?: string[] };
  status?: { phase?: string; conditions?: NamespaceCondition[] };
}

const NAMESPACES: ResourceRef = { group: '', version: 'v1', plural: 'namespaces', namespaced: false };
const FINALIZER = 'kubernetes';
const MAX_RETRY_MS = 60_000;

/** Empties namespaces that are being deleted, reports progress in their status, and finalizes them when they are empty. */
export class NamespaceController {
  readonly #options: NamespaceControllerOptions;
  readonly #discovery: Discovery;
  readonly #queue: WorkQueue<string>;
  readonly #informer: Informer<KubeObject>;
  readonly #departures = new Map<string, () => void>();
  #stopped: Promise<void> = Promise.resolve();

  constructor(options: NamespaceControllerOptions) {
    const { client, clock, logger } = options;
    this.#options = options;
    this.#discovery = new Discovery(client, { clock });
    this.#queue = new WorkQueue({ clock, maxDelayMs: MAX_RETRY_MS });
    this.#informer = new Informer({
      client,
      clock,
      logger,
      random: options.random.split('namespaces'),
      resource: NAMESPACES,
      metadataOnly: true,
    });
    this.#informer.addHandler({
      add: (namespace) => this.#enqueue(namespace),
      // Only the beginning of a deletion: our own writes while it lasts are no news.
      update: (old, namespace) => old.metadata.deletionTimestamp == null && this.#enqueue(namespace),
      delete: (namespace) => this.#endDepartures(namespace.metadata.name ?? ''),
    });
  }

  /** Begins; resolves when all namespaces are known and work has begun. Runs until the signal aborts. */
  async start(signal: AbortSignal): Promise<void> {
    const { logger, workers = 10 } = this.#options;
    if (signal.aborted) return;
    let stop: () => void = () => {};
    const aborted = new Promise<void>((resolve) => {
      stop = resolve;
    });
    signal.addEventListener('abort', stop, { once: true });
    const informing = this.#informer.run(signal);
    await Promise.race([this.#informer.whenSynced(), aborted]);
    const handle = async (name: string): Promise<WorkResult> => (signal.aborted ? 'done' : this.#sync(name, signal));
    const working = runWorkers({ queue: this.#queue, workers, logger, describe: (name) => name, handle });
    this.#stopped = aborted.then(async () => {
      this.#queue.shutDown();
      for (const name of this.#departures.keys()) this.#endDepartures(name);
      await Promise.all([informing, working]);
    });
  }

  /** Resolves when, after the signal, the last work has ended. */
  stopped(): Promise<void> {
    return this.#stopped;
  }

  #enqueue(namespace: KubeObject): void {
    if (namespace.metadata.deletionTimestamp == null) return;
    this.#queue.addAfter(namespace.metadata.name ?? '', this.#options.delayMs ?? 0);
  }

  #endDepartures(name: string): void {
    this.#departures.get(name)?.();
    this.#departures.delete(name);
  }

  async #sync(name: string, signal: AbortSignal): Promise<WorkResult> {
    const { client, clock, logger } = this.#options;
    this.#endDepartures(name);
    let namespace: Namespace;
    try {
      namespace = await client.get<Namespace>(NAMESPACES, name, { signal });
      if (namespace.metadata.deletionTimestamp == null) return 'done';
      namespace = await this.#ensureTerminating(namespace);
    } catch (error) {
      if (isNotFound(error)) return 'done';
      throw error;
    }
    if (namespace.spec?.finalizers?.includes(FINALIZER) !== true) return 'done';
    const outcome = await deleteContent({ client, clock, discovery: this.#discovery }, namespace, signal);
    if (signal.aborted) return 'done';
    namespace = await this.#report(namespace, outcome);
    if (outcome.remaining.length > 0) {
      this.#departures.set(
        name,
        watchDepartures(client, name, outcome.remaining, () => this.#queue.add(name)),
      );
    }
    const problems =
      outcome.discoveryError === undefined ? outcome.errors : [outcome.discoveryError, ...outcome.errors];
    if (problems.length > 0)
      throw new ClusterError('NAMESPACE_NOT_EMPTY', `namespace ${name} could not be emptied: ${problems.join('; ')}`);
    if (outcome.estimateSeconds > 0) {
      logger.debug('content remains in namespace', { namespace: name, remaining: remainingText(outcome.remaining) });
      return { afterMs: (Math.floor(outcome.estimateSeconds / 2) + 1) * 1000 };
    }
    await this.#finalize(namespace);
    return 'done';
  }

  async #ensureTerminating(namespace: Namespace): Promise<Namespace> {
    if (namespace.status?.phase === 'Terminating') return namespace;
    return this.#change(namespace, 'status', (latest) =>
      latest.status?.phase === 'Terminating'
        ? undefined
        : { ...latest, status: { ...latest.status, phase: 'Terminating' } },
    );
  }

  async #report(namespace: Namespace, outcome: ContentOutcome): Promise<Namespace> {
    const now = timestamp(this.#options.clock);
    try {
      return await this.#change(namespace, 'status', (latest) => {
        const conditions = deletionConditions(latest.status?.conditions ?? [], outcome, now);
        return conditions === undefined
          ? undefined
          : { ...latest, status: { ...latest.status, conditions: [...conditions] } };
      });
    } catch (error) {
      // A failed status write must not delay the deletion.
      this.#options.logger.warn('namespace conditions could not be written', {
        namespace: namespace.metadata.name,
        error: errorText(error),
      });
      return namespace;
    }
  }

  async #finalize(namespace: Namespace): Promise<void> {
    await this.#change(namespace, 'finalize', (latest) => ({
      ...latest,
      spec: {
        ...latest.spec,
        finalizers: (latest.spec?.finalizers ?? []).filter((finalizer) => finalizer !== FINALIZER),
      },
    })).catch(ignoreNotFound);
  }

  /** Writes a change of the same namespace, reading again on conflict. `undefined` = nothing to change. */
  async #change(
    namespace: Namespace,
    subresource: string,
    change: (latest: Namespace) => Namespace | undefined,
  ): Promise<Namespace> {
    const { client, clock, random } = this.#options;
    const name = namespace.metadata.name ?? '';
    let latest: Namespace | undefined = namespace;
    return retryOnConflict({ clock, random }, async () => {
      latest ??= await client.get<Namespace>(NAMESPACES, name);
      const before: Namespace = latest;
      latest = undefined;
      if (before.metadata.uid !== namespace.metadata.uid)
        throw new ClusterError('NAMESPACE_RECREATED', `namespace ${name} was deleted and created again`);
      const changed = change(before);
      return changed === undefined ? before : client.update<Namespace>(NAMESPACES, changed, { subresource });
    });
  }
}

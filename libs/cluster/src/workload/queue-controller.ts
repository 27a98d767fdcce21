import { controllerOf, deepEqual, isConflict, isNotFound, parseApiVersion } from '@capstan/meta';
import type { Clock, KubeObject } from '@capstan/meta';
import { EventRecorder, never, objectKey, runWorkers, RUNTIME_HOOKS, WorkQueue } from '@capstan/kube';
import type { Client, EventText, Informer, ResourceRef, WorkResult } from '@capstan/kube';
import type { Controller, ControllerOptions } from '../controller.js';
import { SharedInformers } from './shared-informers.js';

export interface WorkloadOptions extends ControllerOptions {
  /** Informers shared with other controllers. Default: its own. */
  readonly informers?: SharedInformers | undefined;
  /** Which namespaces, and which cluster-scoped objects by name, it reconciles. Default: all. */
  readonly namespaces?: ((namespace: string) => boolean) | undefined;
  /** Objects worked on at once. Default 5. */
  readonly workers?: number | undefined;
}

const MAX_RETRY_MS = 60_000;

/** A controller that works off the keys of one kind of object, with what informers know. */
export abstract class QueueController implements Controller {
  protected readonly client: Client;
  protected readonly clock: Clock;
  protected readonly informers: SharedInformers;
  protected readonly queue: WorkQueue<string>;
  readonly #options: WorkloadOptions;
  readonly #recorder: EventRecorder;
  /** Objects that are deleted on the server while the informer still has them, by uid. */
  readonly #gone = new Set<string | undefined>();
  #stopped: Promise<void> = Promise.resolve();

  protected constructor(options: WorkloadOptions, component: string) {
    const { client, clock, logger } = options;
    this.#options = options;
    this.client = client;
    this.clock = clock;
    this.informers = options.informers ?? new SharedInformers(options);
    this.queue = new WorkQueue({ clock, maxDelayMs: MAX_RETRY_MS });
    const random = options.random.split(`${component} events`);
    this.#recorder = new EventRecorder({ client, clock, logger, random, component });
  }

  /** Starts; resolves when the informers have synced and the workers run. Runs until the signal aborts. */
  async start(signal: AbortSignal): Promise<void> {
    const { logger, sometimes = never, workers = 5 } = this.#options;
    if (signal.aborted) return;
    const aborted = new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    await this.informers.start(signal);
    const handle = async (key: string): Promise<WorkResult> => {
      if (signal.aborted) return 'done';
      try {
        const result = await this.sync(key);
        return result === 'done' && sometimes(RUNTIME_HOOKS.reconcileAgain, 0.05) ? { afterMs: 0 } : result;
      } catch (error) {
        // The cache was behind: what it is to learn brings the key back anyway.
        if (isConflict(error)) return 'retry';
        throw error;
      }
    };
    const working = runWorkers({ queue: this.queue, workers, logger, describe: (key) => key, handle });
    this.#stopped = aborted.then(async () => {
      this.queue.shutDown();
      await Promise.all([working, this.informers.stopped()]);
      await this.#recorder.close();
    });
  }

  /** Resolves when, after the signal, the last work has ended. */
  stopped(): Promise<void> {
    return this.#stopped;
  }

  /** Brings the object of a key to what it should be. */
  protected abstract sync(key: string): Promise<WorkResult>;

  protected manages(object: KubeObject): boolean {
    const { name = '', namespace = name } = object.metadata;
    return this.#options.namespaces?.(namespace) ?? true;
  }

  protected enqueue(object: KubeObject, delayMs = 0): void {
    if (this.manages(object)) this.queue.addAfter(objectKey(object), delayMs);
  }

  /** Works on every object of this informer. */
  protected follow<T extends KubeObject>(informer: Informer<T>): void {
    informer.addHandler({
      add: (object) => this.enqueue(object),
      update: (_, object) => this.enqueue(object),
      delete: (object) => {
        this.#gone.delete(object.metadata.uid);
        this.enqueue(object);
      },
    });
  }

  /**
   * What a followed informer knows of a key, unless it is known to be gone. Otherwise, while a watch is late, children
   * were made for it that the garbage collector deletes, and made again, as fast as both can.
   */
  protected living<T extends KubeObject>(informer: Informer<T>, key: string): T | undefined {
    const object = informer.store.get(key);
    return this.#gone.has(object?.metadata.uid) ? undefined : object;
  }

  /** The object that controls this one, when it is of the kind and the same as the informer knows. */
  protected owner<T extends KubeObject>(object: KubeObject, informer: Informer<T>, kind: string): T | undefined {
    const reference = controllerOf(object);
    if (reference === undefined || reference.kind !== kind) return undefined;
    if (parseApiVersion(reference.apiVersion).group === '') return undefined;
    const owner = informer.store.get(`${object.metadata.namespace ?? ''}/${reference.name}`);
    return owner?.metadata.uid === reference.uid ? owner : undefined;
  }

  /** It is deleted on the server: the informer does not know yet. */
  protected markGone(object: KubeObject): void {
    this.#gone.add(object.metadata.uid);
  }

  /** Writes the status of an object unless it is equal already; a deleted object needs none. */
  protected async writeStatus<T extends KubeObject>(ref: ResourceRef, object: T, status: object): Promise<void> {
    if (deepEqual(object['status'] ?? {}, status)) return;
    try {
      await this.client.update<T>(ref, { ...object, status }, { subresource: 'status' });
    } catch (error) {
      if (!isNotFound(error)) throw error;
      this.markGone(object);
    }
  }

  protected record(subject: KubeObject, type: EventText['type'], reason: string, message: string): void {
    const { namespace, name = '', uid = '' } = subject.metadata;
    const { apiVersion, kind } = subject;
    this.#recorder.record({ apiVersion, kind, namespace, name, uid }, { type, reason, message });
  }
}

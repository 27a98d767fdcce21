import type { Clock, CounterSeries, HistogramSeries, KubeObject, Random } from '@capstan/meta';
import type { Cache, Selection } from '../cache/cache.js';
import type { ResourceKind, ResourceRef } from '../client/resource.js';
import { RuntimeMetrics } from '../metrics/runtime-metrics.js';
import { whenAborted } from '../runtime/abort.js';
import { sleep } from '../runtime/clock.js';
import { RuntimeError } from '../runtime/errors.js';
import { errorText } from '../runtime/logger.js';
import type { Logger } from '../runtime/logger.js';
import { never, RUNTIME_HOOKS } from '../runtime/sometimes.js';
import type { Sometimes } from '../runtime/sometimes.js';
import { PriorityQueue } from '../workqueue/priority-queue.js';
import { priorityOf, requestKey, requestOf } from './events.js';
import type { ObjectEvent, Request } from './events.js';
import { mapBy, mapToItself, mapToOwner } from './handlers.js';
import type { EventMapper } from './handlers.js';
import type { Predicate } from './predicates.js';
import { isFaultOfProgram, isTerminal, LazyContext } from './reconcile.js';
import type { Reconcile, Result } from './reconcile.js';
import { cacheSource } from './sources.js';
import type { Source } from './sources.js';
import { timeLimit } from './time-limit.js';

export interface ControllerOptions {
  /** Names it in logs and metrics. */
  readonly name: string;
  readonly reconcile: Reconcile;
  readonly cache: Cache;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics?: RuntimeMetrics | undefined;
  /** Objects reconciled at once; never one object twice at once. Default 1. */
  readonly maxConcurrent?: number | undefined;
  /** The signal of a reconciliation aborts after this long. Default: never. */
  readonly reconcileTimeoutMs?: number | undefined;
  /** Whether the controller goes on after a fault of the program. Default true. */
  readonly recoverPanic?: boolean | undefined;
  /** How long the sources may take to deliver the initial objects. Default 2 min. */
  readonly syncTimeoutMs?: number | undefined;
  /** Delays after failures: the first, doubled each time up to the longest. Default 5 ms and 1000 s. */
  readonly backoff?: { readonly baseMs?: number | undefined; readonly maxMs?: number | undefined } | undefined;
  /** Events are gathered so long before the objects they concern are reconciled, each once. Default 0. */
  readonly gatherMs?: number | undefined;
  /** One object is reconciled again no sooner than so long after the last time began. Default 0. */
  readonly minGapMs?: number | undefined;
  /** Whether only the leader runs it. Default true. */
  readonly needsLeaderElection?: boolean | undefined;
  /** Makes rare paths common in a simulation. Default: never. */
  readonly sometimes?: Sometimes | undefined;
}

/** How a resource is watched. */
export interface WatchedOptions<T extends KubeObject = KubeObject> extends Selection {
  /** All must agree before an event counts. */
  readonly predicates?: readonly Predicate<T>[] | undefined;
}

export interface OwnsOptions extends WatchedOptions {
  /** Only the owner marked as controller counts. Default true. */
  readonly onlyController?: boolean | undefined;
}

interface Wired {
  readonly source: Source;
  readonly map: EventMapper;
  readonly predicates: readonly Predicate[];
  readonly gatherMs: number | undefined;
}

/** After so many reconciliations a worker lets everything else have its turn. */
const RECONCILES_PER_TURN = 128;

/** Watches objects and reconciles, one object at a time per worker, until it is stopped. */
export class Controller {
  readonly name: string;
  readonly needsLeaderElection: boolean;
  readonly #options: ControllerOptions;
  readonly #metrics: RuntimeMetrics;
  readonly #queue: PriorityQueue<string>;
  readonly #wired: Wired[] = [];
  /** Before when objects are not reconciled again; the oldest first. */
  readonly #restingUntil = new Map<string, number>();
  #kind: ResourceKind | undefined;
  #started = false;
  #seconds: HistogramSeries | undefined;
  #succeeds: CounterSeries | undefined;
  #comesAgain: CounterSeries | undefined;

  constructor(options: ControllerOptions) {
    this.#options = options;
    this.name = options.name;
    this.needsLeaderElection = options.needsLeaderElection ?? true;
    this.#metrics = options.metrics ?? new RuntimeMetrics(options.clock);
    this.#queue = new PriorityQueue<string>({
      clock: options.clock,
      baseDelayMs: options.backoff?.baseMs,
      maxDelayMs: options.backoff?.maxMs,
      observer: this.#metrics.queueObserver(options.name),
    });
    this.#metrics.watchQueue(options.name, this.#queue);
  }

  /** The kind it reconciles: each event of an object brings that object up. */
  for<T extends KubeObject>(kind: ResourceKind, options: WatchedOptions<T> = {}): this {
    if (this.#kind !== undefined) throw new RuntimeError('misused', `${this.name}: for may be called once only`);
    this.#kind = kind;
    return this.#watch(kind, mapToItself, options);
  }

  /** A kind whose objects its own own: each event of one brings up the owner, or both owners when that changed. */
  owns(resource: ResourceRef, options: OwnsOptions = {}): this {
    if (this.#kind === undefined) throw new RuntimeError('misused', `${this.name}: owns must come after for`);
    const map = mapToOwner(this.#kind, { onlyController: options.onlyController ?? true });
    return this.#watch(resource, map, options);
  }

  /** Any other resource; the function maps an object to the requests it concerns. */
  watches<T extends KubeObject>(
    resource: ResourceRef,
    map: (object: T) => Iterable<Request>,
    options: WatchedOptions<T> = {},
  ): this {
    return this.#watch(resource, mapBy(map), options);
  }

  /** Any source of events; they may be gathered for another while than those of the controller. */
  from<T extends KubeObject>(
    source: Source<T>,
    map: (object: T) => Iterable<Request>,
    predicates: readonly Predicate<T>[] = [],
    gatherMs = this.#options.gatherMs,
  ): this {
    return this.#wire({ source, map: mapBy(map), predicates, gatherMs });
  }

  /** Runs until the signal aborts and the last reconciliation has ended. */
  async run(signal: AbortSignal): Promise<void> {
    if (this.#started) throw new RuntimeError('misused', `${this.name} was started before`);
    this.#started = true;
    const { maxConcurrent = 1 } = this.#options;
    const stopped = whenAborted(signal).then(() => this.#queue.shutDown());
    this.#announce(maxConcurrent);
    try {
      await this.#startSources(signal);
      await Promise.all(Array.from({ length: maxConcurrent }, () => this.#work(signal)));
    } finally {
      this.#queue.shutDown();
    }
    await stopped;
  }

  #watch<T extends KubeObject>(resource: ResourceRef, map: EventMapper<T>, options: WatchedOptions<T>): this {
    const { predicates = [], namespace, labelSelector, fieldSelector, metadataOnly } = options;
    const selection = { namespace, labelSelector, fieldSelector, metadataOnly };
    const source = cacheSource<T>(this.#options.cache, resource, selection);
    return this.#wire({ source, map, predicates });
  }

  /** The mapper and the predicates receive objects of the source's kind. */
  #wire(wired: object): this {
    if (this.#started) throw new RuntimeError('misused', `${this.name} was started before`);
    this.#wired.push({ gatherMs: this.#options.gatherMs, ...wired } as Wired);
    return this;
  }

  /** Series that are there from the start let a dashboard tell "none" from "not known". */
  #announce(maxConcurrent: number): void {
    const {
      activeWorkers,
      errors,
      maxConcurrent: limit,
      panics,
      terminalErrors,
      timeouts,
      total,
    } = this.#metrics.controller;
    limit.set([this.name], maxConcurrent);
    activeWorkers.set([this.name], 0);
    for (const result of ['success', 'error', 'requeue', 'requeue_after']) total.add([this.name, result], 0);
    for (const counter of [errors, terminalErrors, panics, timeouts]) counter.add([this.name], 0);
  }

  async #startSources(signal: AbortSignal): Promise<void> {
    const { clock, syncTimeoutMs = 120_000 } = this.#options;
    const waiting = new AbortController();
    const pending = new Set(this.#wired);
    const started = this.#wired.map(async (wired) => {
      await wired.source.start((event) => this.#enqueue(wired, event), signal);
      pending.delete(wired);
    });
    const all = Promise.all(started).finally(() => waiting.abort());
    const first = await Promise.race([all, sleep(clock, syncTimeoutMs, waiting.signal), whenAborted(signal)]);
    waiting.abort();
    if (first === 'elapsed') {
      const names = [...pending].map(({ source }) => source.name).join(', ');
      throw new RuntimeError('cache-sync-timeout', `${this.name}: no complete state of ${names} in time`);
    }
  }

  #enqueue({ gatherMs: afterMs, map, predicates }: Wired, event: ObjectEvent): void {
    for (const predicate of predicates) if (!predicate(event)) return;
    const how = { priority: priorityOf(event), afterMs };
    // Most events concern one object, which an update names before and after.
    let first: string | undefined;
    let others: Set<string> | undefined;
    for (const request of map(event)) {
      const key = requestKey(request);
      if (first === undefined) first = key;
      else if (key !== first) (others ??= new Set()).add(key);
    }
    if (first === undefined) return;
    this.#queue.add(first, how);
    if (others !== undefined) for (const key of others) this.#queue.add(key, how);
  }

  async #work(signal: AbortSignal): Promise<void> {
    const active = this.#metrics.controller.activeWorkers.series([this.name]);
    for (let count = 1; ; count += 1) {
      // Work that never leaves the process would otherwise keep the watches from being read.
      if (count % RECONCILES_PER_TURN === 0) await sleep(this.#options.clock, 0, signal);
      const taken = await this.#queue.get();
      if (taken === undefined) return;
      if (this.#rests(taken.key, taken.priority)) {
        this.#queue.done(taken.key);
        continue;
      }
      active.value += 1;
      try {
        await this.#reconcile(taken.key, taken.priority, signal);
      } finally {
        active.value -= 1;
        this.#queue.done(taken.key);
      }
    }
  }

  /** Whether an object must wait for its next turn; if not, its rest begins. */
  #rests(key: string, priority: number): boolean {
    const { clock, minGapMs = 0 } = this.#options;
    if (minGapMs === 0) return false;
    const now = clock.monotonic();
    for (const [rested, until] of this.#restingUntil) {
      if (until > now) break;
      this.#restingUntil.delete(rested);
    }
    const until = this.#restingUntil.get(key);
    if (until === undefined) this.#restingUntil.set(key, now + minGapMs);
    else this.#queue.add(key, { afterMs: until - now, priority });
    return until !== undefined;
  }

  async #reconcile(key: string, priority: number, stop: AbortSignal): Promise<void> {
    const { clock, reconcile, reconcileTimeoutMs } = this.#options;
    const timedOut = (): void => this.#metrics.controller.timeouts.add([this.name]);
    const limit = reconcileTimeoutMs === undefined ? undefined : timeLimit(clock, reconcileTimeoutMs, stop, timedOut);
    const request = requestOf(key);
    const context = new LazyContext(request, this.#options, { signal: limit?.signal ?? stop, priority });
    const began = clock.monotonic();
    try {
      const result = await reconcile(request, context);
      this.#succeeded(key, priority, result ?? {});
    } catch (error) {
      this.#failed(key, context, error);
    } finally {
      limit?.end();
      this.#seconds ??= this.#metrics.controller.seconds.series([this.name]);
      this.#seconds.observe((clock.monotonic() - began) / 1000);
    }
  }

  #succeeded(key: string, priority: number, { requeueAfterMs = 0, priority: wanted }: Result): void {
    this.#queue.forget(key);
    const { total } = this.#metrics.controller;
    if (requeueAfterMs > 0) (this.#comesAgain ??= total.series([this.name, 'requeue_after'])).add();
    else (this.#succeeds ??= total.series([this.name, 'success'])).add();
    if (requeueAfterMs > 0) this.#queue.add(key, { afterMs: requeueAfterMs, priority: wanted ?? priority });
    if ((this.#options.sometimes ?? never)(RUNTIME_HOOKS.reconcileAgain, 0.05)) this.#queue.add(key, { priority });
  }

  #failed(key: string, context: LazyContext, error: unknown): void {
    const { errors, panics, terminalErrors, total } = this.#metrics.controller;
    total.add([this.name, 'error']);
    errors.add([this.name]);
    const isFault = isFaultOfProgram(error);
    if (isFault) panics.add([this.name]);
    if (isTerminal(error)) {
      terminalErrors.add([this.name]);
      context.logger.error('reconciliation failed and is not retried', { error: errorText(error) });
      return;
    }
    const stack = isFault && error instanceof Error ? { stack: error.stack } : {};
    context.logger.error('reconciliation failed', { error: errorText(error), ...stack });
    if (isFault && this.#options.recoverPanic === false) throw error;
    this.#queue.add(key, { rateLimited: true, priority: context.priority });
  }
}

import type { Clock, Random } from '@capstan/meta';
import type { Client } from '../client/client.js';
import { RuntimeMetrics } from '../metrics/runtime-metrics.js';
import { childOf, whenAborted } from '../runtime/abort.js';
import { sleep } from '../runtime/clock.js';
import { RuntimeError } from '../runtime/errors.js';
import { errorText } from '../runtime/logger.js';
import type { Logger } from '../runtime/logger.js';
import { never, RUNTIME_HOOKS } from '../runtime/sometimes.js';
import type { Sometimes } from '../runtime/sometimes.js';
import { LeaseLock, leaseTime } from './lease-lock.js';
import type { LeaseRecord, Observed } from './lease-lock.js';
import { Term } from './leadership.js';
import type { Leadership } from './leadership.js';

export interface LeaderElectorOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics?: RuntimeMetrics | undefined;
  readonly namespace: string;
  /** The name of the Lease. */
  readonly name: string;
  /** Unique among the candidates: host name and a UUID, usually. */
  readonly identity: string;
  /** How long a lease lasts that nobody renews. Whole seconds. Default 15 s. */
  readonly leaseDurationMs?: number | undefined;
  /** How long the leader tries to renew before it gives up. Default 10 s. */
  readonly renewDeadlineMs?: number | undefined;
  /** Between two tries. Default 2 s. */
  readonly retryPeriodMs?: number | undefined;
  /** Gives the lease up when stopped, so that the next need not wait. Default true. */
  readonly releaseOnCancel?: boolean | undefined;
  readonly onNewLeader?: ((identity: string) => void) | undefined;
  /** Makes rare paths common in a simulation. Default: never. */
  readonly sometimes?: Sometimes | undefined;
}

/** Why a try that has ended is called off; a reason of its own each time would cost more than the try. */
const OVER = 'the try is over';
const JITTER = 1.2;

interface Durations {
  readonly leaseMs: number;
  readonly renewMs: number;
  readonly retryMs: number;
  /** Work ends this long before another could take the lease. */
  readonly marginMs: number;
}

/** Elects one leader among many by a Lease, and lets work run only while no other can lead. */
export class LeaderElector {
  readonly #options: LeaderElectorOptions;
  readonly #metrics: RuntimeMetrics;
  readonly #durations: Durations;
  readonly #lock: LeaseLock;
  #observed: LeaseRecord | undefined;
  #observedRaw = '';
  /** By this process's own clock: what others write as times proves nothing. */
  #observedAt = Number.NEGATIVE_INFINITY;
  #reported = '';

  constructor(options: LeaderElectorOptions) {
    this.#options = options;
    this.#durations = durationsOf(options);
    this.#metrics = options.metrics ?? new RuntimeMetrics(options.clock);
    this.#lock = new LeaseLock(options.client, options.namespace, options.name);
    if (options.identity === '') throw new RuntimeError('misused', 'a candidate needs an identity');
  }

  /** Who held the lease when it was last looked at. */
  get leader(): string {
    return this.#observed?.holder ?? '';
  }

  /**
   * Waits until the lease is ours, then runs the work under it. When the signal aborts the work is asked to stop and the
   * lease kept until it has; then the lease is given up. Rejects with `leadership-lost` when the lease could not be
   * renewed: the program should end then.
   */
  async run(signal: AbortSignal, work: (leadership: Leadership) => Promise<void>): Promise<void> {
    this.#metrics.leader.master.set([this.#options.name], 0);
    const sentAt = await this.#acquire(signal);
    if (sentAt === undefined) return;
    this.#metrics.leader.master.set([this.#options.name], 1);
    try {
      await this.#lead(sentAt, signal, work);
    } finally {
      this.#metrics.leader.master.set([this.#options.name], 0);
    }
  }

  async #lead(sentAt: number, signal: AbortSignal, work: (leadership: Leadership) => Promise<void>): Promise<void> {
    const { clock, logger, name, releaseOnCancel = true } = this.#options;
    const { leaseMs, marginMs } = this.#durations;
    const renewing = new AbortController();
    let isLost = false;
    const term = new Term(clock, sentAt + leaseMs - marginMs, () => {
      isLost = true;
      logger.error('the lease was not renewed in time', { lease: name });
      renewing.abort();
    });
    void whenAborted(signal).then(() => term.stop());
    const renewed = this.#renew(term, renewing.signal);
    try {
      await work(term);
    } finally {
      renewing.abort();
      term.end();
      await renewed;
    }
    if (isLost) throw new RuntimeError('leadership-lost', `the lease ${name} was lost`);
    if (releaseOnCancel) await this.#release();
  }

  /** When the winning write was sent; undefined when stopped before. */
  async #acquire(signal: AbortSignal): Promise<number | undefined> {
    const { clock, random } = this.#options;
    while (!signal.aborted) {
      const sentAt = await this.#try(signal);
      if (sentAt !== undefined) return sentAt;
      await sleep(clock, this.#durations.retryMs * (1 + JITTER * random.next()), signal);
    }
    return undefined;
  }

  async #renew(term: Term, signal: AbortSignal): Promise<void> {
    const { leaseMs, marginMs, retryMs } = this.#durations;
    const { clock, sometimes = never } = this.#options;
    while ((await sleep(clock, retryMs, signal)) === 'elapsed') {
      if (sometimes(RUNTIME_HOOKS.skipRenewal, 0.1)) continue;
      const sentAt = await this.#try(signal);
      if (sentAt !== undefined && !term.extend(sentAt + leaseMs - marginMs)) return;
    }
  }

  /** One try to get or keep the lease; gives when the write was sent that succeeded. */
  async #try(signal: AbortSignal): Promise<number | undefined> {
    const { clock, logger } = this.#options;
    const { controller, release } = childOf(signal);
    const limit = clock.after(this.#durations.renewMs / 2, () => controller.abort());
    try {
      // A transport may be slow to notice: waiting for it must not hold up the next try.
      const gaveUp = whenAborted(controller.signal).then(() => undefined);
      return await Promise.race([this.#acquireOrRenew(controller.signal), gaveUp]);
    } catch (error) {
      if (!signal.aborted) logger.warn('the lease could not be acquired', { error: errorText(error) });
      return undefined;
    } finally {
      limit.cancel();
      release();
      controller.abort(OVER);
      this.#report();
    }
  }

  async #acquireOrRenew(signal: AbortSignal): Promise<number | undefined> {
    const fast = await this.#renewFast(signal);
    if (fast !== undefined || signal.aborted) return fast;
    const current = await this.#lock.get(signal);
    if (signal.aborted) return undefined;
    const now = this.#options.clock.monotonic();
    if (current === undefined) {
      const record = this.#record(undefined);
      await this.#lock.create(record, signal);
      return this.#wrote(record, now, signal);
    }
    this.#observe(current);
    const isOurs = this.#isOurs();
    if (current.record.holder !== '' && this.#isValid(now) && !isOurs) return undefined;
    if (isOurs) this.#metrics.leader.slowPath.add([this.#options.name]);
    const record = this.#record(current.record);
    await this.#lock.update(record, signal);
    return this.#wrote(record, now, signal);
  }

  /** The holder assumes that nothing was written in between; otherwise the server refuses and the lease is read. */
  async #renewFast(signal: AbortSignal): Promise<number | undefined> {
    const now = this.#options.clock.monotonic();
    const observed = this.#observed;
    if (observed === undefined || !this.#isOurs() || !this.#isValid(now)) return undefined;
    const record = this.#record(observed);
    try {
      await this.#lock.update(record, signal);
    } catch (error) {
      this.#options.logger.debug('the lease is read again', { error: errorText(error) });
      return undefined;
    }
    return this.#wrote(record, now, signal);
  }

  #isOurs(): boolean {
    return this.#observed?.holder === this.#options.identity;
  }

  #isValid(now: number): boolean {
    return this.#observedAt + (this.#observed?.durationSeconds ?? 0) * 1000 > now;
  }

  #record(before: LeaseRecord | undefined): LeaseRecord {
    const { clock, identity } = this.#options;
    const now = leaseTime(clock.now());
    const isOurs = before?.holder === identity;
    return {
      holder: identity,
      durationSeconds: this.#durations.leaseMs / 1000,
      renewTime: now,
      acquireTime: isOurs ? before.acquireTime : now,
      transitions: before === undefined ? 0 : before.transitions + (isOurs ? 0 : 1),
    };
  }

  #observe({ record, raw }: Observed): void {
    if (raw === this.#observedRaw) return;
    this.#observedRaw = raw;
    this.#setObserved(record);
  }

  /** A write whose time was over before its answer came counts for nothing: its lease is read again. */
  #wrote(record: LeaseRecord, sentAt: number, signal: AbortSignal): number | undefined {
    if (signal.aborted) return undefined;
    this.#setObserved(record);
    return sentAt;
  }

  #setObserved(record: LeaseRecord): void {
    this.#observed = record;
    this.#observedAt = this.#options.clock.monotonic();
  }

  async #release(): Promise<void> {
    const { clock, logger } = this.#options;
    const limit = new AbortController();
    const timer = clock.after(this.#durations.renewMs, () => limit.abort());
    const giveUp = async (): Promise<void> => {
      const current = await this.#lock.get(limit.signal);
      if (current?.record.holder !== this.#options.identity) return;
      const now = leaseTime(clock.now());
      const { transitions } = current.record;
      const record = { holder: '', durationSeconds: 1, renewTime: now, acquireTime: now, transitions };
      await this.#lock.update(record, limit.signal);
      this.#setObserved(record);
    };
    try {
      await Promise.race([giveUp(), whenAborted(limit.signal)]);
    } catch (error) {
      logger.warn('the lease could not be released', { error: errorText(error) });
    } finally {
      timer.cancel();
      limit.abort();
    }
  }

  #report(): void {
    const { onNewLeader } = this.#options;
    if (this.leader === '' || this.leader === this.#reported) return;
    this.#reported = this.leader;
    onNewLeader?.(this.leader);
  }
}

function durationsOf(options: LeaderElectorOptions): Durations {
  const {
    leaseDurationMs: leaseMs = 15_000,
    renewDeadlineMs: renewMs = 10_000,
    retryPeriodMs: retryMs = 2_000,
  } = options;
  if (leaseMs <= renewMs) throw new RuntimeError('misused', 'leaseDuration must be greater than renewDeadline');
  if (renewMs <= retryMs * JITTER)
    throw new RuntimeError('misused', 'renewDeadline must be greater than retryPeriod*JitterFactor');
  if (retryMs < 1) throw new RuntimeError('misused', 'retryPeriod must be greater than zero');
  if (leaseMs % 1000 !== 0)
    throw new RuntimeError('misused', 'leaseDuration must be whole seconds: a Lease has no others');
  // Where nothing goes wrong, giving up falls where a renewal that failed for its whole deadline would put it.
  return { leaseMs, renewMs, retryMs, marginMs: Math.max(leaseMs - renewMs - retryMs, leaseMs / 20) };
}

import { apiErrorOf, isNamespaceTerminating, isNotFound } from '@capstan/meta';
import type { Clock, KubeObject, Random, Timer } from '@capstan/meta';
import type { Client } from '../client/client.js';
import type { ResourceRef } from '../client/resource.js';
import { sleep } from '../runtime/clock.js';
import { errorText } from '../runtime/logger.js';
import type { Logger } from '../runtime/logger.js';
import { timestamp } from '../runtime/time.js';
import { EventCorrelator } from './correlator.js';
import type { ObservedEvent } from './correlator.js';

/** What an event is about. */
export interface EventSubject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string | undefined;
  readonly name: string;
  readonly uid: string;
  /** The part of the object it is about: `spec.containers{main}`. */
  readonly fieldPath?: string | undefined;
}

/** The type, reason and message of an event. */
export interface EventText {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

export interface EventRecorderOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** The reporting component. */
  readonly component: string;
  /** The node it reports from. */
  readonly host?: string | undefined;
  /** An event that comes again in one burst is written once, with its last count. Default: each time, as client-go does. */
  readonly isGathered?: boolean | undefined;
}

const EVENTS: ResourceRef = { group: '', version: 'v1', plural: 'events', namespaced: true };
/** Events waiting to be written; more are dropped. */
const MAX_QUEUED = 10_000;
const MAX_TRIES = 12;
const RETRY_MS = 10_000;
/** Written at one go before others get their turn, and how long that is: events never delay the work they report. */
const BURST = 64;
const PAUSE_MS = 50;

interface Recorded {
  readonly subject: EventSubject;
  readonly text: EventText;
}

/**
 * Writes events without making anybody wait: they come after all work that is ready to be done. The same event again
 * raises the count of the first, many alike become one, and a source with too many events of an object is cut off.
 */
export class EventRecorder {
  readonly #options: EventRecorderOptions;
  readonly #correlator: EventCorrelator;
  readonly #closing = new AbortController();
  #recorded: Recorded[] = [];
  /** Recorded and not yet written or given up. */
  #queued = 0;
  #turn: Timer | undefined;
  /** One write after the other, so that a count never overtakes its event. */
  #tail: Promise<void> = Promise.resolve();

  constructor(options: EventRecorderOptions) {
    this.#options = options;
    this.#correlator = new EventCorrelator(options.clock);
  }

  record(subject: EventSubject, text: EventText): void {
    if (this.#queued >= MAX_QUEUED) {
      this.#options.logger.warn('event dropped: too many are waiting to be written', { reason: text.reason });
      return;
    }
    this.#queued += 1;
    this.#recorded.push({ subject, text });
    this.#turn ??= this.#options.clock.after(PAUSE_MS, () => this.#takeTurn(BURST));
  }

  /** Resolves when everything recorded so far has been written or given up. */
  flush(): Promise<void> {
    this.#turn?.cancel();
    this.#takeTurn(this.#recorded.length);
    return this.#tail;
  }

  /** As {@link flush}, but gives up what cannot be written now. */
  close(): Promise<void> {
    this.#closing.abort();
    return this.flush();
  }

  #takeTurn(count: number): void {
    const batch = this.#recorded.slice(0, count);
    this.#recorded = this.#recorded.slice(count);
    this.#turn = undefined;
    this.#tail = this.#tail.then(async () => {
      await this.#writeAll(batch);
      if (this.#recorded.length > 0) this.#turn ??= this.#options.clock.after(PAUSE_MS, () => this.#takeTurn(BURST));
    });
  }

  async #writeAll(batch: readonly Recorded[]): Promise<void> {
    const { isGathered = false } = this.#options;
    const observe = ({ subject, text }: Recorded): ObservedEvent | undefined => this.#correlator.observe(subject, text);
    // Where all are observed first, every count of an event but its last is outdated before anything is written.
    const observed = isGathered ? batch.map(observe) : [];
    for (const [at, each] of batch.entries()) await this.#tryWrite(each, isGathered ? observed[at] : observe(each));
  }

  async #tryWrite({ subject, text }: Recorded, observed: ObservedEvent | undefined): Promise<void> {
    try {
      if (observed?.isOutdated() === false) await this.#write(subject, text, observed);
    } catch (error) {
      // What happens in a namespace that goes, or is gone, has nobody left to read it.
      const level = isNotFound(error) || isNamespaceTerminating(error) ? 'debug' : 'warn';
      this.#options.logger[level]('event could not be written', { reason: text.reason, error: errorText(error) });
    } finally {
      this.#queued -= 1;
    }
  }

  async #write(subject: EventSubject, event: EventText, observed: ObservedEvent): Promise<void> {
    const namespace = subject.namespace === undefined || subject.namespace === '' ? 'default' : subject.namespace;
    const text = { ...event, message: observed.message };
    const send = async (): Promise<void> => {
      const { client, clock } = this.#options;
      if (observed.name !== undefined) {
        try {
          const value = { count: observed.count, lastTimestamp: timestamp(clock), message: text.message };
          await client.patch(EVENTS, observed.name, { type: 'merge', value }, { namespace });
          return;
        } catch (error) {
          // Events are short-lived: it may have expired.
          if (!isNotFound(error)) throw error;
        }
      }
      const created = this.#event(subject, namespace, text, observed.count);
      await client.create(EVENTS, created, { namespace });
      observed.written(created.metadata.name ?? '');
    };
    await this.#persist(send);
  }

  /** A server that answers has decided; one that does not is asked again. */
  async #persist(send: () => Promise<void>): Promise<void> {
    for (let tried = 1; ; tried += 1) {
      try {
        return await send();
      } catch (error) {
        if (tried >= MAX_TRIES || apiErrorOf(error) !== undefined) throw error;
        if ((await sleep(this.#options.clock, RETRY_MS, this.#closing.signal)) === 'aborted') throw error;
      }
    }
  }

  #event(subject: EventSubject, namespace: string, { type, reason, message }: EventText, count: number): KubeObject {
    const { clock, component, host, random } = this.#options;
    const nanoseconds = BigInt(Math.trunc(clock.now())) * 1_000_000n + BigInt(random.below(1_000_000));
    const now = timestamp(clock);
    return {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `${subject.name}.${nanoseconds.toString(16)}`, namespace },
      involvedObject: {
        kind: subject.kind,
        ...(subject.namespace === undefined || subject.namespace === '' ? {} : { namespace: subject.namespace }),
        name: subject.name,
        uid: subject.uid,
        apiVersion: subject.apiVersion,
        ...(subject.fieldPath === undefined ? {} : { fieldPath: subject.fieldPath }),
      },
      reason,
      message,
      source: { component, ...(host === undefined ? {} : { host }) },
      firstTimestamp: now,
      lastTimestamp: now,
      count,
      type,
      reportingComponent: component,
      reportingInstance: host ?? '',
    };
  }
}

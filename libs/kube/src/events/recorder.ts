import { isNotFound } from '@capstan/meta';
import type { Clock, KubeObject, Random, Timer } from '@capstan/meta';
import type { Client } from '../client/client.js';
import type { ResourceRef } from '../client/resource.js';
import { errorText } from '../runtime/logger.js';
import type { Logger } from '../runtime/logger.js';
import { timestamp } from '../runtime/time.js';

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

/** What an event says. */
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
}

const EVENTS: ResourceRef = { group: '', version: 'v1', plural: 'events', namespaced: true };
const REMEMBERED = 1024;

interface Seen {
  readonly name: string;
  count: number;
}

/** Written at one go before others get their turn, and how long that is: events never hold up what they tell of. */
const BURST = 64;
const PAUSE_MS = 50;

interface Recorded {
  readonly subject: EventSubject;
  readonly text: EventText;
}

/**
 * Writes events without making anybody wait: they come after all work that is ready to be done. The same event again
 * raises the count of the first.
 */
export class EventRecorder {
  readonly #options: EventRecorderOptions;
  readonly #seen = new Map<string, Seen>();
  #recorded: Recorded[] = [];
  #turn: Timer | undefined;
  /** One write after the other, so that a count never overtakes its event. */
  #tail: Promise<void> = Promise.resolve();

  constructor(options: EventRecorderOptions) {
    this.#options = options;
  }

  record(subject: EventSubject, text: EventText): void {
    this.#recorded.push({ subject, text });
    this.#turn ??= this.#options.clock.after(PAUSE_MS, () => this.#takeTurn(BURST));
  }

  /** Resolves when everything recorded so far has been written or given up. */
  flush(): Promise<void> {
    this.#turn?.cancel();
    this.#takeTurn(this.#recorded.length);
    return this.#tail;
  }

  #takeTurn(count: number): void {
    const batch = this.#recorded.slice(0, count);
    this.#recorded = this.#recorded.slice(count);
    this.#turn = undefined;
    this.#tail = this.#tail.then(async () => {
      for (const { subject, text } of batch) await this.#tryWrite(subject, text);
      if (this.#recorded.length > 0) this.#turn ??= this.#options.clock.after(PAUSE_MS, () => this.#takeTurn(BURST));
    });
  }

  async #tryWrite(subject: EventSubject, text: EventText): Promise<void> {
    try {
      await this.#write(subject, text);
    } catch (error) {
      this.#options.logger.warn('event could not be written', { reason: text.reason, error: errorText(error) });
    }
  }

  async #write(subject: EventSubject, text: EventText): Promise<void> {
    const { client, clock } = this.#options;
    const namespace = subject.namespace === undefined || subject.namespace === '' ? 'default' : subject.namespace;
    const key = JSON.stringify([subject.uid, subject.fieldPath, text.type, text.reason, text.message]);
    const known = this.#seen.get(key);
    if (known !== undefined) {
      known.count += 1;
      try {
        const value = { count: known.count, lastTimestamp: timestamp(clock) };
        await client.patch(EVENTS, known.name, { type: 'merge', value }, { namespace });
        return;
      } catch (error) {
        // Events are short-lived: it may have expired.
        if (!isNotFound(error)) throw error;
      }
    }
    const event = this.#event(subject, namespace, text);
    await client.create(EVENTS, event, { namespace });
    this.#remember(key, { name: event.metadata.name ?? '', count: 1 });
  }

  #event(subject: EventSubject, namespace: string, { type, reason, message }: EventText): KubeObject {
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
      count: 1,
      type,
      reportingComponent: component,
      reportingInstance: host ?? '',
    };
  }

  #remember(key: string, seen: Seen): void {
    this.#seen.delete(key);
    this.#seen.set(key, seen);
    if (this.#seen.size <= REMEMBERED) return;
    const [oldest] = this.#seen.keys();
    if (oldest !== undefined) this.#seen.delete(oldest);
  }
}

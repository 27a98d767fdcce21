import type { Clock } from '@capstan/meta';
import type { EventSubject, EventText } from './recorder.js';

/** From this many similar messages within the interval on, they are written as one event. */
const AGGREGATE_FROM = 10;
const AGGREGATE_INTERVAL_MS = 600_000;
/** Events about one object before its source is slowed down, and how often one more passes then. */
const SPAM_BURST = 25;
const SPAM_REFILL_MS = 300_000;
const REMEMBERED = 4096;

/** A map that forgets what was used least recently. */
class RecentMap<V> {
  readonly #entries = new Map<string, V>();

  get(key: string): V | undefined {
    const value = this.#entries.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  set(key: string, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= REMEMBERED) return;
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }
}

interface Similar {
  messages: Set<string>;
  last: number;
}

interface Logged {
  name: string | undefined;
  count: number;
  /** The count that was last to be written. */
  reportedCount: number;
}

/** What is to be written of an event. */
export interface ObservedEvent {
  /** The event to be counted up; undefined = a new one. */
  readonly name: string | undefined;
  readonly count: number;
  readonly message: string;
  /** Whether the same event is to be written with a higher count since. */
  isOutdated(): boolean;
  /** The event has this name now. */
  written(name: string): void;
}

/** Decides which of the recorded events are worth writing, as client-go does. */
export class EventCorrelator {
  readonly #clock: Clock;
  readonly #similar = new RecentMap<Similar>();
  readonly #logged = new RecentMap<Logged>();
  readonly #buckets = new RecentMap<{ tokens: number; at: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Undefined when the source has recorded too many events of the object. */
  observe(subject: EventSubject, event: EventText): ObservedEvent | undefined {
    const { key, message } = this.#aggregate(subject, event);
    const logged = this.#logged.get(key) ?? { name: undefined, count: 0, reportedCount: 0 };
    logged.count += 1;
    this.#logged.set(key, logged);
    if (!this.#allows(JSON.stringify([identity(subject), event.type]))) return undefined;
    const { count } = logged;
    logged.reportedCount = count;
    return {
      name: logged.name,
      count,
      message,
      isOutdated: () => logged.reportedCount > count,
      written: (name) => (logged.name = name),
    };
  }

  #aggregate(subject: EventSubject, { type, reason, message }: EventText): { key: string; message: string } {
    const group = JSON.stringify([identity(subject), type, reason]);
    const now = this.#clock.monotonic();
    let similar = this.#similar.get(group);
    if (similar === undefined || now - similar.last > AGGREGATE_INTERVAL_MS)
      similar = { messages: new Set(), last: now };
    similar.messages.add(message);
    similar.last = now;
    this.#similar.set(group, similar);
    if (similar.messages.size < AGGREGATE_FROM)
      return { key: JSON.stringify([group, subject.fieldPath, message]), message };
    const [first] = similar.messages;
    if (first !== undefined) similar.messages.delete(first);
    return { key: group, message: `(combined from similar events): ${message}` };
  }

  #allows(key: string): boolean {
    const now = this.#clock.monotonic();
    const bucket = this.#buckets.get(key) ?? { tokens: SPAM_BURST, at: now };
    bucket.tokens = Math.min(SPAM_BURST, bucket.tokens + (now - bucket.at) / SPAM_REFILL_MS);
    bucket.at = now;
    const isAllowed = bucket.tokens >= 1;
    if (isAllowed) bucket.tokens -= 1;
    this.#buckets.set(key, bucket);
    return isAllowed;
  }
}

function identity({ apiVersion, kind, name, namespace = '', uid }: EventSubject): readonly string[] {
  return [apiVersion, kind, namespace, name, uid];
}

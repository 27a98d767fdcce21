import type { Clock, Random } from '@capstan/meta';
import { CloudError, type CloudErrorCode } from './errors.js';
import { identify } from './identity.js';
import { isLiving } from './instance.js';
import type { CloudPlatform, Instance, InstanceRequest, InstanceState } from './instance.js';
import { notifyAll } from './notify-all.js';

export type CloudOperation = 'create' | 'get' | 'list' | 'start' | 'stop' | 'terminate';

/** Something that happened in a cloud: a call and what became of it, or an instance that changed. */
export interface CloudEvent {
  /** By the monotonic clock of the cloud. */
  readonly at: number;
  /** Who called; empty when an instance changed by itself. */
  readonly caller: string;
  readonly operation: CloudOperation | 'change';
  /** The instance; empty for a list and for what was refused. */
  readonly id: string;
  /** `ok`, the code of a refusal, or the new state of the instance. */
  readonly outcome: CloudErrorCode | InstanceState | 'ok';
  /** The instance as it then was. */
  readonly instance?: Instance | undefined;
}

/** Calls to be refused. */
export interface Refusal {
  readonly operation: CloudOperation;
  readonly code: CloudErrorCode;
  /** How often. Default: until it is taken back. */
  readonly times?: number | undefined;
  readonly platform?: CloudPlatform | undefined;
  /** Only instances with this name. */
  readonly name?: string | undefined;
}

/** How long things take, in milliseconds; between the two numbers. */
export interface CloudTimings {
  readonly boot: readonly [number, number];
  readonly stop: readonly [number, number];
  readonly terminate: readonly [number, number];
  /** How long a fresh instance is neither listed nor found. */
  readonly consistency: readonly [number, number];
}

/** All there is in a cloud. */
export interface CloudState {
  readonly instances: readonly Instance[];
  /** How many there ever were. */
  readonly launched: number;
}

export interface CloudOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** What it begins with. */
  readonly state?: CloudState | undefined;
  readonly timings?: Partial<CloudTimings> | undefined;
  /** Most living instances per platform. Default: no limit. */
  readonly quota?: number | undefined;
}

const TIMINGS: CloudTimings = {
  boot: [20_000, 60_000],
  stop: [5_000, 15_000],
  terminate: [5_000, 30_000],
  consistency: [0, 3_000],
};

const MESSAGES: Readonly<Record<CloudErrorCode, string>> = {
  IdempotencyMismatch: 'the token was used before with other parameters',
  InsufficientCapacity: 'there is not enough capacity for this type in the zone',
  InvalidParameter: 'a parameter is not valid',
  NotFound: 'there is no such instance',
  QuotaExceeded: 'the quota of instances is exhausted',
  Throttled: 'too many calls, slow down',
  Unavailable: 'the service is not available',
};

interface Kept {
  instance: Instance;
  readonly visibleFrom: number;
}

/** Instances and those who ask for them. Every call is written down; nothing is ambient, so a simulation can own it. */
export class Cloud {
  readonly log: CloudEvent[] = [];
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #timings: CloudTimings;
  readonly #quota: number;
  readonly #kept = new Map<string, Kept>();
  readonly #byToken = new Map<string, string>();
  readonly #refusals: { readonly rule: Refusal; left: number }[] = [];
  readonly #listeners = new Set<(event: CloudEvent) => void>();
  readonly #counts = new Map<string, number>();
  #launched = 0;

  constructor({ clock, random, state, timings, quota }: CloudOptions) {
    this.#clock = clock;
    this.#random = random;
    this.#timings = { ...TIMINGS, ...timings };
    this.#quota = quota ?? Number.POSITIVE_INFINITY;
    this.#launched = state?.launched ?? 0;
    for (const instance of state?.instances ?? []) this.#resume(instance);
  }

  /** All there is, to begin another cloud with. */
  get state(): CloudState {
    return { instances: this.instances, launched: this.#launched };
  }

  /** Every instance there ever was, as it is now. */
  get instances(): readonly Instance[] {
    return [...this.#kept.values()].map(({ instance }) => instance);
  }

  /** How often the caller has made a call. */
  calls(caller: string, operation: CloudOperation): number {
    return this.#counts.get(`${caller} ${operation}`) ?? 0;
  }

  /** Calls back after each event. Gives the function that ends it. A listener may fail a call, but nothing undoes it. */
  subscribe(listener: (event: CloudEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Refuses calls from now on. Gives the function that takes it back. */
  refuse(rule: Refusal): () => void {
    const armed = { rule, left: rule.times ?? Number.POSITIVE_INFINITY };
    this.#refusals.push(armed);
    return () => void (armed.left = 0);
  }

  create(caller: string, request: InstanceRequest): Instance {
    return this.#call(caller, 'create', request, () => {
      const token = tokenKey(request);
      const before = this.#kept.get(this.#byToken.get(token) ?? '')?.instance;
      if (before !== undefined) {
        if (before.type !== request.type || before.image !== request.image) throw refused('IdempotencyMismatch');
        return before;
      }
      if (this.#isExhausted(request.platform)) throw refused('QuotaExceeded');
      const instance = this.#launch(caller, request);
      this.#byToken.set(token, instance.id);
      return instance;
    });
  }

  /** Throws `NotFound`, also for a while after the instance was made. */
  get(caller: string, id: string): Instance {
    const known = this.#kept.get(id)?.instance;
    return this.#call(caller, 'get', { id, ...known }, () => this.#visible(id).instance);
  }

  /** Those that carry all the tags; what is fresh may not be among them yet. */
  list(caller: string, platform: CloudPlatform, tags: Readonly<Record<string, string>>): readonly Instance[] {
    return this.#call(caller, 'list', { platform }, () => {
      const now = this.#clock.monotonic();
      const wanted = Object.entries(tags);
      const isWanted = ({ instance, visibleFrom }: Kept): boolean =>
        visibleFrom <= now &&
        instance.platform === platform &&
        wanted.every(([key, value]) => instance.tags[key] === value);
      return [...this.#kept.values()].filter(isWanted).map(({ instance }) => instance);
    });
  }

  terminate(caller: string, id: string): void {
    this.#call(caller, 'terminate', { id, ...this.#kept.get(id)?.instance }, () => {
      const kept = this.#visible(id);
      if (!isLiving(kept.instance)) return kept.instance;
      this.#change(kept, 'stopping');
      this.#later(this.#timings.terminate, () => this.#change(kept, 'terminated'));
      return kept.instance;
    });
  }

  stop(caller: string, id: string): void {
    this.#call(caller, 'stop', { id, ...this.#kept.get(id)?.instance }, () => {
      const kept = this.#visible(id);
      if (kept.instance.state !== 'running') throw refused('InvalidParameter');
      this.#change(kept, 'stopping');
      this.#later(this.#timings.stop, () => this.#change(kept, 'stopped', 'stopping'));
      return kept.instance;
    });
  }

  start(caller: string, id: string): void {
    this.#call(caller, 'start', { id, ...this.#kept.get(id)?.instance }, () => {
      const kept = this.#visible(id);
      if (kept.instance.state !== 'stopped') throw refused('InvalidParameter');
      this.#change(kept, 'pending');
      this.#later(this.#timings.boot, () => this.#change(kept, 'running', 'pending'));
      return kept.instance;
    });
  }

  /** The instance disappears without a call. */
  lose(id: string): void {
    const kept = this.#kept.get(id);
    if (kept !== undefined) this.#change(kept, 'terminated');
  }

  #isExhausted(platform: CloudPlatform): boolean {
    if (this.#quota === Number.POSITIVE_INFINITY) return false;
    return this.instances.filter((each) => each.platform === platform && isLiving(each)).length >= this.#quota;
  }

  #launch(caller: string, request: InstanceRequest): Instance {
    const ordinal = (this.#launched += 1);
    const identity = identify(request, ordinal, this.#random);
    const before = this.#kept.get(identity.id)?.instance;
    // Where the name is the identifier it must be free.
    if (before !== undefined && isLiving(before)) throw refused('InvalidParameter');
    const launchedAt = this.#clock.now();
    const instance: Instance = { ...request, ...identity, caller, state: 'pending', launchedAt };
    const kept = { instance, visibleFrom: this.#clock.monotonic() + this.#draw(this.#timings.consistency) };
    this.#kept.set(instance.id, kept);
    this.#later(this.#timings.boot, () => this.#change(kept, 'running', 'pending'));
    return instance;
  }

  /** Takes an instance up where it was; what it was about to become it becomes. */
  #resume(instance: Instance): void {
    const kept = { instance, visibleFrom: Number.NEGATIVE_INFINITY };
    this.#kept.set(instance.id, kept);
    this.#byToken.set(tokenKey(instance), instance.id);
    if (instance.state === 'pending') this.#later(this.#timings.boot, () => this.#change(kept, 'running', 'pending'));
    // Whether it was to stop or to end is not known: what is asked for again happens again.
    if (instance.state === 'stopping') this.#later(this.#timings.stop, () => this.#change(kept, 'stopped', 'stopping'));
  }

  #visible(id: string): Kept {
    const kept = this.#kept.get(id);
    if (kept === undefined || kept.visibleFrom > this.#clock.monotonic()) throw refused('NotFound');
    return kept;
  }

  /** From the expected state only: what was ended meanwhile stays ended. */
  #change(kept: Kept, state: InstanceState, from?: InstanceState): void {
    if (!isLiving(kept.instance) || (from !== undefined && kept.instance.state !== from)) return;
    kept.instance = { ...kept.instance, state };
    this.#record({ caller: '', operation: 'change', id: kept.instance.id, outcome: state, instance: kept.instance });
  }

  #call<T>(caller: string, operation: CloudOperation, subject: Partial<Instance>, act: () => T): T {
    const key = `${caller} ${operation}`;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    try {
      this.#strike(operation, subject);
      const result = act();
      const instance = isInstance(result) ? result : undefined;
      this.#record({ caller, operation, id: instance?.id ?? subject.id ?? '', outcome: 'ok', instance });
      return result;
    } catch (error) {
      if (error instanceof CloudError) this.#record({ caller, operation, id: subject.id ?? '', outcome: error.code });
      throw error;
    }
  }

  #strike(operation: CloudOperation, { platform, name }: Partial<Instance>): void {
    const armed = this.#refusals.find(
      ({ left, rule }) =>
        left > 0 &&
        rule.operation === operation &&
        (rule.platform === undefined || rule.platform === platform) &&
        (rule.name === undefined || rule.name === name),
    );
    if (armed === undefined) return;
    armed.left -= 1;
    throw refused(armed.rule.code);
  }

  #record(event: Omit<CloudEvent, 'at'>): void {
    const recorded = { at: this.#clock.monotonic(), ...event };
    this.log.push(recorded);
    notifyAll(this.#listeners, recorded);
  }

  #later(range: readonly [number, number], act: () => void): void {
    this.#clock.after(this.#draw(range), act);
  }

  #draw([from, to]: readonly [number, number]): number {
    return from + this.#random.next() * (to - from);
  }
}

function tokenKey({ platform, token }: InstanceRequest): string {
  return `${platform} ${token}`;
}

function refused(code: CloudErrorCode): CloudError {
  return new CloudError(code, MESSAGES[code]);
}

function isInstance(value: unknown): value is Instance {
  return typeof value === 'object' && value !== null && 'providerId' in value;
}

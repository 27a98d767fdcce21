import { ApiServer } from '@capstan/apiserver';
import type { StoreEvent, StoreSnapshot } from '@capstan/apiserver';
import { Client, errorText, silentLogger, systemRandom } from '@capstan/kube';
import type { Logger } from '@capstan/kube';
import type { ApiRequest, Clock, Random, Transport } from '@capstan/meta';
import { SimulationError } from '../errors.js';
import type { EffectPoint, FaultAction, FaultSource } from '../faults/fault.js';
import { noFaults } from '../faults/sources.js';
import { isBlindReplace } from './answers.js';
import { EventLog } from './event-log.js';
import { Life } from './life.js';
import { SimulatedTransport } from './network.js';
import type { TransportTarget } from './network.js';
import { OutsideLine } from './outside.js';
import type { OutsideCall } from './outside.js';
import { resourceName } from './resource-name.js';
import { Timeline } from './timeline.js';

/** What a process is given instead of the ambient world. Everything in it dies with the process. */
export interface ProcessContext {
  readonly name: string;
  readonly client: Client;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Another server, reached through the same faults; `prefix` tells it from others. */
  readonly connect: (target: TransportTarget) => Transport;
  /** Acts on something outside of the process that is no API server, through the same faults. */
  readonly carry: <T>(call: OutsideCall, act: () => T) => Promise<T>;
  /** Aborts when the world stops the process in order; a crash says nothing. */
  readonly signal: AbortSignal;
}

export interface ProcessDefinition {
  readonly name: string;
  /** Nothing goes wrong with it. */
  readonly isReliable?: boolean | undefined;
  /** The goal can be met without it, so it may be left out to make a failure smaller. */
  readonly isSpare?: boolean | undefined;
  /** How far its clock is off. */
  readonly skewMs?: number | undefined;
  /** Called at the start and again after each crash, with nothing kept from before. */
  start(context: ProcessContext): Promise<void> | void;
}

export interface WorldOptions {
  readonly seed: number | string;
  readonly faults?: FaultSource | undefined;
  /** Virtual time after which nothing goes wrong any more. Default: never. */
  readonly faultsUntilMs?: number | undefined;
  /** What the server begins with. */
  readonly snapshot?: StoreSnapshot | undefined;
}

interface Author {
  readonly process: string;
  readonly effect: number;
  readonly request: ApiRequest;
  readonly seen: string | undefined;
}

interface StruckEffect {
  readonly effect: number;
  readonly subject: string;
}

interface Running {
  readonly definition: ProcessDefinition;
  life: Life;
}

const LONGEST_START_GAP_MS = 200;
const FAILED_START_PAUSE_MS = 1000;

/** An API server and processes around it, in a time of their own. The same seed gives the same world. */
export class World {
  readonly timeline: Timeline;
  readonly server: ApiServer;
  readonly log = new EventLog();
  /** The chance of the world; split it, never draw from it. */
  readonly random: Random;
  readonly #faults: FaultSource;
  readonly #faultsUntilMs: number;
  readonly #running = new Map<string, Running>();
  readonly #counts = new Map<string, number>();
  #author: Author | undefined;

  constructor(options: WorldOptions) {
    this.random = systemRandom(options.seed);
    this.timeline = new Timeline(this.random.split('order'));
    this.#faults = options.faults ?? noFaults;
    this.#faultsUntilMs = options.faultsUntilMs ?? Number.POSITIVE_INFINITY;
    this.server = new ApiServer({
      clock: this.timeline.clock(),
      random: this.random.split('server'),
      ...(options.snapshot === undefined ? {} : { snapshot: options.snapshot }),
    });
    this.server.store.subscribe((event) => this.#committed(event));
  }

  /** Virtual milliseconds since the world began. */
  get elapsed(): number {
    return this.timeline.elapsed;
  }

  /** Adds a process; it starts soon. */
  spawn(definition: ProcessDefinition): void {
    const { name } = definition;
    if (this.#running.has(name)) throw new SimulationError('BAD_ARGUMENT', `there is a process ${name} already`);
    const running = { definition, life: new Life(name, 1) };
    this.#running.set(name, running);
    const gap = this.random.split(`start of ${name}`).below(LONGEST_START_GAP_MS);
    this.timeline.after(gap, running.life, () => this.#start(running));
  }

  /** Ends a process for good, at once. */
  stop(name: string): void {
    const running = this.#running.get(name);
    if (running === undefined) throw new SimulationError('UNKNOWN_PROCESS', `there is no process ${name}`);
    this.#running.delete(name);
    running.life.end();
    this.log.add({ type: 'stop', at: this.elapsed, process: name, detail: `in life ${running.life.number}` });
  }

  /** Ends everything; nothing happens in the world afterwards. */
  end(): void {
    for (const { life } of this.#running.values()) life.end();
    this.#running.clear();
  }

  /** Ends a life; the process comes back after a while with an empty memory. Does nothing to the dead. */
  crash(life: Life, downMs: number): void {
    if (!life.isAlive) return;
    life.end();
    this.log.add({ type: 'crash', at: this.elapsed, process: life.process, detail: `in life ${life.number}` });
    this.#restart(life, downMs);
  }

  /** Holds a process up: nothing of it happens before that, while the world goes on. */
  pause(name: string, ms: number): void {
    const life = this.#running.get(name)?.life;
    if (life !== undefined) life.pausedUntil = Math.max(life.pausedUntil, this.elapsed + ms);
  }

  /** Crashes a process by name. */
  kill(name: string, downMs: number): void {
    const running = this.#running.get(name);
    if (running === undefined) throw new SimulationError('UNKNOWN_PROCESS', `there is no process ${name}`);
    this.crash(running.life, downMs);
  }

  runUntil(elapsedMs: number): Promise<void> {
    return this.timeline.runUntil(elapsedMs);
  }

  /** For transports: the number of a process's next effect. */
  nextEffect(process: string): number {
    return this.#count(process);
  }

  /** For transports: what goes wrong with an effect. What befalls the process itself is done already. */
  strike(life: Life, { effect, subject }: StruckEffect, point: EffectPoint): FaultAction | undefined {
    const { process } = life;
    const occurrence = this.#count(`${process} ${subject}`);
    const running = this.#running.get(process);
    if (running?.definition.isReliable === true || this.elapsed >= this.#faultsUntilMs) return undefined;
    const action = this.#faults.strike({ process, subject, occurrence }, point);
    if (action === undefined) return undefined;
    const fault = { process, subject, occurrence, action };
    this.log.add({ type: 'fault', at: this.elapsed, process, effect, fault });
    if (action.kind === 'pause') this.pause(process, action.ms);
    else if (action.kind === 'crash' && action.when === 'before') this.crash(life, action.downMs);
    return action;
  }

  /** For transports: everything the server commits meanwhile is this request's doing. */
  asAuthor<T>(author: Author, act: () => T): T {
    this.#author = author;
    try {
      return act();
    } finally {
      this.#author = undefined;
    }
  }

  #count(what: string): number {
    const count = (this.#counts.get(what) ?? 0) + 1;
    this.#counts.set(what, count);
    return count;
  }

  #restart(before: Life, downMs: number): void {
    const running = this.#running.get(before.process);
    if (running === undefined) return;
    running.life = new Life(before.process, before.number + 1);
    this.timeline.after(downMs, running.life, () => this.#start(running));
  }

  #start({ definition, life }: Running): void {
    const { name, skewMs } = definition;
    this.log.add({ type: 'start', at: this.elapsed, process: name, detail: `life ${life.number}` });
    const random = this.random.split(`${name} ${life.number}`);
    const clock = this.timeline.clock(life, () => this.#timer(life), skewMs);
    const transport = new SimulatedTransport(this, life, random.split('network'));
    const client = new Client(transport, { clock, random: random.split('client'), userAgent: name });
    const { signal } = life.abort;
    const { carry } = new OutsideLine(this, life, random.split('outside'));
    const connect = (target: TransportTarget): Transport =>
      new SimulatedTransport(this, life, random.split(`network to ${target.prefix}`), target);
    const own = { random: random.split('own'), logger: silentLogger() };
    const context: ProcessContext = { name, client, transport, clock, ...own, connect, carry, signal };
    const failed = (error: unknown): void => {
      if (!life.isAlive) return;
      this.log.add({ type: 'fail', at: this.elapsed, process: name, detail: errorText(error) });
      this.crash(life, FAILED_START_PAUSE_MS);
    };
    try {
      Promise.resolve(definition.start(context)).catch(failed);
    } catch (error) {
      failed(error);
    }
  }

  /** A timer of a process is due; false when the process does not survive it. */
  #timer(life: Life): boolean {
    const effect = this.nextEffect(life.process);
    this.log.mark(`${this.elapsed} ${life.process} #${effect} timer`);
    this.strike(life, { effect, subject: 'timer' }, 'timer');
    return life.isAlive;
  }

  #committed(event: StoreEvent): void {
    const author = this.#author;
    this.log.add({
      type: 'commit',
      at: this.elapsed,
      process: author?.process ?? 'server',
      effect: author?.effect ?? 0,
      change: event.type,
      resource: resourceName(event.resource),
      method: author?.request.method ?? '',
      namespace: event.namespace,
      name: event.name,
      revision: event.revision,
      object: event.current.object(),
      previous: event.previous?.object(),
      isBlindReplace: author !== undefined && isBlindReplace(author.request),
      seen: author?.seen,
    });
  }
}

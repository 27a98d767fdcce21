import type { ApiServer, StoreEvent } from '@capstan/apiserver';
import { Client, errorText, silentLogger, systemRandom } from '@capstan/kube';
import type { Logger, Sometimes } from '@capstan/kube';
import type { Random, Transport } from '@capstan/meta';
import { SimulationError } from '../errors.js';
import type { EffectPoint, FaultAction, FaultSource, StruckEffect } from '../faults/fault.js';
import { noFaults } from '../faults/sources.js';
import { isBlindReplace } from './answers.js';
import type { Author } from './author.js';
import { EventLog, SERVER_PROCESS } from './event-log.js';
import type { HookHandler } from '../faults/hook-answers.js';
import { HookLine } from './hook-line.js';
import { SometimesLedger } from './sometimes-ledger.js';
import { loadLibraries } from './libraries.js';
import { Lives } from './life.js';
import type { Life } from './life.js';
import { SimulatedTransport } from './network.js';
import type { TransportTarget } from './network.js';
import type { ProcessContext, ProcessDefinition } from './process.js';
import { OutsideLine } from './outside.js';
import { resourceName } from './resource-name.js';
import { ServerHost } from './server-host.js';
import { Timeline } from './timeline.js';
import type { SimulationOptions } from './simulation-options.js';

interface Running {
  readonly definition: ProcessDefinition;
  life: Life;
}

const LONGEST_START_GAP_MS = 200;
const FAILED_START_PAUSE_MS = 1000;

/** An API server and processes around it, in virtual time. The same seed gives the same run. */
export class Simulation {
  readonly timeline: Timeline;
  readonly log: EventLog;
  /** Which hooks of the controllers were passed, and which returned true. */
  readonly hooks = new SometimesLedger();
  /** The randomness of the simulation; split it, never draw from it. */
  readonly random: Random;
  readonly #faults: FaultSource;
  readonly #faultsUntilMs: number;
  readonly #logger: (process: string) => Logger;
  readonly #running = new Map<string, Running>();
  readonly #counts = new Map<string, number>();
  readonly #lives = new Lives();
  readonly #host: ServerHost;
  #author: Author | undefined;
  /** In which step it acts. */
  #authorStep = 0;

  constructor(options: SimulationOptions) {
    this.log = new EventLog(options.onEvent);
    this.random = systemRandom(options.seed);
    this.timeline = new Timeline(this.random.split('order'), options.startAtMs);
    this.#faults = options.faults ?? noFaults;
    this.#logger = options.logger ?? silentLogger;
    this.#faultsUntilMs = options.faultsUntilMs ?? Number.POSITIVE_INFINITY;
    this.#host = new ServerHost({
      timeline: this.timeline,
      random: this.random,
      snapshot: options.snapshot,
      history: options.history,
      authorization: options.authorization,
      webhooks: new HookLine(this),
      onCommit: (event) => this.#committed(event),
    });
  }

  /** The API server that runs, or ran last. */
  get server(): ApiServer {
    return this.#host.server;
  }

  /** Whether the API server can be reached. */
  get isServerUp(): boolean {
    return this.#host.isUp;
  }

  /** Virtual milliseconds since it began. */
  get elapsed(): number {
    return this.timeline.elapsed;
  }

  /** Adds a process; it starts soon. */
  spawn(definition: ProcessDefinition): void {
    const { name } = definition;
    if (this.#running.has(name)) throw new SimulationError('BAD_ARGUMENT', `there is a process ${name} already`);
    const running = { definition, life: this.#lives.begin(name) };
    this.#running.set(name, running);
    const gap = this.random.split(`start of ${name}`).below(LONGEST_START_GAP_MS);
    this.timeline.after(gap, running.life, () => this.#start(running));
  }

  /** Ends a process for good, at once. */
  stop(name: string): void {
    const running = this.#named(name);
    this.#running.delete(name);
    running.life.end();
    this.log.add({ type: 'stop', at: this.elapsed, process: name, detail: `in life ${running.life.number}` });
  }

  /** Ends everything; nothing happens in the simulation afterwards. */
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

  /** Pauses a process: nothing of it happens before that time, while the simulation goes on. */
  pause(name: string, ms: number): void {
    const life = this.#running.get(name)?.life;
    if (life !== undefined) life.pausedUntil = Math.max(life.pausedUntil, this.elapsed + ms);
  }

  /** The server goes away, with every watch, and comes back after a while. */
  restartServer(downMs: number, keepsHistory: boolean): void {
    if (!this.#host.restart(downMs, keepsHistory)) return;
    const detail = `with${keepsHistory ? '' : 'out'} its history`;
    this.log.add({ type: 'crash', at: this.elapsed, process: SERVER_PROCESS, detail });
    for (const { life } of this.#running.values()) for (const watch of life.watches) watch.breakOff();
  }

  /** Restarts every process that nothing else runs on: what they do then they do from the state alone. */
  restartProcesses(): void {
    for (const { definition, life } of this.#running.values())
      if (definition.isPartOfEnvironment !== true && definition.isReliable !== true) this.crash(life, 1000);
  }

  /** Who answers reviews at a URL now. */
  hook(url: string): HookHandler | undefined {
    for (const { life } of this.#running.values()) {
      const handler = life.isAlive && life.pausedUntil <= this.elapsed ? life.hooks.get(url) : undefined;
      if (handler !== undefined) return handler;
    }
    return undefined;
  }

  /** Crashes a process by name. */
  kill(name: string, downMs: number): void {
    this.crash(this.#named(name).life, downMs);
  }

  #named(name: string): Running {
    const running = this.#running.get(name);
    if (running !== undefined) return running;
    throw new SimulationError('UNKNOWN_PROCESS', `there is no process ${name}`);
  }

  /** Runs the simulation until that virtual time. */
  async runUntil(elapsedMs: number): Promise<void> {
    await loadLibraries();
    await this.timeline.runUntil(elapsedMs);
  }

  /** For transports: the number of a process's next effect. */
  nextEffect(process: string): number {
    return this.#count(process);
  }

  /** Whether nothing goes wrong any more: then effects need no names. */
  get isCalm(): boolean {
    return this.#faults === noFaults || this.elapsed >= this.#faultsUntilMs;
  }

  /** For transports: what goes wrong with an effect. What befalls the process or the server is done already. */
  strike(life: Life, struck: StruckEffect, point: EffectPoint, chance?: number): FaultAction | undefined {
    const isReliable = this.#running.get(life.process)?.definition.isReliable === true;
    const action = this.#strike(life.process, struck, point, isReliable ? 0 : chance);
    if (action?.kind === 'pause') this.pause(life.process, action.ms);
    else if (action?.kind === 'server-restart') this.restartServer(action.downMs, action.keepsHistory);
    else if (action?.kind === 'crash' && action.when === 'before') this.crash(life, action.downMs);
    return action;
  }

  /** For webhooks: what goes wrong with a call of the server. */
  strikeServer(subject: string, effect: number): FaultAction | undefined {
    return this.#strike(SERVER_PROCESS, { effect, subject }, 'hook');
  }

  #strike(process: string, { effect, subject }: StruckEffect, point: EffectPoint, chance?: number) {
    if (this.isCalm) return undefined;
    const occurrence = this.#count(`${process} ${subject}`);
    if (chance === 0) return undefined;
    const action = this.#faults.strike({ process, subject, occurrence }, point, chance);
    if (action === undefined) return undefined;
    const fault = { process, subject, occurrence, action };
    this.log.add({ type: 'fault', at: this.elapsed, process, effect, fault });
    return action;
  }

  /** For transports: everything the server commits in this step of the simulation is caused by this request. */
  actsFor(author: Author): void {
    this.#author = author;
    this.#authorStep = this.timeline.steps;
  }

  /** Whose doing it is what the server does in this step. */
  get author(): Author | undefined {
    return this.#authorStep === this.timeline.steps ? this.#author : undefined;
  }

  #count(what: string): number {
    const count = (this.#counts.get(what) ?? 0) + 1;
    this.#counts.set(what, count);
    return count;
  }

  #restart(before: Life, downMs: number): void {
    const running = this.#running.get(before.process);
    if (running === undefined) return;
    running.life = this.#lives.begin(before.process);
    this.timeline.after(downMs, running.life, () => this.#start(running));
  }

  #start({ definition, life }: Running): void {
    const { name, user } = definition;
    this.log.add({ type: 'start', at: this.elapsed, process: name, detail: `life ${life.number}` });
    const random = this.random.split(`${name} ${life.number}`);
    const struck = this.strike(life, { effect: this.nextEffect(name), subject: 'start' }, 'start');
    const skew = struck?.kind === 'skew' ? struck : undefined;
    const clock = this.timeline.clock(life, () => this.#timer(life), skew);
    const isSpared = definition.isReliable === true;
    const transport = new SimulatedTransport(this, life, { random: random.split('network'), isSpared });
    const client = new Client(transport, { clock, random: random.split('client'), userAgent: name, user });
    const connect = (target: TransportTarget): Transport =>
      new SimulatedTransport(this, life, { random: random.split(`network to ${target.prefix}`), isSpared, target });
    const context: ProcessContext = {
      name,
      client,
      transport,
      clock,
      random: random.split('own'),
      logger: this.#logger(name),
      connect,
      carry: new OutsideLine(this, life, random.split('outside')).carry,
      sometimes: this.#sometimes(life),
      serve: (url: string, handler: HookHandler) => void life.hooks.set(url, handler),
      signal: life.abort.signal,
    };
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

  #sometimes(life: Life): Sometimes {
    return (hook, chance) => {
      const effect = this.nextEffect(life.process);
      const isHit =
        !this.isCalm && this.strike(life, { effect, subject: `sometimes ${hook}` }, 'sometimes', chance) !== undefined;
      this.hooks.passed(hook, isHit);
      return isHit;
    };
  }

  /** A timer of a process is due; false when the process does not survive it. */
  #timer(life: Life): boolean {
    const effect = this.nextEffect(life.process);
    if (this.log.isKept) this.log.mark(`${this.elapsed} ${life.process} #${effect} timer`);
    if (this.isCalm) return true;
    this.strike(life, { effect, subject: 'timer' }, 'timer');
    return life.isAlive;
  }

  #committed(event: StoreEvent): void {
    const { author } = this;
    this.log.add({
      type: 'commit',
      at: this.elapsed,
      process: author?.process ?? SERVER_PROCESS,
      effect: author?.effect ?? 0,
      change: event.type,
      resource: resourceName(event.resource),
      method: author?.request.method ?? '',
      userAgent: author?.request.headers['user-agent'] ?? '',
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

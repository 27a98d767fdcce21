import { Client, errorText, never, silentLogger, sleep } from '@capstan/kube';
import type { Logger } from '@capstan/kube';
import type { Clock, Random, Transport } from '@capstan/meta';
import { clockCarry } from '@capstan/upstream';
import { SimulationError } from '../errors.js';
import type { ProcessContext, ProcessDefinition } from '../engine/process.js';
import type { Simulation } from '../engine/simulation.js';

/** Where processes run: in a simulation, or in this process. */
export interface ProcessHost {
  readonly clock: Clock;
  readonly random: Random;
  /** Draws keys from chance too. */
  readonly isSimulated: boolean;
  /** Adds a process; it starts soon, and again after each crash. */
  spawn(definition: ProcessDefinition): void;
  /** Ends a process for good, at once. */
  stop(name: string): void;
}

/** A simulation as such a host. */
export function simulatedHost(simulation: Simulation, random: Random): ProcessHost {
  return {
    clock: simulation.timeline.clock(),
    random,
    isSimulated: true,
    spawn: (definition) => simulation.spawn(definition),
    stop: (name) => simulation.stop(name),
  };
}

export interface LiveHostOptions {
  /** The way to the management cluster. */
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger?: ((process: string) => Logger) | undefined;
  /** How long a process that failed is away. Default 1 s. */
  readonly restartMs?: number | undefined;
}

const RESTART_MS = 1_000;

function endOf(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Processes in real time around a server that may be anywhere. */
export class LiveHost implements ProcessHost {
  readonly isSimulated = false;
  readonly clock: Clock;
  readonly random: Random;
  readonly #options: LiveHostOptions;
  readonly #running = new Map<string, { readonly end: AbortController; readonly over: Promise<void> }>();

  constructor(options: LiveHostOptions) {
    this.#options = options;
    this.clock = options.clock;
    this.random = options.random;
  }

  spawn(definition: ProcessDefinition): void {
    const { name } = definition;
    if (this.#running.has(name)) throw new SimulationError('BAD_ARGUMENT', `there is a process ${name} already`);
    const end = new AbortController();
    this.#running.set(name, { end, over: this.#live(definition, end.signal) });
  }

  stop(name: string): void {
    this.#running.get(name)?.end.abort();
    this.#running.delete(name);
  }

  /** Ends everything; resolves when the last process is over. */
  async close(): Promise<void> {
    const all = [...this.#running.values()];
    for (const { end } of all) end.abort();
    this.#running.clear();
    await Promise.all(all.map(({ over }) => over));
  }

  async #live(definition: ProcessDefinition, signal: AbortSignal): Promise<void> {
    const logger = this.#options.logger?.(definition.name) ?? silentLogger();
    for (let life = 1; !signal.aborted; life += 1) {
      // What a failed start has begun ends with it, or it would run along with its successor.
      const end = new AbortController();
      const both = AbortSignal.any([signal, end.signal]);
      try {
        await definition.start(this.#context(definition.name, life, logger, both));
        // As in a simulation: a process that has started may have left others at work.
        await endOf(signal);
      } catch (error) {
        if (!signal.aborted) logger.error('the process ended', { error: errorText(error) });
      }
      end.abort();
      await sleep(this.clock, this.#options.restartMs ?? RESTART_MS, signal);
    }
  }

  #context(name: string, life: number, logger: Logger, signal: AbortSignal): ProcessContext {
    const { clock, transport } = this.#options;
    const random = this.#options.random.split(`${name} ${life}`);
    const carry = clockCarry(clock, random.split('outside'));
    return {
      name,
      transport,
      clock,
      random,
      logger,
      signal,
      client: new Client(transport, { clock, random: random.split('client'), userAgent: name }),
      connect: ({ server }) => ({ send: async (request) => server.handle(request) }),
      carry: ({ subject }, act) => carry({ subject, point: 'read' }, act),
      sometimes: never,
      serve: () => undefined,
    };
  }
}

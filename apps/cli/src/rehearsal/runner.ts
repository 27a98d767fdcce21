import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { rehearse } from '@capstan/simulation';
import type { RehearsalOutcome, RehearsalPass, RehearsalScenario } from '@capstan/simulation';
import { CliError } from '../errors.js';

/** Which run is next. */
export interface Job {
  /** Its place in the list of scenarios. */
  readonly scenario: number;
  readonly pass: RehearsalPass;
}

/** Carries runs out. */
export interface Runner {
  /** How many at once. */
  readonly width: number;
  run(job: Job): Promise<RehearsalOutcome>;
  close(): Promise<void>;
}

/**
 * Scenarios that threads can build on their own: a module that exports `scenariosOf`, and what it takes, which is plain data
 * and is sent to each thread once.
 */
export interface ScenarioSource<T> {
  /** URL of the module, as `import.meta.url` of a module of the source. */
  readonly module: string;
  readonly data: T;
  readonly scenariosOf: ScenarioFactory<T>;
}

/** What a module of scenarios exports by the name `scenariosOf`. */
export type ScenarioFactory<T> = (data: T) => readonly RehearsalScenario[];

/** What a thread begins with. */
export interface ThreadData {
  readonly module: string;
  readonly data: unknown;
}

/** What a thread answers. */
export type Answer = { readonly outcome: RehearsalOutcome } | { readonly error: string };

/** Runs leave much behind that is short-lived: with little room for it, a tenth of the time goes to collecting it. */
const LIMITS = { maxYoungGenerationSizeMb: 128 };
const WORKER = fileURLToPath(new URL('./worker/main.js', import.meta.url));

/** In threads when there are to be several, else here. */
export function startRunner<T>(source: ScenarioSource<T>, threads: number, signal: AbortSignal): Runner {
  const { data, module, scenariosOf } = source;
  if (threads > 1 && existsSync(WORKER)) return new Threads({ module, data }, threads, signal);
  return inProcess(scenariosOf(data), signal);
}

/** Carries runs out in this very thread. */
export function inProcess(scenarios: readonly RehearsalScenario[], signal?: AbortSignal): Runner {
  return {
    width: 1,
    run: ({ pass, scenario: at }) => {
      const scenario = scenarios[at];
      if (scenario === undefined) return Promise.reject(new CliError(`there is no scenario ${at}`, 'this is a defect'));
      return rehearse(scenario, pass, signal);
    },
    close: () => Promise.resolve(),
  };
}

class Threads implements Runner {
  readonly width: number;
  readonly #idle: Worker[];
  readonly #all: readonly Worker[];
  readonly #signal: AbortSignal;

  constructor(workerData: ThreadData, threads: number, signal: AbortSignal) {
    this.width = threads;
    this.#signal = signal;
    this.#all = Array.from({ length: threads }, () => new Worker(WORKER, { workerData, resourceLimits: LIMITS }));
    this.#idle = [...this.#all];
  }

  /** Never more at once than {@link width}. */
  async run(job: Job): Promise<RehearsalOutcome> {
    this.#signal.throwIfAborted();
    const worker = this.#idle.pop();
    if (worker === undefined) throw new CliError('every thread is busy', 'this is a defect');
    const answer = await this.#ask(worker, job);
    this.#idle.push(worker);
    if ('error' in answer)
      throw new CliError(answer.error, 'this is a defect of the rehearsal: repeat it with --threads 1');
    return answer.outcome;
  }

  #ask(worker: Worker, job: Job): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const answered = (answer: Answer): void => settle(() => resolve(answer));
      const failed = (error: unknown): void => settle(() => reject(error as Error));
      const stop = (): void => failed(this.#signal.reason);
      const settle = (act: () => void): void => {
        worker.off('message', answered);
        worker.off('error', failed);
        this.#signal.removeEventListener('abort', stop);
        act();
      };
      this.#signal.addEventListener('abort', stop, { once: true });
      worker.on('message', answered);
      worker.on('error', failed);
      worker.postMessage(job);
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.#all.map((worker) => worker.terminate()));
  }
}

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { MigrationSettings } from '@capstan/hypershift';
import { readGroupPairs } from '../crds/settings.js';
import { CliError } from '../errors.js';
import type { ClusterCopy } from './cluster-copy.js';
import type { Pass } from './plan.js';
import { rehearseOnce } from './rehearse.js';
import type { RunOutcome } from './rehearse.js';

/** What every rehearsal of a command needs; plain data, so that it can be sent to a thread. */
export interface Rehearsed {
  readonly copies: readonly ClusterCopy[];
  readonly groupPairs: readonly string[];
  readonly settings: Partial<MigrationSettings>;
}

/** Which rehearsal is next. */
export interface Job {
  readonly copy: number;
  readonly pass: Pass;
}

/** Carries out rehearsals. */
export interface Runner {
  /** How many at once. */
  readonly width: number;
  run(job: Job): Promise<RunOutcome>;
  close(): Promise<void>;
}

/** What a thread answers. */
export type Answer = { readonly outcome: RunOutcome } | { readonly error: string };

const WORKER = fileURLToPath(new URL('./worker/main.js', import.meta.url));

/** In threads when there are to be several, else here. */
export function startRunner(rehearsed: Rehearsed, threads: number, signal: AbortSignal): Runner {
  return threads > 1 && existsSync(WORKER) ? new Threads(rehearsed, threads, signal) : inProcess(rehearsed, signal);
}

/** Rehearses in this very thread. */
export function inProcess({ copies, groupPairs, settings }: Rehearsed, signal?: AbortSignal): Runner {
  const mapping = readGroupPairs(groupPairs);
  return {
    width: 1,
    run: ({ copy: at, pass }) => {
      const copy = copies[at];
      if (copy === undefined) return Promise.reject(new CliError(`there is no copy ${at}`, 'this is a defect'));
      return rehearseOnce(copy, { ...pass, mapping, settings, signal });
    },
    close: () => Promise.resolve(),
  };
}

class Threads implements Runner {
  readonly width: number;
  readonly #idle: Worker[];
  readonly #all: readonly Worker[];
  readonly #signal: AbortSignal;

  constructor(rehearsed: Rehearsed, threads: number, signal: AbortSignal) {
    this.width = threads;
    this.#signal = signal;
    this.#all = Array.from({ length: threads }, () => new Worker(WORKER, { workerData: rehearsed }));
    this.#idle = [...this.#all];
  }

  /** Never more at once than {@link width}. */
  async run(job: Job): Promise<RunOutcome> {
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

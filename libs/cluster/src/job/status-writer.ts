import { deepEqual, isInvalid, isNotFound } from '@capstan/meta';
import type { Clock } from '@capstan/meta';
import { objectKey, timestamp } from '@capstan/kube';
import type { Client } from '@capstan/kube';
import { withoutZeros } from '../workload/conditions.js';
import { JOBS } from '../workload/resources.js';
import type { Ending } from './decide.js';
import { withJobCondition } from './tracking.js';
import type { Job, JobStatus } from './types.js';

/** Writes the status of Jobs, and knows whether the cache has seen what it wrote. */
export class JobStatusWriter {
  readonly #client: Client;
  readonly #clock: Clock;
  /** The last written version of each Job, until the cache has it: an older one would count pods again. */
  readonly #written = new Map<string, bigint>();
  readonly #gone: (job: Job) => void;
  #mayAnnounceSuccess = true;

  /** `gone` is called with Jobs the server no longer has. */
  constructor(client: Client, clock: Clock, gone: (job: Job) => void) {
    this.#client = client;
    this.#clock = clock;
    this.#gone = gone;
  }

  /** Whether this is an older Job than was written here. */
  isBehind(job: Job): boolean {
    const key = objectKey(job);
    const written = this.#written.get(key);
    if (written === undefined) return false;
    if (BigInt(job.metadata.resourceVersion ?? 0) < written) return true;
    this.#written.delete(key);
    return false;
  }

  forget(job: Job): void {
    this.#written.delete(objectKey(job));
  }

  async write(job: Job, status: JobStatus): Promise<Job> {
    const shown = withoutZeros(status, ['ready', 'terminating', 'uncountedTerminatedPods']);
    if (shown.completedIndexes === '') delete shown.completedIndexes;
    if (deepEqual(job.status ?? {}, shown)) return job;
    try {
      const written = await this.#client.update<Job>(JOBS, { ...job, status: shown }, { subresource: 'status' });
      this.#written.set(objectKey(job), BigInt(written.metadata.resourceVersion ?? 0));
      return written;
    } catch (error) {
      if (!isNotFound(error)) throw error;
      this.#gone(job);
      return { ...job, status: shown };
    }
  }

  /** Writes the status with the news of the ending, before anything is removed because of it. */
  async announce(job: Job, status: JobStatus, ending: Ending | undefined): Promise<Job> {
    const isSuccess = ending?.type === 'SuccessCriteriaMet';
    if (ending === undefined || ending.isKnown || (isSuccess && !this.#mayAnnounceSuccess))
      return this.write(job, status);
    const { message, reason, type } = ending;
    const condition = { type, status: 'True', reason, message } as const;
    const conditions = withJobCondition(status.conditions ?? [], condition, timestamp(this.#clock));
    try {
      return await this.write(job, { ...status, conditions });
    } catch (error) {
      if (!isInvalid(error) || !isSuccess) throw error;
      // Servers before 1.31 know the success criteria of indexed Jobs alone, and reject those of others.
      this.#mayAnnounceSuccess = false;
      return this.write(job, status);
    }
  }
}

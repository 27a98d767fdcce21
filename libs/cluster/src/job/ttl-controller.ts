import { isConflict, isNotFound } from '@capstan/meta';
import type { Informer, WorkResult } from '@capstan/kube';
import { timeMs } from '../workload/pods.js';
import { QueueController } from '../workload/queue-controller.js';
import type { WorkloadOptions } from '../workload/queue-controller.js';
import { JOBS } from '../workload/resources.js';
import { finishedCondition } from './types.js';
import type { Job } from './types.js';

/** Milliseconds until a Job is to be deleted because it has been over for long enough; undefined: never, as it stands. */
export function expiresInMs(job: Job, nowMs: number): number | undefined {
  const { ttlSecondsAfterFinished: seconds } = job.spec;
  const finished = finishedCondition(job);
  if (seconds === undefined || finished === undefined || job.metadata.deletionTimestamp != null) return undefined;
  return Math.max(0, timeMs(finished.lastTransitionTime) + seconds * 1000 - nowMs);
}

/** Deletes Jobs that are over and say how long they want to be remembered. */
export class TtlAfterFinishedController extends QueueController {
  readonly #jobs: Informer<Job>;

  constructor(options: WorkloadOptions) {
    super(options, 'ttl-after-finished-controller');
    this.#jobs = this.informers.of<Job>(JOBS);
    this.follow(this.#jobs);
  }

  protected async sync(key: string): Promise<WorkResult> {
    const cached = this.#jobs.store.get(key);
    const afterMs = cached && expiresInMs(cached, this.clock.now());
    if (cached === undefined || afterMs === undefined) return 'done';
    if (afterMs > 0) return { afterMs };
    const { name = '', namespace, resourceVersion, uid } = cached.metadata;
    try {
      // The wish may have been changed a moment ago: then there is another version.
      const preconditions = { uid, resourceVersion };
      await this.client.delete(JOBS, name, { namespace, propagationPolicy: 'Foreground', preconditions });
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
    return 'done';
  }
}

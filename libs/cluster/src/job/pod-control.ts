import { isInvalid, isNotFound } from '@capstan/meta';
import { PodControl } from '../workload/pod-control.js';
import { PODS } from '../workload/resources.js';
import type { Pod } from '../workload/resources.js';
import type { NewPod } from './decide.js';
import { makeJobPod } from './objects.js';
import { TRACKING_FINALIZER } from './types.js';
import type { Job } from './types.js';

/** Makes, deletes and lets go of the pods of Jobs. */
export class JobPodControl extends PodControl {
  make(job: Job, wanted: NewPod): Promise<void> {
    return this.create(job, makeJobPod(job, wanted));
  }

  /** Takes the finalizer off a pod, unless that is gone or another has its name. */
  async release({ metadata }: Pod): Promise<void> {
    const { name = '', namespace, uid } = metadata;
    const value = { metadata: { uid, '$deleteFromPrimitiveList/finalizers': [TRACKING_FINALIZER] } };
    try {
      await this.client.patch(PODS, name, { type: 'strategic', value }, { namespace });
    } catch (error) {
      if (!isNotFound(error) && !isInvalid(error)) throw error;
    }
  }
}

import { apiErrorOf, isInvalid, isNamespaceTerminating, isNotFound } from '@capstan/meta';
import { errorText } from '@capstan/kube';
import type { Client, EventText } from '@capstan/kube';
import { PODS } from '../workload/resources.js';
import type { Pod } from '../workload/resources.js';
import type { NewPod } from './decide.js';
import { makeJobPod } from './objects.js';
import { TRACKING_FINALIZER } from './types.js';
import type { Job } from './types.js';

type Record = (job: Job, type: EventText['type'], reason: string, message: string) => void;

function messageOf(error: unknown): string {
  return apiErrorOf(error)?.message ?? errorText(error);
}

/** Makes, deletes and lets go of the pods of Jobs, and tells of it in events. */
export class JobPodControl {
  readonly #client: Client;
  readonly #record: Record;

  constructor(client: Client, record: Record) {
    this.#client = client;
    this.#record = record;
  }

  async create(job: Job, wanted: NewPod): Promise<void> {
    try {
      const pod = await this.#client.create(PODS, makeJobPod(job, wanted));
      this.#record(job, 'Normal', 'SuccessfulCreate', `Created pod: ${pod.metadata.name}`);
    } catch (error) {
      if (!isNamespaceTerminating(error))
        this.#record(job, 'Warning', 'FailedCreate', `Error creating: ${messageOf(error)}`);
      throw error;
    }
  }

  /** Deletes a pod; one that is gone already will do. */
  async remove(job: Job, pod: Pod): Promise<void> {
    const { name = '', namespace, uid } = pod.metadata;
    try {
      await this.#client.delete(PODS, name, { namespace, preconditions: { uid } });
      this.#record(job, 'Normal', 'SuccessfulDelete', `Deleted pod: ${name}`);
    } catch (error) {
      if (isNotFound(error)) return;
      this.#record(job, 'Warning', 'FailedDelete', `Error deleting: ${messageOf(error)}`);
      throw error;
    }
  }

  /** Takes the finalizer off a pod, unless that is gone or another has its name. */
  async release({ metadata }: Pod): Promise<void> {
    const { name = '', namespace, uid } = metadata;
    const value = { metadata: { uid, '$deleteFromPrimitiveList/finalizers': [TRACKING_FINALIZER] } };
    try {
      await this.#client.patch(PODS, name, { type: 'strategic', value }, { namespace });
    } catch (error) {
      if (!isNotFound(error) && !isInvalid(error)) throw error;
    }
  }
}

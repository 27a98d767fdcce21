import { isConflict, isNotFound } from '@capstan/meta';
import type { Client } from '@capstan/kube';
import { PODS } from '../workload/resources.js';
import type { Pod } from '../workload/resources.js';

/** Deleted, or another of the same name: the watch brings the event. */
function ifStillThere(error: unknown): undefined {
  if (!isNotFound(error) && !isConflict(error)) throw error;
}

/** Writes what has changed of the status of a pod; undefined when the pod is no longer there. */
export async function writePodStatus(client: Client, { metadata }: Pod, status: object): Promise<Pod | undefined> {
  const { name = '', namespace, uid } = metadata;
  const patch = { type: 'strategic', value: { metadata: { uid }, status } } as const;
  return client.patch<Pod>(PODS, name, patch, { namespace, subresource: 'status' }).catch(ifStillThere);
}

/** Deletes a pod whose containers have ended. */
export async function deleteEndedPod(client: Client, { metadata }: Pod): Promise<void> {
  const { name = '', namespace, uid } = metadata;
  await client.delete(PODS, name, { namespace, gracePeriodSeconds: 0, preconditions: { uid } }).catch(ifStillThere);
}

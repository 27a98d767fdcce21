import type { Client } from '@capstan/kube';
import { apiErrorOf, isNotFound, isTooManyRequests } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { PODS } from '../../kinds.js';

/** A pod, as far as draining looks at it. */
export interface DrainedPod extends KubeObject {
  readonly spec?: { readonly nodeName?: string };
  readonly status?: { readonly phase?: string };
}

const MIRROR_ANNOTATION = 'kubernetes.io/config.mirror';

/** Whether a pod has to leave before its node restarts. Those of the node itself come back with it. */
export function mustLeave({ metadata, status }: DrainedPod): boolean {
  if (metadata.annotations?.[MIRROR_ANNOTATION] !== undefined) return false;
  if (metadata.ownerReferences?.some(({ controller, kind }) => controller === true && kind === 'DaemonSet') === true)
    return false;
  return status?.phase !== 'Succeeded' && status?.phase !== 'Failed';
}

/** A pod that is still on its node. */
export interface LeftPod {
  /** `namespace/name` */
  readonly pod: string;
  /** Why the server refuses to evict it; undefined when it is only on its way. */
  readonly refusal?: string | undefined;
}

/** Asks every pod of a node to leave; gives those that are still there. */
export async function drain(client: Client, node: string, signal: AbortSignal): Promise<readonly LeftPod[]> {
  const { items } = await client.list<DrainedPod>(PODS, { fieldSelector: `spec.nodeName=${node}`, signal });
  const left = items.filter(mustLeave);
  const pods: LeftPod[] = [];
  for (const pod of left) {
    const refusal = pod.metadata.deletionTimestamp == null ? await evict(client, pod, signal) : undefined;
    pods.push({ pod: `${pod.metadata.namespace ?? ''}/${pod.metadata.name ?? ''}`, refusal });
  }
  return pods;
}

/** Asks a pod to leave; gives the reason when a budget does not allow that now. */
async function evict(client: Client, { metadata }: DrainedPod, signal: AbortSignal): Promise<string | undefined> {
  const { name = '', namespace = '' } = metadata;
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } };
  try {
    await client.create(PODS, eviction, { namespace, name, subresource: 'eviction', signal });
    return undefined;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    // A budget that allows no disruption now may allow one later.
    if (!isTooManyRequests(error)) throw error;
    const { details, message = '' } = apiErrorOf(error)?.status ?? {};
    return [message, ...(details?.causes ?? []).map((cause) => cause.message ?? '')].join(' ');
  }
}

import type { Client } from '@capstan/kube';
import { isNotFound, isTooManyRequests } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { PODS } from '../kinds.js';

/** A pod, as far as draining looks at it. */
export interface DrainedPod extends KubeObject {
  readonly spec?: { readonly nodeName?: string };
  readonly status?: { readonly phase?: string };
}

const MIRROR_ANNOTATION = 'kubernetes.io/config.mirror';

/** Whether a pod has to leave before its node starts anew. Those of the node itself come back with it. */
export function mustLeave({ metadata, status }: DrainedPod): boolean {
  if (metadata.annotations?.[MIRROR_ANNOTATION] !== undefined) return false;
  if (metadata.ownerReferences?.some(({ controller, kind }) => controller === true && kind === 'DaemonSet') === true)
    return false;
  return status?.phase !== 'Succeeded' && status?.phase !== 'Failed';
}

/** Asks every pod of a node to leave; gives those that are still there. */
export async function drain(client: Client, node: string, signal: AbortSignal): Promise<readonly string[]> {
  const { items } = await client.list<DrainedPod>(PODS, { fieldSelector: `spec.nodeName=${node}`, signal });
  const left = items.filter(mustLeave);
  for (const pod of left) if (pod.metadata.deletionTimestamp == null) await evict(client, pod, signal);
  return left.map(({ metadata }) => `${metadata.namespace ?? ''}/${metadata.name ?? ''}`);
}

async function evict(client: Client, { metadata }: DrainedPod, signal: AbortSignal): Promise<void> {
  const { name = '', namespace = '' } = metadata;
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } };
  try {
    await client.create(PODS, eviction, { namespace, name, subresource: 'eviction', signal });
  } catch (error) {
    // A budget that allows no disruption now may allow one later.
    if (!isNotFound(error) && !isTooManyRequests(error)) throw error;
  }
}

import type { Client } from '@capstan/kube';
import { ignoreNotFound, isNotFound, isTooManyRequests } from '@capstan/meta';
import type { Clock, KubeObject } from '@capstan/meta';
import { NODES, PODS } from '../resources.js';
import type { NodeObject } from '../resources.js';
import { drainBlocker, drainWork, isControlPlane, isUnreachable } from './drain-decide.js';

/** How far a drain has come. */
export type DrainOutcome =
  | { readonly isDone: true }
  | { readonly isDone: false; readonly why: string; readonly lookAgainMs: number };

const DONE: DrainOutcome = { isDone: true };
const POLL_MS = 5000;
/** When something else blocks it: another node, or a disruption budget. */
const BLOCKED_MS = 20_000;
/** Pods of a node that does not answer need no time to stop. */
const UNREACHABLE_GRACE_SECONDS = 1;

/** Takes one more step in draining a node: it does not wait, but is called again. */
export async function drainNode(
  client: Client,
  clock: Clock,
  name: string,
  signal: AbortSignal,
): Promise<DrainOutcome> {
  const node = await found(client.get<NodeObject>(NODES, name, { signal }));
  if (node === undefined) return DONE;
  if (isControlPlane(node)) {
    const { items } = await client.list<NodeObject>(NODES, { signal });
    const blocker = drainBlocker(node, items);
    if (blocker !== undefined)
      return { isDone: false, why: `control plane node ${blocker} is being drained`, lookAgainMs: BLOCKED_MS };
  }
  if (node.spec?.unschedulable !== true)
    await client.patch(NODES, name, { type: 'merge', value: { spec: { unschedulable: true } } }, { signal });
  const { items } = await client.list(PODS, { fieldSelector: `spec.nodeName=${name}`, signal });
  const { leaving, toEvict } = drainWork(items, node, clock.now());
  const grace = isUnreachable(node) ? UNREACHABLE_GRACE_SECONDS : undefined;
  const held: string[] = [];
  for (const pod of toEvict) if (!(await evictPod(client, pod, { grace, signal }))) held.push(podName(pod));
  if (held.length > 0)
    return { isDone: false, why: `disruption budgets hold ${held.join(', ')}`, lookAgainMs: BLOCKED_MS };
  const waiting = toEvict.length + leaving.length;
  return waiting === 0 ? DONE : { isDone: false, why: `${waiting} pods are leaving`, lookAgainMs: POLL_MS };
}

function podName({ metadata }: KubeObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
}

/** Asks a pod to leave; false when a disruption budget does not let it go now. */
export async function evictPod(
  client: Client,
  pod: KubeObject,
  { grace, signal }: { readonly grace: number | undefined; readonly signal: AbortSignal },
): Promise<boolean> {
  const { name = '', namespace, uid } = pod.metadata;
  const gracePeriod = grace === undefined ? {} : { gracePeriodSeconds: grace };
  const eviction = {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name, namespace: namespace ?? '' },
    deleteOptions: { preconditions: { uid }, ...gracePeriod },
  };
  try {
    await client.create(PODS, eviction, { name, subresource: 'eviction', signal });
    return true;
  } catch (error) {
    if (isTooManyRequests(error)) return false;
    if (isNotFound(error)) return true;
    throw error;
  }
}

/** What a read gives, or undefined when there is no such object. */
export async function found<T>(reading: Promise<T>): Promise<T | undefined> {
  return reading.catch(ignoreNotFound);
}

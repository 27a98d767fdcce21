import { controllerOf } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { readyCondition } from '../resources.js';
import type { NodeObject } from '../resources.js';
import { timeMs } from './decide.js';

const MIRROR_ANNOTATION = 'kubernetes.io/config.mirror';
const CONTROL_PLANE_LABELS = ['node-role.kubernetes.io/control-plane', 'node-role.kubernetes.io/master'];
/** A pod on an unreachable node is not waited for longer than this. */
const UNREACHABLE_WAIT_MS = 1000;

/** Whether the node is reachable. */
export function isUnreachable(node: NodeObject): boolean {
  return readyCondition(node)?.status === 'Unknown';
}

/** Whether the node carries the control plane. */
export function isControlPlane({ metadata }: NodeObject): boolean {
  return CONTROL_PLANE_LABELS.some((label) => metadata.labels?.[label] !== undefined);
}

/** The node that keeps this one from being drained: of a control plane only one at a time. */
export function drainBlocker(node: NodeObject, all: readonly NodeObject[]): string | undefined {
  if (node.spec?.unschedulable === true || !isControlPlane(node)) return undefined;
  const other = all.find((each) => isControlPlane(each) && each.spec?.unschedulable === true);
  return other?.metadata.name;
}

/** What is left to do before a node counts as drained. */
export interface DrainWork {
  /** Not yet asked to leave. */
  readonly toEvict: readonly KubeObject[];
  /** Asked, and not gone. */
  readonly leaving: readonly KubeObject[];
}

/** Pods of daemon sets stay, as they would come back at once; mirror pods are not the server's to delete. */
export function drainWork(pods: readonly KubeObject[], node: NodeObject, nowMs: number): DrainWork {
  const toEvict: KubeObject[] = [];
  const leaving: KubeObject[] = [];
  for (const pod of pods) {
    const { annotations, deletionTimestamp } = pod.metadata;
    if (annotations?.[MIRROR_ANNOTATION] !== undefined || controllerOf(pod)?.kind === 'DaemonSet') continue;
    if (deletionTimestamp == null) toEvict.push(pod);
    else if (!isUnreachable(node) || nowMs - timeMs(deletionTimestamp) <= UNREACHABLE_WAIT_MS) leaving.push(pod);
  }
  return { toEvict, leaving };
}

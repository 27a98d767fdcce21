import { maxOf } from '@capstan/meta';
import { timeMs } from '../workload/pods.js';
import type { Pod } from '../workload/resources.js';
import type { Job, PodFailureRule } from './types.js';

interface ContainerStatus {
  readonly name?: string;
  readonly restartCount?: number;
  readonly state?: { readonly terminated?: { readonly exitCode?: number; readonly finishedAt?: string } };
}

/** The action of the Job's failure policy for a pod. */
export interface PolicyMatch {
  readonly action: PodFailureRule['action'] | undefined;
  /** Whether the failure counts against the limit. */
  readonly counts: boolean;
  /** Why the whole Job fails, if it does. */
  readonly jobFailure?: string;
}

/** A pod that is only on its way out may still end well: such Jobs wait for its last word. */
export function replacesOnlyFailed({ spec }: Job): boolean {
  return spec.podReplacementPolicy === 'Failed' || spec.podFailurePolicy !== undefined;
}

/** Failed, or on its way out without having succeeded. */
export function hasFailed(pod: Pod, job: Job): boolean {
  const phase = pod.status?.phase;
  if (phase === 'Failed') return true;
  if (replacesOnlyFailed(job)) return false;
  return pod.metadata.deletionTimestamp != null && phase !== 'Succeeded';
}

function containers(pod: Pod, list: 'containerStatuses' | 'initContainerStatuses'): readonly ContainerStatus[] {
  return (pod.status?.[list] ?? []) as readonly ContainerStatus[];
}

function matchingContainer(pod: Pod, rule: NonNullable<PodFailureRule['onExitCodes']>): ContainerStatus | undefined {
  return [...containers(pod, 'containerStatuses'), ...containers(pod, 'initContainerStatuses')].find((status) => {
    const exitCode = status.state?.terminated?.exitCode ?? 0;
    const isNamed = rule.containerName == null || rule.containerName === status.name;
    return isNamed && exitCode !== 0 && rule.values.includes(exitCode) === (rule.operator === 'In');
  });
}

/** How the rule fits the pod, in words; undefined when it does not. */
function fits(pod: Pod, { onExitCodes, onPodConditions }: PodFailureRule): string | undefined {
  const { name, namespace } = pod.metadata;
  if (onExitCodes != null) {
    const status = matchingContainer(pod, onExitCodes);
    if (status === undefined) return undefined;
    return `Container ${status.name} for pod ${namespace}/${name} failed with exit code ${status.state?.terminated?.exitCode}`;
  }
  const condition = pod.status?.conditions?.find(({ status, type }) =>
    onPodConditions?.some((pattern) => pattern.type === type && pattern.status === status),
  );
  return condition === undefined ? undefined : `Pod ${namespace}/${name} has condition ${condition.type}`;
}

/** The first rule that fits a failed pod decides. */
export function matchPolicy(job: Job, pod: Pod): PolicyMatch {
  for (const [index, rule] of (job.spec.podFailurePolicy?.rules ?? []).entries()) {
    const text = fits(pod, rule);
    if (text === undefined) continue;
    const { action } = rule;
    if (action === 'FailJob')
      return { action, counts: true, jobFailure: `${text} matching ${action} rule at index ${index}` };
    return { action, counts: action !== 'Ignore' };
  }
  return { action: undefined, counts: true };
}

/** Restarts of containers stand for failed pods where the kubelet restarts them itself. */
export function exceedsRestarts({ spec }: Job, pods: readonly Pod[]): boolean {
  if (spec.template.spec?.['restartPolicy'] !== 'OnFailure') return false;
  const running = pods.filter(({ status }) => status?.phase === 'Running' || status?.phase === 'Pending');
  const restarts = running
    .flatMap((pod) => [...containers(pod, 'containerStatuses'), ...containers(pod, 'initContainerStatuses')])
    .reduce((sum, { restartCount = 0 }) => sum + restartCount, 0);
  const { backoffLimit = 6 } = spec;
  return backoffLimit === 0 ? restarts > 0 : restarts >= backoffLimit;
}

/** When a pod ended, as exactly as is known. */
export function endedAtMs(pod: Pod): number {
  const ends = containers(pod, 'containerStatuses').map(({ state }) => timeMs(state?.terminated?.finishedAt));
  if (ends.length > 0 && !ends.includes(0)) return maxOf(ends);
  const ready = pod.status?.conditions?.find(({ type, status }) => type === 'Ready' && status === 'False');
  const unready = timeMs(ready?.lastTransitionTime);
  if (unready !== 0) return unready;
  const { creationTimestamp, deletionGracePeriodSeconds, deletionTimestamp } = pod.metadata;
  if (deletionTimestamp != null) return timeMs(deletionTimestamp) - (deletionGracePeriodSeconds ?? 0) * 1000;
  return timeMs(creationTimestamp);
}

/** Failures in a row, which make the next pod wait. */
export interface Failures {
  readonly count: number;
  readonly lastMs: number;
}

export const NO_FAILURES: Failures = { count: 0, lastMs: 0 };

/** The row of failures after pods that have newly ended: a success begins another. */
export function nextFailures(before: Failures, succeeded: readonly Pod[], failed: readonly Pod[]): Failures {
  const start = succeeded.length === 0 ? before : NO_FAILURES;
  const lastSuccess = maxOf(succeeded.map(endedAtMs), -Infinity);
  const ends = failed.map(endedAtMs).filter((at) => at > lastSuccess);
  return ends.length === 0 ? start : { count: start.count + ends.length, lastMs: maxOf(ends) };
}

const MAX_DELAY_MS = 600_000;

/** How long the next pod is to wait. */
export function remainingMs({ count, lastMs }: Failures, baseMs: number, nowMs: number): number {
  if (count === 0) return 0;
  const delay = Math.min(MAX_DELAY_MS, baseMs * 2 ** (count - 1));
  return Math.max(0, delay - (nowMs - lastMs));
}

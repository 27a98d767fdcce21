import type { KubeObject, LabelSelector } from '@capstan/meta';
import type { PodTemplate } from '../workload/resources.js';

export interface JobCondition {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  lastProbeTime?: string;
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}

/** Pods that have ended, by uid, and are not in the counters yet: their finalizer is still to be taken. */
export interface UncountedPods {
  succeeded?: string[];
  failed?: string[];
}

export interface JobStatus {
  conditions?: JobCondition[];
  startTime?: string;
  completionTime?: string;
  active?: number;
  ready?: number;
  terminating?: number;
  succeeded?: number;
  failed?: number;
  completedIndexes?: string;
  failedIndexes?: string;
  uncountedTerminatedPods?: UncountedPods;
}

export interface PodFailureRule {
  action: 'FailJob' | 'FailIndex' | 'Ignore' | 'Count';
  onExitCodes?: { containerName?: string | null; operator: 'In' | 'NotIn'; values: number[] } | null;
  onPodConditions?: { type: string; status: string }[] | null;
}

export interface JobSpec {
  parallelism?: number;
  completions?: number;
  completionMode?: string;
  backoffLimit?: number;
  backoffLimitPerIndex?: number;
  maxFailedIndexes?: number;
  activeDeadlineSeconds?: number;
  ttlSecondsAfterFinished?: number;
  suspend?: boolean;
  selector?: LabelSelector;
  template: PodTemplate;
  podReplacementPolicy?: string;
  podFailurePolicy?: { rules: PodFailureRule[] };
  successPolicy?: { rules: { succeededIndexes?: string; succeededCount?: number }[] };
  managedBy?: string;
}

export interface Job extends KubeObject {
  spec: JobSpec;
  status?: JobStatus;
}

/** Holds a pod until the Job has counted how it ended. */
export const TRACKING_FINALIZER = 'batch.kubernetes.io/job-tracking';
export const INDEX_KEY = 'batch.kubernetes.io/job-completion-index';
export const INDEX_FAILURES = 'batch.kubernetes.io/job-index-failure-count';
export const INDEX_IGNORED_FAILURES = 'batch.kubernetes.io/job-index-ignored-failure-count';

/** The condition of a type, when it is true. */
export function trueCondition(job: Job, type: string): JobCondition | undefined {
  return job.status?.conditions?.find((condition) => condition.type === type && condition.status === 'True');
}

/** Whether the Job is over, well or not. */
export function finishedCondition(job: Job): JobCondition | undefined {
  return trueCondition(job, 'Complete') ?? trueCondition(job, 'Failed');
}

export function isIndexed(job: Job): boolean {
  return job.spec.completionMode === 'Indexed';
}

import { cutText } from '@capstan/meta';
import type { Condition, KubeObject } from '@capstan/meta';

/** How far a workload is, in the words of a condition. */
export interface WorkloadFinding {
  readonly status: 'False' | 'True';
  readonly reason: string;
  readonly message: string;
}

/** A Deployment or StatefulSet, as far as it is looked at. */
export interface Workload extends KubeObject {
  readonly spec?: { readonly replicas?: number };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly updatedReplicas?: number;
    readonly readyReplicas?: number;
    readonly availableReplicas?: number;
    readonly currentRevision?: string;
    readonly updateRevision?: string;
    readonly conditions?: readonly Pick<Condition, 'message' | 'status' | 'type'>[];
  };
}

const yes = (message: string): WorkloadFinding => ({ status: 'True', reason: 'AsExpected', message });
const no = (reason: string, message: string): WorkloadFinding => ({ status: 'False', reason, message });

/** Why a rollout goes no further without help: of a Deployment that serves as before, and of one that does not. */
export const ROLLOUT_STUCK_REASON = 'RolloutStuck';
/** What a Deployment reports as the cause is cut to this, so that a message with the name of the workload is short enough. */
const MAX_CAUSE = 110;

/** What the controller of a Deployment reports as the cause of a rollout that goes no further; undefined when it goes on. */
export function stuckCause(workload: Workload): string | undefined {
  const { metadata, status } = workload;
  if (isRolledOut(workload) || (status?.observedGeneration ?? 0) < (metadata.generation ?? 0)) return undefined;
  const find = (type: string) => status?.conditions?.find((condition) => condition.type === type);
  const failure = find('ReplicaFailure');
  if (failure?.status === 'True') return cutText(failure.message, MAX_CAUSE);
  const progress = find('Progressing');
  return progress?.status === 'False' ? cutText(progress.message, MAX_CAUSE) : undefined;
}

/** Whether a workload serves; one that does and whose rollout is stuck is no reason to look away. */
export function availabilityOf(workload: Workload): WorkloadFinding {
  const finding = workload.kind === 'StatefulSet' ? statefulAvailability(workload) : deploymentAvailability(workload);
  const cause = stuckCause(workload);
  if (cause === undefined) return finding;
  return { ...finding, message: cutText(`${finding.message.replace(/: .*$/, '')}, rollout is stuck: ${cause}`) };
}

function deploymentAvailability({ metadata, status }: Workload): WorkloadFinding {
  const { name = '' } = metadata;
  const available = status?.conditions?.find(({ type }) => type === 'Available');
  if (available === undefined) return no('NotFound', `${name} Deployment Available condition not found`);
  if (available.status === 'True') return yes(`Deployment ${name} is available`);
  return no('WaitingForAvailable', `Deployment ${name} is not available: ${available.message}`);
}

function statefulAvailability({ metadata, spec, status }: Workload): WorkloadFinding {
  const { name = '' } = metadata;
  const replicas = spec?.replicas ?? 1;
  if (replicas === 0 || (status?.availableReplicas ?? 0) > 0) return yes(`StatefulSet ${name} is available`);
  const ready = `${status?.readyReplicas ?? 0}/${replicas} replicas ready`;
  return no('WaitingForAvailable', `StatefulSet ${name} is not available: ${ready}`);
}

/** Whether every pod of a workload is of its newest revision, and available. */
export function isRolledOut(workload: Workload): boolean {
  const { kind, metadata, spec, status } = workload;
  if ((status?.observedGeneration ?? 0) < (metadata.generation ?? 0)) return false;
  const wanted = spec?.replicas ?? 1;
  if (countsOf(status).some((count) => count !== wanted)) return false;
  return kind !== 'StatefulSet' || wanted === 0 || status?.currentRevision === status?.updateRevision;
}

function countsOf({ availableReplicas = 0, replicas = 0, updatedReplicas = 0 }: Workload['status'] = {}): number[] {
  return [replicas, updatedReplicas, availableReplicas];
}

/** How far the rollout of a workload is. */
export function rolloutOf(workload: Workload): WorkloadFinding {
  const { kind, metadata, spec, status } = workload;
  const { name = '' } = metadata;
  const isStateful = kind === 'StatefulSet';
  if (isRolledOut(workload)) return yes(`${isStateful ? 'Statefulset' : 'Deployment'} ${name} successfully rolled out`);
  const cause = stuckCause(workload);
  if (cause !== undefined) return no(ROLLOUT_STUCK_REASON, cutText(`${kind} ${name} does not roll out: ${cause}`));
  const updated = `${status?.updatedReplicas ?? 0} out of ${spec?.replicas ?? 1} new replicas have been updated`;
  const what = isStateful ? 'statefulset' : 'deployment';
  return no('WaitingForRolloutComplete', `Waiting for ${what} ${name} rollout to finish: ${updated}`);
}

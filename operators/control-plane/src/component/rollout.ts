import type { Condition, KubeObject } from '@capstan/meta';

/** How far a workload is, in the words of a condition. */
export interface Finding {
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

const yes = (message: string): Finding => ({ status: 'True', reason: 'AsExpected', message });
const no = (reason: string, message: string): Finding => ({ status: 'False', reason, message });

/** Whether a workload serves. */
export function availabilityOf(workload: Workload): Finding {
  return workload.kind === 'StatefulSet' ? statefulAvailability(workload) : deploymentAvailability(workload);
}

function deploymentAvailability({ metadata, status }: Workload): Finding {
  const { name = '' } = metadata;
  const available = status?.conditions?.find(({ type }) => type === 'Available');
  if (available === undefined) return no('NotFound', `${name} Deployment Available condition not found`);
  if (available.status === 'True') return yes(`Deployment ${name} is available`);
  return no('WaitingForAvailable', `Deployment ${name} is not available: ${available.message}`);
}

function statefulAvailability({ metadata, spec, status }: Workload): Finding {
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
export function rolloutOf(workload: Workload): Finding {
  const { kind, metadata, spec, status } = workload;
  const { name = '' } = metadata;
  const isStateful = kind === 'StatefulSet';
  if (isRolledOut(workload)) return yes(`${isStateful ? 'Statefulset' : 'Deployment'} ${name} successfully rolled out`);
  const updated = `${status?.updatedReplicas ?? 0} out of ${spec?.replicas ?? 1} new replicas have been updated`;
  const what = isStateful ? 'statefulset' : 'deployment';
  return no('WaitingForRolloutComplete', `Waiting for ${what} ${name} rollout to finish: ${updated}`);
}

const VERSION_ANNOTATION = 'release.openshift.io/version';

/** What is missing until the Deployments that a component manages are at a version; undefined when nothing is. */
export function operandsMissing(operands: readonly Workload[], version: string): string | undefined {
  const missing = operands.flatMap((operand) => {
    const { annotations, name = '', namespace = '' } = operand.metadata;
    const at = `deployment ${namespace}/${name}`;
    const found = annotations?.[VERSION_ANNOTATION];
    if (found === undefined) return [`${at} does not have the required annotation '${VERSION_ANNOTATION}'`];
    if (found !== version) return [`${at} has version ${found}, expected ${version}`];
    return isRolledOut(operand) ? [] : [`${at} is not ready`];
  });
  return missing.length === 0 ? undefined : missing.join('\n');
}

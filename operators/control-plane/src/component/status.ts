import type { ControlPlaneComponentStatus } from '@capstan/api/hypershift';
import { availabilityOf, ROLLOUT_STUCK_REASON, rolloutOf } from '@capstan/hosting';
import type { Workload, WorkloadFinding as Finding } from '@capstan/hosting';
import { setCondition } from '@capstan/meta';
import type { ComponentResource } from './objects.js';
import { PROGRESS_DEADLINE_MS } from './rollout-progress.js';

/** What was found out about a component in one reconciliation. */
export interface ComponentFindings {
  readonly name: string;
  readonly hasWorkload: boolean;
  /** As it is; undefined when there is none. */
  readonly workload: Workload | undefined;
  /** A StatefulSet that has made no progress for the deadline. */
  readonly isStuck: boolean;
  /** When a StatefulSet is stuck unless it makes progress; undefined when it is, or is rolled out. */
  readonly progressDueMs: number | undefined;
  readonly unmet: readonly string[];
  /** What went wrong. */
  readonly problem: string | undefined;
  /** What is missing of the Deployments it manages. */
  readonly operandsMissing: string | undefined;
  readonly resources: readonly ComponentResource[];
  readonly version: string;
  readonly observedGeneration: number;
}

const no = (reason: string, message: string): Finding => ({ status: 'False', reason, message });

/** Whether the component serves. */
export function available({ hasWorkload, name, problem, unmet, workload }: ComponentFindings): Finding {
  if (workload !== undefined) return availabilityOf(workload);
  if (unmet.length > 0) return waiting(unmet);
  if (hasWorkload) return no('NotFound', problem ?? `the workload of ${name} has not been created yet`);
  if (problem !== undefined) return no('ReconciliationError', problem);
  return { status: 'True', reason: 'AsExpected', message: `${name} is available` };
}

/** Whether the component is wholly at the version. */
export function rolloutComplete(findings: ComponentFindings): Finding {
  const { hasWorkload, isStuck, name, operandsMissing, problem, unmet, workload } = findings;
  if (unmet.length > 0) return waiting(unmet);
  if (problem !== undefined) return no('ReconciliationError', problem);
  if (!hasWorkload) return { status: 'True', reason: 'AsExpected', message: `${name} is up to date` };
  if (workload === undefined) return no('NotFound', `the workload of ${name} has not been created yet`);
  const rollout = rolloutOf(workload);
  if (rollout.status === 'True' && operandsMissing !== undefined) return no('WaitingForOperands', operandsMissing);
  return rollout.status === 'False' && isStuck ? stuck(workload) : rollout;
}

/** Deployments have a cause in their conditions; of a StatefulSet only its pods have one. */
function stuck({ metadata: { name = '' }, spec, status }: Workload): Finding {
  const ready = `${status?.readyReplicas ?? 0} of ${spec?.replicas ?? 1} pods are ready`;
  const message = `StatefulSet ${name} does not roll out: no progress for ${PROGRESS_DEADLINE_MS / 60_000} minutes, ${ready}: see the events of its pods`;
  return no(ROLLOUT_STUCK_REASON, message);
}

function waiting(unmet: readonly string[]): Finding {
  return no('WaitingForDependencies', `Waiting for Dependencies: ${unmet.join(', ')}`);
}

const MOST_RESOURCES = 100;

/** The status of a ControlPlaneComponent. Its version is that of the last rollout that was completed. */
export function componentStatus(
  before: ControlPlaneComponentStatus | undefined,
  findings: ComponentFindings,
  now: string,
): ControlPlaneComponentStatus {
  const { observedGeneration, resources } = findings;
  const complete = rolloutComplete(findings);
  const conditions = setCondition(
    setCondition(before?.conditions, { type: 'Available', ...available(findings) }, now),
    { type: 'RolloutComplete', ...complete },
    now,
  );
  const version = complete.status === 'True' ? findings.version : before?.version;
  return {
    ...before,
    conditions: [...conditions],
    observedGeneration,
    resources: resources.slice(0, MOST_RESOURCES).map(({ kind: { group, kind }, name }) => ({ group, kind, name })),
    ...(version === undefined ? {} : { version }),
  };
}

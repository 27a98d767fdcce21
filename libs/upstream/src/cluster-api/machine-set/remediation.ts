import type { Result } from '@capstan/kube';
import type { ConditionText } from '../conditions/conditions.js';
import { conditionOf, isFalse, isTrue, mark, unmark } from '../conditions/conditions.js';
import { markOld, oldCondition, oldFalse, oldTrue, unmarkOld } from '../conditions/old-conditions.js';
import { isGoing, isToBeRemediated } from '../machines.js';
import { revisionOf } from '../machine-deployment/desired-set.js';
import { scaled, wanted } from '../machine-deployment/scale-limits.js';
import { annotations } from '../names.js';
import type { Machine, MachineDeployment, MachineSet, OldCondition } from '../types.js';
import { PREFLIGHT_RETRY_MS, runPreflight } from './preflight.js';
import type { SetScope, SetWork } from './scope.js';

const TYPE = 'OwnerRemediated';
const OWNED = { owned: [TYPE], ownedOld: [TYPE] } as const;

/** What is to become of the unhealthy machines of a set. */
export interface RemediationPlan {
  /** Deleted now, unless something is in the way of new ones. */
  readonly now: readonly Machine[];
  readonly later: readonly Machine[];
  readonly why?: { readonly reason: string; readonly message: string } | undefined;
}

/** Machines with a manual remediation request first, then the newest. */
function byUrgency(a: Machine, b: Machine): number {
  const isAsked = ({ metadata }: Machine): boolean =>
    metadata.annotations?.[annotations.remediateMachine] !== undefined;
  if (isAsked(a) !== isAsked(b)) return isAsked(a) ? -1 : 1;
  const [first, second] = [a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? ''];
  if (first !== second) return first > second ? -1 : 1;
  return (a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1;
}

/** Decides which unhealthy machines are replaced now and which wait. */
export function planRemediation(
  set: MachineSet,
  deployment: MachineDeployment | undefined,
  machines: readonly Machine[],
): RemediationPlan {
  const sick = machines.filter((machine) => isToBeRemediated(machine) && !isGoing(machine)).toSorted(byUrgency);
  if (deployment !== undefined && revisionOf(deployment) !== revisionOf(set)) {
    const message = "Machine won't be remediated because it is pending removal due to rollout";
    return { now: [], later: sick, why: { reason: 'CannotBeRemediated', message } };
  }
  const limit = deployment?.spec.remediation?.maxInFlight;
  if (deployment === undefined || limit === undefined) return { now: sick, later: [] };
  const inFlight = machines.filter(
    (machine) => isGoing(machine) && isFalse(machine, TYPE) && conditionOf(machine, TYPE)?.reason === 'MachineDeleting',
  ).length;
  const room = Math.max(scaled(limit, wanted(deployment), 'up') - inFlight, 0);
  const message = `Waiting because there are already too many remediations in progress (spec.strategy.remediation.maxInFlight is ${limit})`;
  return { now: sick.slice(0, room), later: sick.slice(room), why: { reason: 'RemediationDeferred', message } };
}

/** Whether a machine that was to be replaced is well again. */
export function isRecovered(machine: Machine): boolean {
  const isWell = isTrue(machine, 'HealthCheckSucceeded') && isFalse(machine, TYPE);
  const isOldWell =
    oldCondition(machine, 'HealthCheckSucceeded')?.status === 'True' && oldCondition(machine, TYPE)?.status === 'False';
  return !isGoing(machine) && (isWell || isOldWell);
}

/** Deletes unhealthy machines, so that the set makes others. */
export async function remediate(work: SetWork, scope: SetScope): Promise<Result | void> {
  const { set, deployment, machines = [] } = scope;
  for (const machine of machines.filter(isRecovered)) await recover(work, machine);
  const plan = planRemediation(set, deployment, machines);
  if (plan.why !== undefined) await say(work, plan.later, { type: TYPE, status: 'False', ...plan.why });
  if (plan.now.length === 0) return;
  const problems = await problemsOf(work, scope);
  if (problems.length > 0) {
    const message = problems.map((each) => `* ${each}`).join('\n');
    const old = oldFalse(TYPE, 'WaitingForRemediation', 'Warning', problems.join('; '));
    await say(work, plan.now, { type: TYPE, status: 'False', reason: 'RemediationDeferred', message }, old);
    return { requeueAfterMs: PREFLIGHT_RETRY_MS };
  }
  const deleting = { type: TYPE, status: 'False', reason: 'MachineDeleting', message: 'Machine is deleting' } as const;
  await say(work, plan.now, deleting, oldTrue(TYPE));
  for (const machine of plan.now) await work.context.objects.remove('Machine', machine);
}

async function problemsOf({ context }: SetWork, { cluster, set }: SetScope): Promise<readonly string[]> {
  return runPreflight(context, cluster, set).catch((error: unknown) => [String(error)]);
}

async function say(
  { context }: SetWork,
  machines: readonly Machine[],
  condition: ConditionText,
  old?: OldCondition,
): Promise<void> {
  for (const machine of machines) {
    const helper = context.helper('Machine', machine);
    markOld(machine, old, context.now());
    mark(machine, condition, context.now());
    await helper.patch(machine, OWNED);
  }
}

async function recover({ context }: SetWork, machine: Machine): Promise<void> {
  const helper = context.helper('Machine', machine);
  unmarkOld(machine, TYPE);
  unmark(machine, TYPE);
  await helper.patch(machine, OWNED);
}

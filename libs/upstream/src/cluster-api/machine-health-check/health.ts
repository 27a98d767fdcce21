import { compileLabelSelector, formatDuration, maxOf, minOf } from '@capstan/meta';
import type { LabelMatcher } from '@capstan/meta';
import type { ConditionText } from '../conditions/conditions.js';
import { conditionOf, isTrue, mark } from '../conditions/conditions.js';
import { markOld, oldFalse, oldTrue } from '../conditions/old-conditions.js';
import { isControlPlane } from '../machines.js';
import { annotations, labels } from '../names.js';
import { scaled } from '../machine-deployment/scale-limits.js';
import type { Cluster, Machine, MachineHealthCheck, Node, UnhealthyCondition } from '../types.js';

/** A machine that a health check selects, with its node. */
export interface Target {
  readonly machine: Machine;
  readonly node: Node | undefined;
  /** The machine names a node that is not there. */
  readonly isNodeMissing: boolean;
}

/** What is found of a target. */
export type Finding =
  | {
      readonly health: 'unhealthy';
      readonly reason: string;
      readonly oldReason: string;
      readonly message: string;
      readonly oldMessage: string;
    }
  /** Well so far; it may be otherwise in a while. */
  | { readonly health: 'pending'; readonly againInMs: number }
  | { readonly health: 'healthy' }
  /** Not known yet. */
  | { readonly health: 'unknown' };

const DEFAULT_STARTUP_SECONDS = 600;
const SECOND_MS = 1000;

interface Checked {
  readonly messages: readonly string[];
  readonly againInMs: readonly number[];
}

const secondsText = (seconds: number): string => formatDuration(BigInt(seconds) * 1_000_000_000n);

interface Observed {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly lastTransitionTime?: string;
}

function checkConditions(
  checks: readonly UnhealthyCondition[],
  observed: readonly Observed[],
  { on, nowMs }: { readonly on: 'Machine' | 'Node'; readonly nowMs: number },
): Checked {
  const messages: string[] = [];
  const againInMs: number[] = [];
  for (const { type, status, timeoutSeconds = 0 } of checks) {
    const condition = observed.find((each) => each.type === type);
    if (condition?.status !== status) continue;
    const left = Date.parse(condition.lastTransitionTime ?? '') + timeoutSeconds * SECOND_MS - nowMs;
    if (left < 0)
      messages.push(
        `Condition ${type} on ${on} is reporting status ${status} with reason ${condition.reason ?? ''} for more than ${secondsText(timeoutSeconds)}`,
      );
    else againInMs.push(left + SECOND_MS);
  }
  return { messages, againInMs };
}

interface NodeChecked extends Checked {
  readonly reason: string;
  readonly oldReason: string;
}

function checkNode(check: MachineHealthCheck, cluster: Cluster, target: Target, nowMs: number): NodeChecked {
  const { machine, node, isNodeMissing } = target;
  if (isNodeMissing) {
    const messages = [`Node ${machine.status?.nodeRef?.name ?? ''} has been deleted`];
    return { reason: 'NodeDeleted', oldReason: 'NodeNotFound', messages, againInMs: [] };
  }
  if (node === undefined) return checkStartup(check, cluster, machine, nowMs);
  const checks = check.spec.checks?.unhealthyNodeConditions ?? [];
  const checked = checkConditions(checks, node.status?.conditions ?? [], { on: 'Node', nowMs });
  return { reason: 'UnhealthyNode', oldReason: 'UnhealthyNode', ...checked };
}

/** A machine without node has a while, from when everything it needs was there. */
function checkStartup(check: MachineHealthCheck, cluster: Cluster, machine: Machine, nowMs: number): NodeChecked {
  const seconds = check.spec.checks?.nodeStartupTimeoutSeconds ?? DEFAULT_STARTUP_SECONDS;
  const reasons = { reason: 'NodeStartupTimeout', oldReason: 'NodeStartupTimeout' };
  if (seconds === 0) return { ...reasons, messages: [], againInMs: [] };
  const since = [
    conditionOf(cluster, 'ControlPlaneInitialized'),
    conditionOf(cluster, 'InfrastructureReady'),
    conditionOf(machine, 'InfrastructureReady'),
  ].flatMap((condition) => (condition?.status === 'True' ? [Date.parse(condition.lastTransitionTime)] : []));
  const left = maxOf(since, Date.parse(machine.metadata.creationTimestamp ?? '')) + seconds * SECOND_MS - nowMs;
  if (left >= 0) return { ...reasons, messages: [], againInMs: [left + SECOND_MS] };
  return { ...reasons, messages: [`Node failed to report startup in ${secondsText(seconds)}`], againInMs: [] };
}

const ASKED_FOR: Finding = {
  health: 'unhealthy',
  reason: 'HasRemediateAnnotation',
  oldReason: 'HasRemediateMachineAnnotation',
  message: 'Health check failed: marked for remediation via cluster.x-k8s.io/remediate-machine annotation',
  oldMessage: 'Marked for remediation via remediate-machine annotation',
};

/** Whether nothing can be expected of a machine yet. */
function isTooEarly(cluster: Cluster, machine: Machine): boolean {
  if (!isTrue(cluster, 'InfrastructureReady')) return true;
  return !isTrue(cluster, 'ControlPlaneInitialized') && !isControlPlane(machine);
}

/** How a target is. */
export function examine(check: MachineHealthCheck, cluster: Cluster, target: Target, nowMs: number): Finding {
  const { machine, node } = target;
  if (machine.metadata.annotations?.[annotations.remediateMachine] !== undefined) return ASKED_FOR;
  const isWell = machine.metadata.deletionTimestamp == null && node !== undefined;
  const quiet: Finding = { health: isWell ? 'healthy' : 'unknown' };
  if (isTooEarly(cluster, machine)) return quiet;
  const checks = check.spec.checks?.unhealthyMachineConditions ?? [];
  const ofMachine = checkConditions(checks, machine.status?.conditions ?? [], { on: 'Machine', nowMs });
  const ofNode = checkNode(check, cluster, target, nowMs);
  if (ofMachine.messages.length + ofNode.messages.length > 0) return unhealthy(ofMachine, ofNode);
  const againInMs = minOf([...ofMachine.againInMs, ...ofNode.againInMs]);
  return Number.isFinite(againInMs) ? { health: 'pending', againInMs } : quiet;
}

function unhealthy(ofMachine: Checked, ofNode: NodeChecked): Finding {
  const messages = [...ofMachine.messages, ...ofNode.messages];
  const isOfMachine = ofMachine.messages.length > 0;
  const oldReason = isOfMachine ? 'UnhealthyMachine' : ofNode.oldReason;
  return {
    health: 'unhealthy',
    reason: isOfMachine ? 'UnhealthyMachine' : ofNode.reason,
    oldReason,
    message: `Health check failed:\n${messages.map((each) => `  * ${each}`).join('\n')}`,
    oldMessage: oldReason === 'NodeNotFound' ? '' : messages.join('; '),
  };
}

/** Whether unhealthy machines may be replaced, and how many more. */
export interface Allowance {
  readonly isAllowed: boolean;
  readonly count: number;
  /** Why not. */
  readonly message: string;
}

/** A range cannot be read. */
export class BadRange extends Error {
  override readonly name = 'BadRange';
}

/** Too many sick at once is more likely a fault of the whole than of each. */
export function allowance(
  check: MachineHealthCheck,
  { total, healthy, unhealthy }: { readonly total: number; readonly healthy: number; readonly unhealthy: number },
): Allowance {
  const { unhealthyLessThanOrEqualTo: most = '100%', unhealthyInRange = '' } = check.spec.remediation?.triggerIf ?? {};
  const sick = total - healthy;
  const prefix = 'Remediation is not allowed, the number of not started or unhealthy machines';
  if (unhealthyInRange !== '') {
    const [low, high] = rangeOf(unhealthyInRange);
    const message = `${prefix} does not fall within the range (total: ${total}, unhealthy: ${unhealthy}, unhealthyRange: ${unhealthyInRange})`;
    return { isAllowed: sick >= low && sick <= high, count: high - sick, message };
  }
  const limit = scaled(most, total, 'down');
  const message = `${prefix} exceeds maxUnhealthy (total: ${total}, unhealthy: ${unhealthy}, maxUnhealthy: ${most})`;
  return { isAllowed: sick <= limit, count: limit - sick, message };
}

function rangeOf(text: string): [number, number] {
  const match = /^\[(\d+)-(\d+)\]$/.exec(text);
  const [low, high] = [Number(match?.[1]), Number(match?.[2])];
  if (match === null || high < low) throw new BadRange(`unhealthyInRange ${text} is not a range`);
  return [low, high];
}

/** The machines that a health check selects. */
export function matcherOf({ spec: { clusterName, selector } }: MachineHealthCheck): LabelMatcher {
  const matchLabels = { ...selector.matchLabels, [labels.clusterName]: clusterName };
  return compileLabelSelector({ ...selector, matchLabels });
}

/** Machines that no owner is going to replace. */
export function isSkipped({ metadata }: Machine): boolean {
  return [annotations.paused, annotations.skipRemediation].some((key) => metadata.annotations?.[key] !== undefined);
}

/** Reports the result of the check on a machine. */
export function markHealth(machine: Machine, finding: Finding, now: string): void {
  const condition = healthCondition(finding);
  if (condition === undefined) return;
  const { type } = condition;
  mark(machine, condition, now);
  const old =
    finding.health === 'unhealthy' ? oldFalse(type, finding.oldReason, 'Warning', finding.oldMessage) : oldTrue(type);
  markOld(machine, old, now);
}

/** The condition for a result. */
export function healthCondition(finding: Finding): ConditionText | undefined {
  const type = 'HealthCheckSucceeded';
  if (finding.health === 'healthy') return { type, status: 'True', reason: type };
  if (finding.health !== 'unhealthy') return undefined;
  return { type, status: 'False', reason: finding.reason, message: finding.message };
}

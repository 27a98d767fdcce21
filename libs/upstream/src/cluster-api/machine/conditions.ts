import type { ConditionText } from '../conditions/conditions.js';
import { conditionOf, mirrored } from '../conditions/conditions.js';
import { summarize } from '../conditions/merge.js';
import type { Weight } from '../conditions/merge.js';
import { isDefined } from '../external/external-objects.js';
import { NotConnected } from '../guest-clusters.js';
import type { ProbeState } from '../guest-clusters.js';
import { outdatedReasons } from './up-to-date.js';
import { drainDelays, isGoing, isStale } from '../machines.js';
import { CHECK_LOGS } from '../names.js';
import type { Machine, Node } from '../types.js';
import type { MachineScope } from './scope.js';

const failed = (type: string): ConditionText => ({
  type,
  status: 'Unknown',
  reason: 'InternalError',
  message: CHECK_LOGS,
});

/** Whether there is bootstrap data. */
export function bootstrapReady({ machine, bootstrap, isBootstrapMissing }: MachineScope): ConditionText {
  const type = 'BootstrapConfigReady';
  const reference = machine.spec.bootstrap?.configRef;
  if (!isDefined(reference)) return { type, status: 'True', reason: 'DataSecretProvided' };
  const { kind } = reference;
  const was = machine.status?.initialization?.bootstrapDataSecretCreated === true;
  if (bootstrap !== undefined) {
    const message = `${kind} status.initialization.dataSecretCreated is false`;
    const fallback = was
      ? ({ status: 'True', reason: 'Ready' } as const)
      : ({ status: 'False', reason: 'NotReady', message } as const);
    return mirrored(bootstrap.object, { from: 'Ready', to: type, fallback, trueReason: 'Ready' });
  }
  if (isBootstrapMissing !== true) return failed(type);
  if (isGoing(machine) && was)
    return { type, status: 'False', reason: 'ObjectDeleted', message: `${kind} has been deleted` };
  return { type, status: 'False', reason: 'ObjectDoesNotExist', message: `${kind} does not exist` };
}

/** Whether the infrastructure is ready. */
export function infrastructureReady({ machine, infrastructure, isInfrastructureMissing }: MachineScope): ConditionText {
  const type = 'InfrastructureReady';
  const kind = machine.spec.infrastructureRef?.kind ?? '';
  const was = machine.status?.initialization?.infrastructureProvisioned === true;
  if (infrastructure !== undefined) {
    const message = `${kind} status.initialization.provisioned is false`;
    const fallback = was
      ? ({ status: 'True', reason: 'Ready' } as const)
      : ({ status: 'False', reason: 'NotReady', message } as const);
    return mirrored(infrastructure.object, { from: 'Ready', to: type, fallback, trueReason: 'Ready' });
  }
  if (isInfrastructureMissing !== true) return failed(type);
  const bad = { type, status: 'False' } as const;
  if (!was) return { ...bad, reason: 'ObjectDoesNotExist', message: `${kind} does not exist` };
  const still = isGoing(machine) ? '' : ' while the Machine still exists';
  return { ...bad, reason: 'ObjectDeleted', message: `${kind} has been deleted${still}` };
}

const NODE_TYPES = ['NodeReady', 'NodeHealthy'] as const;
const both = (text: Omit<ConditionText, 'type'>): ConditionText[] => NODE_TYPES.map((type) => ({ type, ...text }));
const unknown = (reason: string, message: string): ConditionText[] => both({ status: 'Unknown', reason, message });

/** What of the connection to a cluster counts for its nodes. */
export interface NodeView {
  readonly probe: ProbeState;
  readonly nowMs: number;
  readonly graceMs: number;
}

/** Whether the node is ready and healthy; empty when the reported conditions are kept. */
export function nodeConditions(scope: MachineScope, view: NodeView): ConditionText[] {
  const { machine, node, nodeError } = scope;
  const waiting = waitingForCluster(scope);
  if (waiting !== undefined) return unknown('InspectionFailed', waiting);
  const isReported = NODE_TYPES.every((type) => conditionOf(machine, type) !== undefined);
  const { lastSuccessAt } = view.probe;
  if (isNewConnection(view.probe))
    return isReported ? [] : unknown('ConnectionDown', 'Remote connection not established yet');
  const last = lastProbeText(lastSuccessAt);
  if (isLong(scope, view)) return unknown('ConnectionDown', last);
  if (nodeError !== undefined) {
    if (!(nodeError.error instanceof NotConnected)) return unknown('InternalError', CHECK_LOGS);
    return isReported ? [] : unknown('ConnectionDown', last);
  }
  return node === undefined ? nodeAbsent(machine) : [nodeReady(node), nodeHealthy(node)];
}

function lastProbeText(at: number): string {
  return at === 0 ? '' : `Last successful probe at ${new Date(at).toISOString().slice(0, 19)}Z`;
}

/** Whether it is too early to report that the cluster cannot be reached. */
export function isNewConnection({ failuresInARow, lastSuccessAt }: ProbeState): boolean {
  return lastSuccessAt === 0 && failuresInARow < 5;
}

/** Whether the cluster has not been reached for longer than is forgiven. */
export function isLong({ cluster }: Pick<MachineScope, 'cluster'>, { probe, nowMs, graceMs }: NodeView): boolean {
  if (nowMs - probe.lastSuccessAt <= graceMs) return false;
  const initializedAt = Date.parse(conditionOf(cluster, 'ControlPlaneInitialized')?.lastTransitionTime ?? '');
  return nowMs - Math.max(probe.lastSuccessAt, initializedAt) > graceMs;
}

function waitingForCluster({ cluster }: MachineScope): string | undefined {
  if (cluster.status?.initialization?.infrastructureProvisioned !== true)
    return 'Waiting for Cluster status.initialization.infrastructureProvisioned to be true';
  const initialized = conditionOf(cluster, 'ControlPlaneInitialized')?.status === 'True';
  return initialized ? undefined : 'Waiting for Cluster control plane to be initialized';
}

function nodeAbsent(machine: Machine): ConditionText[] {
  const name = machine.status?.nodeRef?.name;
  if (name !== undefined) {
    const still = isGoing(machine) ? '' : ' while the Machine still exists';
    return both({ status: 'False', reason: 'NodeDeleted', message: `Node ${name} has been deleted${still}` });
  }
  if (isGoing(machine)) return unknown('NodeDoesNotExist', 'Node does not exist');
  const { providerID = '', infrastructureRef } = machine.spec;
  if (providerID !== '')
    return unknown('InspectionFailed', `Waiting for a Node with spec.providerID ${providerID} to exist`);
  return unknown('InspectionFailed', `Waiting for ${infrastructureRef?.kind ?? ''} to report spec.providerID`);
}

const READY_REASONS: Readonly<Record<string, string>> = {
  True: 'NodeReady',
  False: 'NodeNotReady',
  Unknown: 'NodeReadyUnknown',
};

function nodeReady({ status }: Node): ConditionText {
  const type = 'NodeReady';
  const ready = status?.conditions?.find((condition) => condition.type === 'Ready');
  if (ready === undefined)
    return { type, status: 'Unknown', reason: 'NodeReadyUnknown', message: '* Node.Ready: Condition not yet reported' };
  const { message = '', lastTransitionTime } = ready;
  return {
    type,
    status: ready.status as ConditionText['status'],
    reason: READY_REASONS[ready.status] ?? '',
    message: ready.status !== 'True' && message !== '' ? `* Node.Ready: ${message}` : '',
    ...(lastTransitionTime === undefined ? {} : { lastTransitionTime }),
  };
}

const HEALTH = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'] as const;

/** The conditions of a node as one. */
export function nodeHealthy({ status }: Node): ConditionText {
  const type = 'NodeHealthy';
  const findings = HEALTH.map((each) => {
    const condition = status?.conditions?.find((known) => known.type === each);
    if (condition === undefined)
      return { each, isUnknown: true, message: undefined, text: 'Condition not yet reported' };
    if (condition.status === (each === 'Ready' ? 'True' : 'False')) return undefined;
    const message = condition.message || `Condition is ${condition.status}`;
    return { each, isUnknown: condition.status === 'Unknown', message, text: message };
  }).filter((finding) => finding !== undefined);
  if (findings.length === 0) return { type, status: 'True', reason: 'NodeHealthy' };
  const reported = findings.flatMap((finding) => (finding.message === undefined ? [] : [finding.message]));
  const isSameForAll = reported.length > 1 && new Set(reported).size === 1;
  const message = isSameForAll
    ? `* Node.AllConditions: ${reported[0] ?? ''}`
    : findings.map(({ each, text }) => `* Node.${each}: ${text}`).join('\n');
  return findings.every(({ isUnknown }) => isUnknown)
    ? { type, status: 'Unknown', reason: 'NodeHealthyUnknown', message }
    : { type, status: 'False', reason: 'NodeNotHealthy', message };
}

/** Whether the machine is going, and what is in the way. */
export function deleting({ machine, deleting: why }: MachineScope): ConditionText {
  const type = 'Deleting';
  if (!isGoing(machine)) return { type, status: 'False', reason: 'NotDeleting' };
  return { type, status: 'True', reason: why?.reason ?? 'InternalError', message: why?.message ?? CHECK_LOGS };
}

/** Whether the machine is as its deployment wants machines to be; undefined without one. */
export function upToDate({ set, deployment }: MachineScope, nowMs: number): ConditionText | undefined {
  const type = 'UpToDate';
  if (set === undefined || deployment === undefined) return undefined;
  const reasons = outdatedReasons(set, deployment, nowMs);
  if (reasons.length === 0) return { type, status: 'True', reason: 'UpToDate' };
  return { type, status: 'False', reason: 'NotUpToDate', message: reasons.map((each) => `* ${each}`).join('\n') };
}

const GOING_AWAY: Readonly<Record<string, readonly string[]>> = {
  BootstrapConfigReady: ['ObjectDeleted', 'ObjectDoesNotExist'],
  InfrastructureReady: ['ObjectDeleted', 'ObjectDoesNotExist'],
  NodeHealthy: ['NodeDeleted', 'NodeDoesNotExist'],
};

/** Whether the machine is ready. */
export function ready(machine: Machine, nowMs: number): ConditionText {
  const gates = machine.spec.readinessGates ?? [];
  const negative = gates.filter(({ polarity }) => polarity === 'Negative').map(({ conditionType }) => conditionType);
  const weigh = ({ type, reason }: { type: string; reason: string }): Weight | undefined =>
    isGoing(machine) && GOING_AWAY[type]?.includes(reason) === true ? 'info' : undefined;
  return summarize(machine, {
    to: 'Ready',
    of: [
      'Deleting',
      'Updating',
      'BootstrapConfigReady',
      'InfrastructureReady',
      'NodeHealthy',
      'HealthCheckSucceeded',
      ...gates.map(({ conditionType }) => conditionType),
    ],
    reasons: { issue: 'NotReady', unknown: 'ReadyUnknown', info: 'Ready' },
    negative: ['Deleting', 'Updating', ...negative],
    ignoredWhenMissing: ['HealthCheckSucceeded'],
    override: isGoing(machine) ? deletingForSummary(machine, nowMs) : undefined,
    weigh,
    editMessages: controlPlaneTogether,
  });
}

function deletingForSummary(machine: Machine, nowMs: number): ConditionText {
  const stage = conditionOf(machine, 'Deleting')?.reason;
  const isLong = isStale(machine, nowMs);
  const delays = isLong ? drainDelays(machine, nowMs) : [];
  const long = isLong ? ' since more than 15m' : '';
  const why = delays.length === 0 ? '' : `, delay likely due to ${delays.join(', ')}`;
  const message = stage === undefined ? '' : `${long}, stage: ${stage}${why}`;
  return { type: 'Deleting', status: 'True', reason: 'Deleting', message: `Machine deletion in progress${message}` };
}

const COMPONENT = /^\* (?:APIServer|ControllerManager|Scheduler)|^\* EtcdPodHealthy$/;

/** Equal messages of several components of a control plane are reported once. */
export function controlPlaneTogether(messages: string[]): string[] {
  const isComponent = (message: string): boolean => COMPONENT.test(message.slice(0, Math.max(message.indexOf(':'), 0)));
  const components = messages.filter(isComponent);
  const sayings = new Set(components.map((message) => message.slice(message.indexOf(':') + 1)));
  if (components.length < 2 || sayings.size !== 1) return messages;
  const first = messages.findIndex(isComponent);
  const together = `* Control plane components:${[...sayings][0] ?? ''}`;
  return messages.flatMap((message, index) => {
    if (!isComponent(message)) return [message];
    return index === first ? [together] : [];
  });
}

/** Whether the machine is available, and when to requeue while that is unknown. */
export function available(machine: Machine, nowMs: number): { condition: ConditionText; againInMs: number } {
  const type = 'Available';
  const known = conditionOf(machine, 'Ready');
  if (known?.status !== 'True') return { condition: { type, status: 'False', reason: 'NotReady' }, againInMs: 0 };
  const left = Date.parse(known.lastTransitionTime) + (machine.spec.minReadySeconds ?? 0) * 1000 - nowMs;
  if (left <= 0) return { condition: { type, status: 'True', reason: 'Available' }, againInMs: 0 };
  return { condition: { type, status: 'False', reason: 'WaitingForMinReadySeconds' }, againInMs: left };
}

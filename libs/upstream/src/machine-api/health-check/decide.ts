import { controllerOf, parseDuration, minOf } from '@capstan/meta';
import { timeMs } from '../machine/decide.js';
import { EXTERNAL_REMEDIATION_ANNOTATION, REMEDIATION_STRATEGY_ANNOTATION } from '../names.js';
import type { Machine, NodeObject } from '../resources.js';
import type { MachineHealthCheck } from './resources.js';

const STARTUP_TIMEOUT = '10m';
const EXTERNAL_STRATEGY = 'external-baremetal';
/** Added to the next look, so that times written in whole seconds are surely over. */
const MARGIN_MS = 1000;

/** A machine that is checked, and its node: undefined when it has none yet, `lost` when the one it names is gone. */
export interface Target {
  readonly machine: Machine;
  readonly node: NodeObject | 'lost' | undefined;
}

/** How a machine is. */
export type Health =
  | { readonly is: 'healthy' }
  /** Neither well nor unwell long enough; look again after `ms`, if given. */
  | { readonly is: 'pending'; readonly ms?: number }
  | { readonly is: 'unhealthy'; readonly why: string };

/** Milliseconds of a Go duration; `fallback` where there is none or none that can be read. */
export function durationMs(text: string | undefined, fallback: string): number {
  try {
    return Number(parseDuration(text === undefined || text === '' ? fallback : text)) / 1e6;
  } catch {
    return Number(parseDuration(fallback)) / 1e6;
  }
}

/** Checks one machine by its phase, its node's absence and the conditions the check names. */
export function healthOf({ machine, node }: Target, check: MachineHealthCheck, nowMs: number): Health {
  if (machine.status?.phase === 'Failed') return { is: 'unhealthy', why: 'machine phase is "Failed"' };
  if (node === undefined) return startup(machine, check, nowMs);
  if (node === 'lost') return { is: 'unhealthy', why: 'its node does not exist' };
  return unwellConditions(node, check, nowMs) ?? { is: isBeingRemediated(machine) ? 'pending' : 'healthy' };
}

/** A machine that is being remediated externally, or deleted, still counts as unhealthy. */
function isBeingRemediated({ metadata }: Machine): boolean {
  return metadata.deletionTimestamp != null || metadata.annotations?.[EXTERNAL_REMEDIATION_ANNOTATION] !== undefined;
}

function unwellConditions(node: NodeObject, check: MachineHealthCheck, nowMs: number): Health | undefined {
  const waits: number[] = [];
  for (const { type, status, timeout } of check.spec?.unhealthyConditions ?? []) {
    const condition = node.status?.conditions?.find((each) => each.type === type);
    if (condition?.status !== status) continue;
    const leftMs = timeMs(condition.lastTransitionTime ?? '') + durationMs(timeout, '0s') - nowMs;
    if (leftMs < 0) return { is: 'unhealthy', why: `condition ${type} in state ${status} longer than ${timeout}` };
    waits.push(leftMs + MARGIN_MS);
  }
  return waits.length > 0 ? { is: 'pending', ms: minOf(waits) } : undefined;
}

function startup({ status }: Machine, check: MachineHealthCheck, nowMs: number): Health {
  const timeoutMs = durationMs(check.spec?.nodeStartupTimeout, STARTUP_TIMEOUT);
  if (timeoutMs === 0) return { is: 'pending' };
  if (status?.lastUpdated === undefined) return { is: 'pending', ms: timeoutMs };
  const leftMs = timeMs(status.lastUpdated) + timeoutMs - nowMs;
  if (leftMs < 0)
    return { is: 'unhealthy', why: `machine has no node after ${check.spec?.nodeStartupTimeout ?? STARTUP_TIMEOUT}` };
  return { is: 'pending', ms: leftMs + MARGIN_MS };
}

/** How many may be unhealthy before remediation stops; undefined when the check's value cannot be parsed. */
export function maxUnhealthy(check: MachineHealthCheck, total: number): number | undefined {
  const wanted = check.spec?.maxUnhealthy ?? '100%';
  const match = /^(-?\d+)(%?)$/.exec(String(wanted));
  if (match === null) return undefined;
  const value = Number(match[1]);
  return Math.max(0, match[2] === '%' ? Math.floor((value * total) / 100) : value);
}

/** What becomes of an unwell machine. */
export type Remedy = 'external-object' | 'external-annotation' | 'leave-alone' | 'already' | 'delete';

/** A failed machine has no host to remediate it; one without an owner would not be replaced. */
export function decideRemedy(machine: Machine, check: MachineHealthCheck): Remedy {
  if (check.spec?.remediationTemplate !== undefined) return 'external-object';
  const { annotations, deletionTimestamp } = machine.metadata;
  const strategy = check.metadata.annotations?.[REMEDIATION_STRATEGY_ANNOTATION];
  if (machine.status?.phase !== 'Failed' && strategy === EXTERNAL_STRATEGY)
    return annotations?.[EXTERNAL_REMEDIATION_ANNOTATION] === undefined ? 'external-annotation' : 'already';
  if (controllerOf(machine) === undefined) return 'leave-alone';
  return deletionTimestamp == null ? 'delete' : 'already';
}

/** The result of checking every target. */
export interface Survey {
  readonly healthy: readonly Target[];
  readonly unhealthy: readonly { readonly target: Target; readonly why: string }[];
  readonly lookAgainMs: number | undefined;
}

/** Checks every target. */
export function survey(targets: readonly Target[], check: MachineHealthCheck, nowMs: number): Survey {
  const healthy: Target[] = [];
  const unhealthy: { target: Target; why: string }[] = [];
  const waits: number[] = [];
  for (const target of targets) {
    const health = healthOf(target, check, nowMs);
    if (health.is === 'healthy') healthy.push(target);
    else if (health.is === 'unhealthy') unhealthy.push({ target, why: health.why });
    else if (health.ms !== undefined) waits.push(health.ms);
  }
  return { healthy, unhealthy, lookAgainMs: waits.length === 0 ? undefined : minOf(waits) };
}

/** The status of a check for its machines, and whether it may act. */
export interface Verdict {
  readonly isAllowed: boolean;
  readonly status: NonNullable<MachineHealthCheck['status']>;
  readonly message: string;
}

/** Too many unwell at once is a trouble that replacing machines would make worse. */
export function checkLimit(check: MachineHealthCheck, total: number, { healthy }: Survey): Verdict {
  const limit = maxUnhealthy(check, total);
  const unwell = total - healthy.length;
  const isAllowed = limit !== undefined && unwell <= limit;
  return {
    isAllowed,
    message: `(total: ${total}, unhealthy: ${unwell}, maxUnhealthy: ${String(check.spec?.maxUnhealthy ?? '100%')})`,
    status: {
      ...check.status,
      expectedMachines: total,
      currentHealthy: healthy.length,
      remediationsAllowed: isAllowed ? limit - unwell : 0,
    },
  };
}

/** Conditions of Machine API, derived from a machine of Cluster API. */
import type { JsonObject } from '@capstan/meta';
import { getAt, isRecord } from '../engine/path.js';
import { PRE_DRAIN_PREFIX, PRE_TERMINATE_PREFIX } from './names.js';

/** Its controllers' names for why a condition does not hold, and how bad that is. */
interface Problem {
  readonly reason: string;
  readonly severity: 'Error' | 'Warning' | 'Info';
  readonly message: string;
}

function condition(type: string, problem: Problem | undefined, now: string): JsonObject {
  const state = problem === undefined ? { status: 'True' } : { status: 'False', ...problem };
  return { type, ...state, lastTransitionTime: now };
}

const conditionOf = (object: JsonObject, type: string): JsonObject | undefined => {
  const list = getAt(object, ['status', 'conditions']);
  return (Array.isArray(list) ? list : []).filter(isRecord).find((each) => each['type'] === type);
};

function instanceProblem(machine: JsonObject): Problem | undefined {
  const message = 'Instance has not been created';
  const isProvisioned = getAt(machine, ['status', 'initialization', 'infrastructureProvisioned']) === true;
  if (!isProvisioned) return { reason: 'InstanceNotCreated', severity: 'Warning', message };
  const ready = conditionOf(machine, 'InfrastructureReady');
  return ready?.['reason'] === 'InfrastructureDeleted'
    ? { reason: 'InstanceMissing', severity: 'Warning', message: 'Instance not found on provider' }
    : undefined;
}

/** Hooks as the controllers of Machine API list them. */
function hookProblem(machine: JsonObject, prefix: string, operation: string): Problem | undefined {
  const annotations = getAt(machine, ['metadata', 'annotations']);
  if (!isRecord(annotations)) return undefined;
  const hooks = Object.keys(annotations)
    .filter((key) => key.startsWith(prefix))
    .sort()
    .map((key) => `{Name:${key.slice(prefix.length)} Owner:${String(annotations[key])}}`);
  if (hooks.length === 0) return undefined;
  const message = `${operation} operation currently blocked by: [${hooks.join(' ')}]`;
  return { reason: 'HookPresent', severity: 'Warning', message };
}

/** Reasons of the condition Deleting of Cluster API that come before and during the drain of the node. */
const NOT_YET_DRAINED: ReadonlySet<unknown> = new Set([
  'NotDeleting',
  'WaitingForPreDrainHook',
  'DrainingNode',
  'InternalError',
]);

function drained(machine: JsonObject, now: string): JsonObject[] {
  if (getAt(machine, ['metadata', 'deletionTimestamp']) === undefined) return [];
  const deleting = conditionOf(machine, 'Deleting');
  const reason = deleting?.['reason'];
  if (reason === undefined || NOT_YET_DRAINED.has(reason)) return [];
  return [condition('Drained', undefined, now)];
}

/** Those that the controllers of Machine API set on their machines. The conditions of the instance are in its provider status. */
export function machineApiConditions(machine: JsonObject, now: string): JsonObject[] {
  return [
    condition('Drainable', hookProblem(machine, PRE_DRAIN_PREFIX, 'Drain'), now),
    condition('InstanceExists', instanceProblem(machine), now),
    condition('Terminable', hookProblem(machine, PRE_TERMINATE_PREFIX, 'Terminate'), now),
    ...drained(machine, now),
  ];
}

/** The one of a health check: whether so many machines are unhealthy that it waits. */
export function remediationCondition(check: JsonObject, now: string): JsonObject[] {
  const found = conditionOf(check, 'RemediationAllowed');
  const status = found?.['status'];
  if (status !== 'True' && status !== 'False') return [];
  const message = typeof found?.['message'] === 'string' ? found['message'] : '';
  const problem: Problem = { reason: 'TooManyUnhealthy', severity: 'Warning', message };
  return [condition('RemediationAllowed', status === 'True' ? undefined : problem, now)];
}

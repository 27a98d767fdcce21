import { deepEqual } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import type { Instance } from '../../cloud/instance.js';
import { withCondition } from '../conditions.js';
import type { MachineCondition, MachineConditionUpdate } from '../conditions.js';
import {
  INSTANCE_STATE_ANNOTATION,
  INSTANCE_TYPE_LABEL,
  INTERRUPTIBLE_LABEL,
  REGION_LABEL,
  UNKNOWN_STATE,
  ZONE_LABEL,
} from '../names.js';
import type { WantedInstance } from '../platforms.js';
import type { LifecycleHook, Machine, MachinePhase, MachineStatus } from '../resources.js';

/** Why a machine has failed. */
export interface Failure {
  readonly reason?: string;
  readonly message: string;
}

function hookCondition(type: string, what: string, hooks: readonly LifecycleHook[] = []): MachineConditionUpdate {
  if (hooks.length === 0) return { type, status: 'True' };
  const named = hooks.map(({ name, owner }) => `{Name:${name} Owner:${owner}}`).join(' ');
  const message = `${what} operation currently blocked by: [${named}]`;
  return { type, status: 'False', severity: 'Warning', reason: 'HookPresent', message };
}

/** The two conditions for lifecycle hooks, updated at every write. */
function hookConditions({ spec }: Machine): MachineConditionUpdate[] {
  const { preDrain, preTerminate } = spec?.lifecycleHooks ?? {};
  return [hookCondition('Drainable', 'Drain', preDrain), hookCondition('Terminable', 'Terminate', preTerminate)];
}

/** The contents of a status write. */
export interface StatusUpdate {
  readonly phase: MachinePhase | '';
  readonly conditions?: readonly MachineConditionUpdate[];
  readonly failure?: Failure;
  readonly fields?: Partial<Pick<MachineStatus, 'addresses' | 'providerStatus'>>;
}

/** The status after an update. Its time moves only when something else does, so an unchanged one needs no write. */
export function nextStatus(machine: Machine, update: StatusUpdate, now: string): MachineStatus {
  const before = machine.status ?? {};
  let conditions: readonly MachineCondition[] = before.conditions ?? [];
  for (const each of [...(update.conditions ?? []), ...hookConditions(machine)])
    conditions = withCondition(conditions, each, now);
  const { errorReason: _reason, errorMessage: _message, ...kept } = before;
  const next: MachineStatus = {
    ...kept,
    ...update.fields,
    ...(update.phase === '' ? {} : { phase: update.phase }),
    ...(update.failure === undefined ? {} : failureFields(update.failure)),
    conditions,
  };
  return deepEqual(next, before) ? before : { ...next, lastUpdated: now };
}

function failureFields({ reason, message }: Failure): Pick<MachineStatus, 'errorReason' | 'errorMessage'> {
  return { ...(reason === undefined ? {} : { errorReason: reason }), errorMessage: message };
}

/** The machine itself, as an instance makes it: identity, labels and the state for people to see. */
export function followed(machine: Machine, instance: Instance, wanted: WantedInstance): Machine {
  const { metadata, spec } = machine;
  const labels = {
    ...metadata.labels,
    ...present({
      [INSTANCE_TYPE_LABEL]: instance.type,
      [REGION_LABEL]: instance.region,
      [ZONE_LABEL]: instance.zone,
    }),
    ...(wanted.isSpot ? { [INTERRUPTIBLE_LABEL]: '' } : {}),
  };
  const annotations = { ...metadata.annotations, [INSTANCE_STATE_ANNOTATION]: wanted.row.states[instance.state] };
  return {
    ...machine,
    metadata: { ...metadata, labels, annotations },
    spec: { ...spec, providerID: instance.providerId },
  };
}

function present(labels: Record<string, string>): Record<string, string> {
  // A label value has at most 63 of few characters; what is none is left out.
  return Object.fromEntries(
    Object.entries(labels).filter(([, value]) => /^[A-Za-z0-9](?:[-\w.]{0,61}[A-Za-z0-9])?$/.test(value)),
  );
}

/** How the provider reports on an instance; nothing on platforms that report nothing. */
export function providerStatus(
  before: JsonObject | undefined,
  instance: Instance,
  { row }: WantedInstance,
  now: string,
): JsonObject | undefined {
  const { status } = row;
  if (status === undefined) return before;
  const created = { type: status.condition, status: 'True', reason: 'MachineCreationSucceeded' } as const;
  return {
    ...before,
    apiVersion: status.apiVersion,
    kind: status.kind,
    [status.idField]: instance.id,
    ...(status.stateField === undefined ? {} : { [status.stateField]: row.states[instance.state] }),
    conditions: providerConditions(before, { ...created, message: 'Machine successfully created' }, now),
  };
}

/** The provider's report after a failed order. */
export function failedProviderStatus(
  before: JsonObject | undefined,
  message: string,
  { row }: WantedInstance,
  now: string,
): JsonObject | undefined {
  const { status } = row;
  if (status === undefined) return before;
  const failed = { type: status.condition, status: 'False', reason: 'MachineCreationFailed', message } as const;
  const conditions = providerConditions(before, failed, now);
  return { ...before, apiVersion: status.apiVersion, kind: status.kind, conditions };
}

function providerConditions(
  before: JsonObject | undefined,
  update: MachineConditionUpdate,
  now: string,
): readonly MachineCondition[] {
  return withCondition((before?.['conditions'] ?? []) as readonly MachineCondition[], update, now);
}

/** The provider status for an instance that cannot be found any more. */
export function lostProviderStatus(before: JsonObject | undefined): JsonObject | undefined {
  if (before === undefined) return undefined;
  const lost = { ...before };
  for (const field of ['instanceState', 'vmState']) if (typeof lost[field] === 'string') lost[field] = UNKNOWN_STATE;
  return lost;
}

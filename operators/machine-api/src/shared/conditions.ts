/** Conditions of Machine API objects that this operator writes, and those of others that it reads. */
import type { JsonObject, KubeObject } from '@capstan/meta';
import { cutText, MAX_CONDITION_MESSAGE } from '@capstan/meta';
import type { Authored, MachineCondition } from './model.js';
import { recordAt } from './model.js';

/** Whether both copies agree. */
export const SYNCHRONIZED = 'Synchronized';
/** How far a change of authority is, and what it waits for; absent until authority has been moved once. */
export const HANDOVER = 'AuthorityHandover';
/** Written by the controllers of either API: they leave the object alone. */
export const PAUSED = 'Paused';

/** A condition to be written. */
export type ConditionUpdate = Omit<MachineCondition, 'lastTransitionTime'>;

const severities: Readonly<Record<string, string>> = { False: 'Error', Unknown: 'Info' };

/** A condition with the severity that its status has. */
export function condition(
  type: string,
  status: 'True' | 'False' | 'Unknown',
  reason: string,
  message: string,
): ConditionUpdate {
  const severity = severities[status];
  const cut = cutText(message, MAX_CONDITION_MESSAGE);
  return { type, status, reason, message: cut, ...(severity === undefined ? {} : { severity }) };
}

/** The condition of that type. */
export function findCondition(object: Authored | undefined, type: string): MachineCondition | undefined {
  return object?.status?.conditions?.find((each) => each.type === type);
}

/** The list with a condition in its place. Its time moves with status and reason: since when something is waited for. */
export function withCondition(
  conditions: readonly MachineCondition[] | undefined,
  update: ConditionUpdate,
  now: string,
): readonly MachineCondition[] {
  const list = conditions ?? [];
  const at = list.findIndex(({ type }) => type === update.type);
  const old = list[at];
  const moved = old?.status !== update.status || old.reason !== update.reason;
  const made: MachineCondition = { ...update, lastTransitionTime: moved ? now : (old?.lastTransitionTime ?? now) };
  if (old === undefined) return [...list, made];
  // The severity follows from the status, and conditions of control plane sets have none.
  const isSame = !moved && old.message === update.message;
  return isSame ? list : list.with(at, made);
}

/** Whether a Machine API controller reports that it leaves the object alone. */
export function isPausedByMachineApi(object: Authored | undefined): boolean {
  return findCondition(object, PAUSED)?.status === 'True';
}

function conditionsOf(object: KubeObject, ...path: readonly string[]): readonly JsonObject[] {
  const found = recordAt(object, ...path)['conditions'];
  return Array.isArray(found) ? (found as readonly JsonObject[]) : [];
}

/** Whether a controller of Cluster API or a provider reports, in either contract, that it leaves the object alone. */
export function isPausedByClusterApi(object: KubeObject): boolean {
  const all = [...conditionsOf(object, 'status'), ...conditionsOf(object, 'status', 'v1beta2')];
  return all.some(({ status, type }) => type === PAUSED && status === 'True');
}

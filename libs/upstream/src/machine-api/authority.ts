import { findCondition, isSameCondition } from './conditions.js';
import type { MachineCondition, MachineConditionUpdate } from './conditions.js';
import type { Authored } from './resources.js';

const PAUSED = 'Paused';

/** What an object's authority lets this controller do. */
export type AuthorityDecision =
  /** No authority is reported yet: `status := spec`, and nothing else before that. */
  | { readonly act: 'adopt'; readonly authority: string }
  /** Another controller acts. */
  | { readonly act: 'pause'; readonly condition: MachineConditionUpdate }
  /** We act, but the object still reports paused: that must be reverted first, or a handover would trust it. */
  | { readonly act: 'unpause'; readonly condition: MachineConditionUpdate }
  /** We act. */
  | { readonly act: 'go' }
  /** A value this controller does not know: it keeps away. */
  | { readonly act: 'keep-away' };

/**
 * Who acts: `isGated` is whether the served CRD has the authority fields. An object that names an authority is obeyed in
 * any case. Conditions of control planes have no severity: with one they would never be as wanted.
 */
export function decideAuthority(
  { spec, status }: Authored,
  isGated: boolean,
  options: { readonly hasSeverity?: boolean } = {},
): AuthorityDecision {
  const authority = status?.authoritativeAPI ?? '';
  if (authority === '' && !isGated) return { act: 'go' };
  const message = `The AuthoritativeAPI status is set to '${authority}'`;
  const current = findCondition(status?.conditions, PAUSED);
  switch (authority) {
    case '':
      return { act: 'adopt', authority: spec?.authoritativeAPI ?? 'MachineAPI' };
    case 'ClusterAPI':
    case 'Migrating': {
      const condition = { type: PAUSED, status: 'True', reason: 'AuthoritativeAPINotMachineAPI', message } as const;
      return { act: 'pause', condition };
    }
    case 'MachineAPI':
      return resume(current, message, options);
    default:
      return { act: 'keep-away' };
  }
}

function resume(
  current: MachineCondition | undefined,
  message: string,
  { hasSeverity = true }: { readonly hasSeverity?: boolean },
): AuthorityDecision {
  const severity = hasSeverity ? ({ severity: 'Info' } as const) : {};
  const condition = {
    type: PAUSED,
    status: 'False',
    ...severity,
    reason: 'AuthoritativeAPIMachineAPI',
    message,
  } as const;
  return isSameCondition(current, condition) ? { act: 'go' } : { act: 'unpause', condition };
}

/** Whether Machine API acts on it, by the object alone. */
export function isOurs({ status }: Authored, isGated: boolean): boolean {
  const authority = status?.authoritativeAPI ?? '';
  return authority === 'MachineAPI' || (authority === '' && !isGated);
}

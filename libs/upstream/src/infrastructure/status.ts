import { deepEqual, setCondition } from '@capstan/meta';
import type { Condition } from '@capstan/meta';
import type { Instance } from '../cloud/instance.js';
import type { Contract, InfrastructureStatus, OldCondition } from './objects.js';
import type { InfrastructurePlatform } from './platforms.table.js';

/** A condition as the code here speaks of it, whichever contract it is written in. */
export interface ConditionText {
  readonly type: string;
  readonly status: 'False' | 'True' | 'Unknown';
  readonly reason: string;
  readonly message?: string | undefined;
  /** Of a condition that is not true. Default: Info. */
  readonly severity?: 'Error' | 'Info' | 'Warning' | undefined;
}

/** Writes a condition into a status in the words of the contract; the very same status when nothing changes. */
export function withCondition(
  status: InfrastructureStatus,
  text: ConditionText,
  { contract, now }: { readonly contract: Contract; readonly now: string },
): InfrastructureStatus {
  if (contract === 'v1beta2') {
    const { message = '', reason, status: answer, type } = text;
    const before = status.conditions as readonly Condition[] | undefined;
    const conditions = setCondition(before, { type, status: answer, reason, message }, now);
    return conditions === before ? status : { ...status, conditions };
  }
  const conditions = withOldCondition((status.conditions ?? []) as readonly OldCondition[], text, now);
  return conditions === status.conditions ? status : { ...status, conditions };
}

function withOldCondition(list: readonly OldCondition[], text: ConditionText, now: string): readonly OldCondition[] {
  const { message, reason, severity = 'Info', status, type } = text;
  const index = list.findIndex((condition) => condition.type === type);
  const before = list[index];
  // The older contract gives reasons only for what is wrong.
  const why =
    status === 'True' ? {} : { severity, reason, ...(message === undefined || message === '' ? {} : { message }) };
  const lastTransitionTime = before?.status === status ? before.lastTransitionTime : now;
  const next = { type, status, ...why, lastTransitionTime };
  if (before === undefined) return [...list, next];
  return deepEqual(before, next) ? list : list.with(index, next);
}

/** The reason a condition gives, if it is not true. */
export function reasonOf(status: InfrastructureStatus | undefined, type: string): string | undefined {
  const found = status?.conditions?.find((condition) => condition.type === type);
  return found?.status === 'True' ? undefined : found?.reason;
}

/** Reports in the fields of the contract whether the object is provisioned. */
export function withReadiness(
  status: InfrastructureStatus,
  isReady: boolean,
  contract: Contract,
): InfrastructureStatus {
  if (contract === 'v1beta1') return status.ready === isReady ? status : { ...status, ready: isReady };
  // What once was provisioned stays so: the contract speaks of the first time.
  const provisioned = isReady || status.initialization?.provisioned === true;
  return status.initialization?.provisioned === provisioned ? status : { ...status, initialization: { provisioned } };
}

const STYLES = {
  lower: (text: string) => text,
  title: (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`,
  upper: (text: string) => text.toUpperCase(),
} as const;

/** The status of an instance other than conditions: state, addresses, identifier. */
export function withInstance(
  status: InfrastructureStatus,
  instance: Instance,
  { instanceId, state }: InfrastructurePlatform,
): InfrastructureStatus {
  return {
    ...status,
    ...(state === undefined ? {} : { [state.field]: STYLES[state.style](instance.state) }),
    ...(instanceId?.in === 'status' ? { [instanceId.field]: instance.id } : {}),
    addresses: instance.addresses.map(({ address, type }) => ({ type, address })),
  };
}

/** Reports failure domains in the form of the contract: by name, or as a list. */
export function withFailureDomains(
  status: InfrastructureStatus,
  domains: readonly string[] | undefined,
  contract: Contract,
): InfrastructureStatus {
  if (domains === undefined) return status;
  const failureDomains =
    contract === 'v1beta1'
      ? Object.fromEntries(domains.map((name) => [name, { controlPlane: true }]))
      : domains.map((name) => ({ name, controlPlane: true }));
  return deepEqual(status['failureDomains'], failureDomains) ? status : { ...status, failureDomains };
}

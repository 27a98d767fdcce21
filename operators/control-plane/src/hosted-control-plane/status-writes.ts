import type { ControlPlaneVersionStatus, HostedControlPlane, HostedControlPlaneStatus } from '@capstan/api/hypershift';
import { OwnWrites } from '@capstan/kube';
import { deepEqual } from '@capstan/meta';

/** Whether two statuses differ in nothing but the messages of conditions whose reasons are the same. */
export function differInMessagesOnly(
  before: HostedControlPlaneStatus | undefined,
  after: HostedControlPlaneStatus,
): boolean {
  return before !== undefined && deepEqual(withoutMessages(before), withoutMessages(after));
}

function withoutMessages({ conditions = [], ...status }: HostedControlPlaneStatus): object {
  return { ...status, conditions: conditions.map((condition) => ({ ...condition, message: '' })) };
}

/** The least time between two writes that differ in messages only: a control plane that starts counts down in them. */
const MESSAGES_INTERVAL_MS = 5_000;

interface WrittenVersion {
  readonly uid: string | undefined;
  readonly version: ControlPlaneVersionStatus | undefined;
}

/** Status writes of HostedControlPlanes: of each, when, and which versions. */
export type StatusWrites = OwnWrites<HostedControlPlane, WrittenVersion>;

/** No writes yet. */
export function statusWrites(): StatusWrites {
  return new OwnWrites(
    ({ metadata: { uid }, status }: HostedControlPlane) => ({ uid, version: status?.controlPlaneVersion }),
    { minIntervalMs: MESSAGES_INTERVAL_MS },
  );
}

/** The versions as this process last wrote them: their history is nowhere else when another client overwrites it. */
export function writtenVersion(
  writes: StatusWrites,
  key: string,
  { metadata: { uid } }: HostedControlPlane,
): ControlPlaneVersionStatus | undefined {
  const known = writes.last(key);
  return known?.uid === uid ? known?.version : undefined;
}

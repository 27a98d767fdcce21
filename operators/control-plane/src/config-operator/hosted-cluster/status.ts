import type { HostedControlPlane, HostedControlPlaneStatus } from '@capstan/api/hypershift';
import { HOSTED_CONTROL_PLANES } from '@capstan/hosting';
import { Converger, timestamp } from '@capstan/kube';
import type { Client, OwnWrites } from '@capstan/kube';
import { deepEqual, extended, setCondition } from '@capstan/meta';
import type { Clock, Condition, ConditionUpdate } from '@capstan/meta';

/** What writes the part of the status that is about the inside of the hosted cluster. */
export interface StatusWriter {
  readonly client: Client;
  readonly clock: Clock;
  /** The node counts this operator last wrote into control planes. */
  readonly nodeCountWrites: OwnWrites<HostedControlPlane>;
}

/** Writes our part of the status when it differs; the rest belongs to the operator of the control plane. */
export async function writeStatus(
  before: HostedControlPlane,
  { client, clock, nodeCountWrites }: StatusWriter,
  ours: Omit<Partial<HostedControlPlaneStatus>, 'conditions'> & { readonly conditions: readonly ConditionUpdate[] },
): Promise<void> {
  const { generation: observedGeneration = 0 } = before.metadata;
  const conditions = ours.conditions.reduce<readonly Condition[]>(
    (list, update) => setCondition(list, extended(update, { observedGeneration }), timestamp(clock)),
    before.status?.conditions ?? [],
  );
  const status = { initialized: false, ready: false, ...before.status, ...ours, conditions: [...conditions] };
  const after = { ...before, status };
  nodeCountWrites.record(after);
  if (deepEqual(before.status, status)) return;
  // Whole, which its resource version locks: a merge patch cannot set null, and a version may need it.
  await new Converger({ client }).replaceStatus(HOSTED_CONTROL_PLANES, after);
}

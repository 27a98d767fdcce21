import type { NodePoolConditionType } from '@capstan/hosting';
import {
  CURRENT_CONFIG_ONLY_ANNOTATION,
  DRAIN_BLOCKED_ANNOTATION,
  MACHINE_TEMPLATE_ANNOTATION,
  NODE_POOL_CONDITIONS,
  NODE_POOL_REASONS,
  UPGRADE_FAILURE_ANNOTATION,
  UPGRADE_PROGRESS_ANNOTATION,
} from '@capstan/hosting';
import type { ConditionValue, ConditionSet } from '../conditions.js';
import type { Rollout } from '../config/rollout.js';
import type { Snapshot } from '../snapshot.js';
import { reportedVersion } from '../machines/current-version.js';

/** The reason by which Cluster API reports drains of Machines. */
const DRAINING = 'DrainingNode';
const QUIET: ConditionValue = { status: 'False', reason: NODE_POOL_REASONS.asExpected };

/** The progress of an update; of an in-place upgrade, what its controller reports. */
function progress({ existing, nodePool }: Snapshot, message: string): ConditionValue {
  const annotations = existing.machineSet?.metadata.annotations ?? {};
  const isInPlace = nodePool.spec.management.upgradeType === 'InPlace';
  const failure = isInPlace ? annotations[UPGRADE_FAILURE_ANNOTATION] : undefined;
  if (failure !== undefined)
    return { status: 'False', reason: 'InplaceUpgradeFailed', message: failure, isFault: true };
  const blocked = isInPlace ? annotations[DRAIN_BLOCKED_ANNOTATION] : undefined;
  if (blocked !== undefined)
    return { status: 'True', reason: DRAINING, message: blocked, events: [{ reason: DRAINING, message: blocked }] };
  const reported = isInPlace ? annotations[UPGRADE_PROGRESS_ANNOTATION] : undefined;
  return { status: 'True', reason: NODE_POOL_REASONS.asExpected, message: reported ?? message };
}

/** UpdatingConfig and UpdatingVersion. */
export function setUpdates(snapshot: Snapshot, rollout: Rollout, conditions: ConditionSet): void {
  const { nodePool } = snapshot;
  const { hashWithoutVersion, version } = rollout;
  const update = (type: NodePoolConditionType, isOn: boolean, message: string): void =>
    conditions.set(type, isOn ? progress(snapshot, message) : QUIET);
  const config = nodePool.metadata.annotations?.[CURRENT_CONFIG_ONLY_ANNOTATION];
  update(
    NODE_POOL_CONDITIONS.updatingConfig,
    config !== hashWithoutVersion,
    `Updating config in progress. Target config: ${hashWithoutVersion}`,
  );
  update(
    NODE_POOL_CONDITIONS.updatingVersion,
    reportedVersion(snapshot) !== version,
    `Updating version in progress. Target version: ${version}`,
  );
}

/** All machines are up to date: set in the same reconcile that records it, since the next may be long away. */
export function setUpdated(conditions: ConditionSet): void {
  for (const type of [
    NODE_POOL_CONDITIONS.updatingConfig,
    NODE_POOL_CONDITIONS.updatingVersion,
    NODE_POOL_CONDITIONS.updatingTemplate,
  ])
    if (conditions.get(type) !== undefined) conditions.set(type, QUIET);
}

/** UpdatingPlatformMachineTemplate. */
export function setTemplateUpdate({ nodePool }: Snapshot, target: string, conditions: ConditionSet): void {
  const current = nodePool.metadata.annotations?.[MACHINE_TEMPLATE_ANNOTATION];
  const message = `platform machine template update in progress. Target template: ${target}`;
  conditions.set(
    NODE_POOL_CONDITIONS.updatingTemplate,
    current === target ? QUIET : { status: 'True', reason: NODE_POOL_REASONS.asExpected, message },
  );
}

import {
  CURRENT_CONFIG_ONLY_ANNOTATION,
  DRAIN_BLOCKED_ANNOTATION,
  MACHINE_TEMPLATE_ANNOTATION,
  UPGRADE_FAILURE_ANNOTATION,
  UPGRADE_PROGRESS_ANNOTATION,
} from '@capstan/hosting';
import { REASONS, TYPES } from '../conditions.js';
import type { ConditionType, Saying, Sayings } from '../conditions.js';
import type { Rollout } from '../config/rollout.js';
import type { Facts } from '../facts.js';
import { toldVersion } from '../machines/current-version.js';

/** The reason by which Cluster API reports drains of Machines. */
const DRAINING = 'DrainingNode';
const QUIET: Saying = { status: 'False', reason: REASONS.asExpected };

/** How an update goes; whoever upgrades nodes in place knows better than we do. */
function progress({ made, nodePool }: Facts, message: string): Saying {
  const annotations = made.machineSet?.metadata.annotations ?? {};
  const isInPlace = nodePool.spec.management.upgradeType === 'InPlace';
  const failure = isInPlace ? annotations[UPGRADE_FAILURE_ANNOTATION] : undefined;
  if (failure !== undefined)
    return { status: 'False', reason: 'InplaceUpgradeFailed', message: failure, isFault: true };
  const blocked = isInPlace ? annotations[DRAIN_BLOCKED_ANNOTATION] : undefined;
  if (blocked !== undefined)
    return { status: 'True', reason: DRAINING, message: blocked, news: [{ reason: DRAINING, message: blocked }] };
  const told = isInPlace ? annotations[UPGRADE_PROGRESS_ANNOTATION] : undefined;
  return { status: 'True', reason: REASONS.asExpected, message: told ?? message };
}

/** UpdatingConfig and UpdatingVersion. */
export function sayUpdates(facts: Facts, rollout: Rollout, said: Sayings): void {
  const { nodePool } = facts;
  const { hashWithoutVersion, version } = rollout;
  const update = (type: ConditionType, isOn: boolean, message: string): void =>
    said.say(type, isOn ? progress(facts, message) : QUIET);
  const config = nodePool.metadata.annotations?.[CURRENT_CONFIG_ONLY_ANNOTATION];
  update(
    TYPES.updatingConfig,
    config !== hashWithoutVersion,
    `Updating config in progress. Target config: ${hashWithoutVersion}`,
  );
  update(
    TYPES.updatingVersion,
    toldVersion(facts) !== version,
    `Updating version in progress. Target version: ${version}`,
  );
}

/** All machines have it all, which the pool comes to remember in this very step: there may be no other for long. */
export function sayUpdated(said: Sayings): void {
  for (const type of [TYPES.updatingConfig, TYPES.updatingVersion, TYPES.updatingTemplate])
    if (said.get(type) !== undefined) said.say(type, QUIET);
}

/** UpdatingPlatformMachineTemplate. */
export function sayTemplateUpdate({ nodePool }: Facts, target: string, said: Sayings): void {
  const current = nodePool.metadata.annotations?.[MACHINE_TEMPLATE_ANNOTATION];
  const message = `platform machine template update in progress. Target template: ${target}`;
  said.say(
    TYPES.updatingTemplate,
    current === target ? QUIET : { status: 'True', reason: REASONS.asExpected, message },
  );
}

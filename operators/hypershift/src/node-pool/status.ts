import type { MachineDeployment, MachineSet } from '@capstan/api/cluster-api';
import type { NodePoolStatus } from '@capstan/api/hypershift';
import {
  CURRENT_CONFIG_ANNOTATION,
  CURRENT_CONFIG_ONLY_ANNOTATION,
  MACHINE_TEMPLATE_ANNOTATION,
  NODE_POOL_CONDITIONS,
  NODE_POOL_REASONS,
} from '@capstan/hosting';
import type { Condition, ConditionStatus } from '@capstan/meta';
import type { ConditionValue, ConditionSet } from './conditions.js';
import type { Rollout } from './config/rollout.js';
import type { Snapshot } from './snapshot.js';
import { isInPlace, reportedVersion } from './machines/current-version.js';
import { nodesInfo } from './machines/node-versions.js';

/** Status and annotations of a NodePool, without its conditions. */
export interface Findings {
  /** Fields of its status. */
  readonly status: Partial<NodePoolStatus>;
  /** Annotations that record what its machines have. */
  readonly annotations: Readonly<Record<string, string>>;
}

export const NOTHING_FOUND: Findings = { status: {}, annotations: {} };

/** Status fields that are read from machines even while a check fails; never from the status, which any client may write. */
export function seenStatus(snapshot: Snapshot): Partial<NodePoolStatus> {
  const { machineDeployment, machines, machineSet } = snapshot.existing;
  const set = isInPlace(snapshot.nodePool) ? machineSet : machineDeployment;
  const version = reportedVersion(snapshot);
  const info = nodesInfo(snapshot.nodePool, machines);
  return {
    ...(version === undefined ? {} : { version }),
    ...(set === undefined ? {} : { replicas: set.status?.availableReplicas ?? 0 }),
    ...(info === undefined ? {} : { nodesInfo: info }),
  };
}

/** All machines have what they are to have. */
export function rolledOut({ hash, hashWithoutVersion, version }: Rollout, template: string | undefined): Findings {
  return {
    status: { version },
    annotations: {
      [CURRENT_CONFIG_ANNOTATION]: hash,
      [CURRENT_CONFIG_ONLY_ANNOTATION]: hashWithoutVersion,
      ...(template === undefined ? {} : { [MACHINE_TEMPLATE_ANNOTATION]: template }),
    },
  };
}

/** Ready of a set: of v1beta1 while Cluster API writes it, or else the nearest condition of v1beta2. */
function readyOf({ status }: MachineDeployment | MachineSet): ConditionValue | undefined {
  const old = status?.deprecated?.v1beta1?.conditions?.find(({ type }) => type === 'Ready');
  const conditions = (status?.conditions ?? []) as readonly Condition[];
  const found = old ?? conditions.find(({ type }) => type === 'Available' || type === 'MachinesReady');
  if (found === undefined) return undefined;
  const { message = '', reason = '' } = found;
  return {
    status: found.status as ConditionStatus,
    reason: reason === '' ? NODE_POOL_REASONS.asExpected : reason,
    message,
  };
}

/** Sets Ready from the machines; False where too many are unhealthy for any to be replaced. */
export function setReady(
  { existing, nodePool }: Snapshot,
  set: MachineDeployment | MachineSet,
  conditions: ConditionSet,
): void {
  const ready = readyOf(set);
  if (ready !== undefined) conditions.set(NODE_POOL_CONDITIONS.ready, ready);
  if (nodePool.spec.management.autoRepair !== true) return;
  for (const { status } of existing.healthChecks) {
    const refused = status?.conditions?.find(({ type }) => type === 'RemediationAllowed');
    if (refused?.status !== 'False') continue;
    conditions.set(NODE_POOL_CONDITIONS.ready, { status: 'False', reason: refused.reason, message: refused.message });
  }
}

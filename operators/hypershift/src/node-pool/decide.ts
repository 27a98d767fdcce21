import { minOf } from '@capstan/meta';
import type { MachineDeployment, MachineSet } from '@capstan/api/cluster-api';
import {
  MACHINE_DEPLOYMENTS,
  MACHINE_SETS,
  NODE_POOL_CONDITIONS,
  NODE_POOL_REASONS,
  nodePoolPause,
  PAUSED_ANNOTATION,
} from '@capstan/hosting';
import { changeTo } from '@capstan/kube';
import type { Change } from '@capstan/kube';
import type { MachineTemplate, NodePoolInputs } from '@capstan/provider';
import { SECRETS } from '../kinds.js';
import { joined } from './checks/check.js';
import type { Check } from './checks/check.js';
import { ignitionEndpoint, setIgnition } from './checks/ignition.js';
import { releaseImage, versionSkew } from './checks/release.js';
import {
  active,
  architecture,
  autoscaling,
  clusterStays,
  controlPlaneAnswers,
  management,
  platform,
  platformSettings,
} from './checks/settings.js';
import { setTemplateUpdate, setUpdated, setUpdates } from './checks/updating.js';
import { conditionOf, ConditionSet } from './conditions.js';
import { tuningOf } from './config/documents.js';
import { rolloutOf } from './config/rollout.js';
import type { Rollout } from './config/rollout.js';
import { tuningMaps } from './config/tuning-maps.js';
import type { Snapshot } from './snapshot.js';
import { healthChecks } from './machines/health-check.js';
import { labelMachines } from './machines/labels.js';
import { desiredMachineDeployment, isRolledOut } from './machines/machine-deployment.js';
import { desiredMachineSet, isUpgraded } from './machines/machine-set.js';
import { setReadiness } from './machines/readiness.js';
import { isUpdating, withEntries } from './machines/shared.js';
import { remediateMachines } from './machines/stuck.js';
import type { MachinePlan } from './machines/shared.js';
import { companionChanges, templateChanges, collectTemplates, desiredTemplate, inputsOf } from './machines/template.js';
import type { Templated } from './machines/template.js';
import { resourceLabel, tokenName, userDataName } from './names.js';

import { collectSecrets } from './secrets/collect.js';
import { desiredToken, tokenOf } from './secrets/token.js';
import { desiredUserData } from './secrets/user-data.js';
import { NOTHING_FOUND, rolledOut, setReady, seenStatus } from './status.js';
import type { Findings } from './status.js';

/** The changes to write for a NodePool, and its status. */
export interface Decision {
  readonly conditions: ConditionSet;
  /** In the order they are written. */
  readonly changes: readonly Change[];
  readonly findings: Findings;
  /** When to look again though nothing happens; undefined when never. */
  readonly againInMs?: number | undefined;
}

/** In the order of HyperShift. The first check that fails ends the list: the others depend on it. */
const CHECKS: readonly Check[] = [
  clusterStays,
  platform,
  autoscaling,
  management,
  releaseImage,
  ignitionEndpoint,
  architecture,
  active,
  versionSkew,
  controlPlaneAnswers,
];

/** Decides everything about a NodePool from its snapshot, and reads nothing. */
export function decide(snapshot: Snapshot): Decision {
  const conditions = new ConditionSet();
  const { pause } = nodePoolPause(snapshot);
  const decided = CHECKS.every((check) => check(snapshot, conditions))
    ? decideMachines(snapshot, conditions)
    : undefined;
  const drainInMs = setReadiness(snapshot, conditions);
  const { annotations, status } = decided?.findings ?? NOTHING_FOUND;
  const seen = seenStatus(snapshot);
  const findings = { annotations, status: { ...seen, ...status } };
  if (!pause.isPaused)
    return { conditions, changes: [], ...decided, findings, againInMs: sooner(decided?.againInMs, drainInMs) };
  active(snapshot, conditions);
  const againInMs = pause.untilMs === undefined ? undefined : pause.untilMs - snapshot.nowMs;
  return { conditions, changes: pauseAll(snapshot), findings: { annotations: {}, status: seen }, againInMs };
}

function sooner(...times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((ms) => ms !== undefined);
  return known.length === 0 ? undefined : minOf(known);
}

/** Cluster API does not reconcile objects with the paused annotation. */
function pauseAll({ existing }: Snapshot): readonly Change[] {
  const pause = (set: MachineDeployment | MachineSet): MachineDeployment | MachineSet => ({
    ...set,
    metadata: { ...set.metadata, annotations: withEntries(set.metadata.annotations, { [PAUSED_ANNOTATION]: 'true' }) },
  });
  const { machineDeployment, machineSet } = existing;
  return [
    ...(machineSet === undefined ? [] : changeTo(MACHINE_SETS, machineSet, pause(machineSet))),
    ...(machineDeployment === undefined
      ? []
      : changeTo(MACHINE_DEPLOYMENTS, machineDeployment, pause(machineDeployment))),
  ];
}

type Decided = Pick<Decision, 'againInMs' | 'changes' | 'findings'>;

/** Configuration, then secrets, then machines. */
function decideMachines(snapshot: Snapshot, conditions: ConditionSet): Decided | undefined {
  const rollout = checkConfig(snapshot, conditions);
  if (rollout === undefined) return undefined;
  const { name = '' } = snapshot.nodePool.metadata;
  const byName = (wanted: string) => snapshot.existing.secrets.find(({ metadata }) => metadata.name === wanted);
  const tokenBefore = byName(tokenName(name, rollout.hash));
  setUpdates(snapshot, rollout, conditions);
  setIgnition(snapshot, tokenBefore, conditions);
  const tuning = checkTuning(snapshot, conditions);
  if (tuning === undefined || !platformSettings(snapshot, conditions)) return undefined;
  const token = desiredToken(snapshot, rollout, tokenBefore);
  const userDataBefore = byName(userDataName(name, rollout.hash));
  const userData = desiredUserData(snapshot, { hash: rollout.hash, token: tokenOf(token) }, userDataBefore);
  const secrets = [...changeTo(SECRETS, tokenBefore, token), ...changeTo(SECRETS, userDataBefore, userData)];
  const machines = decideClusterApi(snapshot, rollout, conditions);
  if (machines === undefined) return undefined;
  const current = new Set([token.metadata.name ?? '', userData.metadata.name ?? '']);
  const collected = collectSecrets(snapshot, current);
  return {
    changes: [...secrets, ...tuning, ...machines.changes, ...collected.changes],
    findings: machines.findings,
    againInMs: collected.againInMs,
  };
}

/** ValidMachineConfig. */
function checkConfig(snapshot: Snapshot, conditions: ConditionSet): Rollout | undefined {
  if ('error' in snapshot.release) return undefined;
  const rollout = rolloutOf(snapshot, snapshot.release.payload);
  if ('problems' in rollout) {
    conditions.setFault(NODE_POOL_CONDITIONS.machineConfig, joined(rollout.problems));
    return undefined;
  }
  conditions.setTrue(NODE_POOL_CONDITIONS.machineConfig);
  return rollout;
}

/** ValidTuningConfig, where there is a node tuning operator to read it. */
function checkTuning(snapshot: Snapshot, conditions: ConditionSet): readonly Change[] | undefined {
  const { capabilities } = snapshot.hostedCluster.spec;
  if (capabilities?.disabled?.includes('NodeTuning') === true) return [];
  const tuning = tuningOf(snapshot.tuning);
  if ('problems' in tuning) {
    conditions.setFault(NODE_POOL_CONDITIONS.tuningConfig, joined(tuning.problems));
    return undefined;
  }
  conditions.setTrue(NODE_POOL_CONDITIONS.tuningConfig);
  return tuningMaps(snapshot, tuning);
}

/** The objects of Cluster API; on a platform without machine templates there are none, and the user data is all. */
function decideClusterApi(snapshot: Snapshot, rollout: Rollout, conditions: ConditionSet): Decided | undefined {
  const inputs = inputsOf(snapshot);
  if (inputs === undefined) return undefined;
  const template = snapshot.platform?.machineTemplate;
  if (template === undefined) {
    conditions.setTrue(NODE_POOL_CONDITIONS.ready);
    setUpdated(conditions);
    return { changes: [], findings: rolledOut(rollout, undefined) };
  }
  const outcome = checkTemplate(snapshot, template, inputs, conditions);
  if (outcome === undefined) return undefined;
  const plan = planOf(snapshot, rollout, inputs, outcome);
  setTemplateUpdate(snapshot, plan.template.name, conditions);
  const set = decideSet(snapshot, plan, rollout, conditions);
  return {
    changes: [
      ...companionChanges(snapshot, inputs),
      ...templateChanges(outcome, snapshot.existing.templates),
      ...set.changes,
      ...decideHealthChecks(snapshot, plan, conditions),
      ...remediateMachines(snapshot),
      ...collectTemplates(snapshot, plan.template),
    ],
    findings: set.findings,
  };
}

/** ValidMachineTemplate: there only while there is something wrong. */
function checkTemplate(
  snapshot: Snapshot,
  template: MachineTemplate,
  inputs: NodePoolInputs,
  conditions: ConditionSet,
): Templated | undefined {
  const { key, missingKinds } = snapshot;
  const missing = `this cluster does not serve ${missingKinds.join(', ')}: install the CRDs of the platform`;
  const outcome = missingKinds.length > 0 ? { problems: [missing] } : desiredTemplate(template, inputs, key);
  if (!('problems' in outcome)) {
    conditions.remove(NODE_POOL_CONDITIONS.machineTemplate);
    return outcome;
  }
  conditions.setFault(NODE_POOL_CONDITIONS.machineTemplate, joined(outcome.problems));
  return undefined;
}

/** What machines are to be made from. */
function planOf(
  { controlPlaneNamespace, key, nodePool, platform: known }: Snapshot,
  { hash, version }: Rollout,
  inputs: NodePoolInputs,
  { object, template }: Templated,
): MachinePlan {
  const { name = '' } = nodePool.metadata;
  return {
    pool: nodePool,
    key,
    namespace: controlPlaneNamespace,
    infraID: inputs.infraID,
    label: resourceLabel(inputs.infraID, nodePool.spec.clusterName, name),
    version,
    hash,
    userData: userDataName(name, hash),
    template: { kind: template.kind, name: object.metadata.name ?? '' },
    failureDomain: template.failureDomain?.(inputs),
    isInterruptible: known?.nodePools.isInterruptible?.(inputs) ?? false,
    scalesFromZero: known?.nodePools.scalesFromZero ?? false,
    capacity: known?.nodePools.capacity?.(inputs),
  };
}

/** The MachineDeployment or MachineSet, and what its status means for the NodePool once its spec is up to date. */
function decideSet(snapshot: Snapshot, plan: MachinePlan, rollout: Rollout, conditions: ConditionSet): Decided {
  const { machineDeployment, machineSet, machines } = snapshot.existing;
  const isInPlace = snapshot.nodePool.spec.management.upgradeType === 'InPlace';
  const set = isInPlace ? machineSet : machineDeployment;
  const changes = isInPlace
    ? changeTo(MACHINE_SETS, machineSet, desiredMachineSet(plan, machineSet))
    : [
        ...changeTo(MACHINE_DEPLOYMENTS, machineDeployment, desiredMachineDeployment(plan, machineDeployment)),
        ...labelMachines(snapshot.nodePool, machines),
      ];
  if (set === undefined) return { changes, findings: NOTHING_FOUND };
  setReady(snapshot, set, conditions);
  const isCurrent = set.spec !== undefined && !isUpdating(plan, set.spec.template);
  const isDone = isCurrent && isEveryMachineDone(snapshot, isInPlace);
  if (isDone) setUpdated(conditions);
  return { changes, findings: isDone ? rolledOut(rollout, plan.template.name) : NOTHING_FOUND };
}

/** Whether every machine matches the template of its set. */
function isEveryMachineDone({ existing: { machineDeployment, machineSet } }: Snapshot, isInPlace: boolean): boolean {
  if (isInPlace) return machineSet !== undefined && isUpgraded(machineSet);
  return machineDeployment !== undefined && isRolledOut(machineDeployment);
}

/** AutorepairEnabled. */
function decideHealthChecks(snapshot: Snapshot, plan: MachinePlan, conditions: ConditionSet): readonly Change[] {
  const reached =
    conditions.get(NODE_POOL_CONDITIONS.reachedIgnition) ??
    conditionOf(snapshot.nodePool, NODE_POOL_CONDITIONS.reachedIgnition);
  const isReached = reached?.status === 'True';
  const { name } = snapshot.nodePool.metadata;
  const isLookedAfter = isReached || snapshot.existing.healthChecks.some(({ metadata }) => metadata.name === name);
  if (snapshot.nodePool.spec.management.autoRepair !== true)
    conditions.set(NODE_POOL_CONDITIONS.autorepair, { status: 'False', reason: NODE_POOL_REASONS.asExpected });
  else if (isLookedAfter) conditions.setTrue(NODE_POOL_CONDITIONS.autorepair);
  else {
    const message = 'MachineHealthCheck is created once a machine has reached the ignition endpoint';
    conditions.set(NODE_POOL_CONDITIONS.autorepair, { status: 'False', reason: 'ignitionNotReached', message });
  }
  return healthChecks(snapshot, plan, isReached);
}

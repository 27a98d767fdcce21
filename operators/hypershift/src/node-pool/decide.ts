import { minOf } from '@capstan/meta';
import type { MachineDeployment, MachineSet } from '@capstan/api/cluster-api';
import { MACHINE_DEPLOYMENTS, MACHINE_SETS, nodePoolPause, PAUSED_ANNOTATION } from '@capstan/hosting';
import { changeTo } from '@capstan/kube';
import type { Change } from '@capstan/kube';
import type { MachineTemplate, NodePoolInputs } from '@capstan/provider';
import { SECRETS } from '../kinds.js';
import { joined } from './checks/check.js';
import type { Check } from './checks/check.js';
import { ignitionEndpoint, sayIgnition } from './checks/ignition.js';
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
import { sayTemplateUpdate, sayUpdated, sayUpdates } from './checks/updating.js';
import { conditionOf, REASONS, Sayings, TYPES } from './conditions.js';
import { tuningOf } from './config/documents.js';
import { rolloutOf } from './config/rollout.js';
import type { Rollout } from './config/rollout.js';
import { tuningMaps } from './config/tuning-maps.js';
import type { Facts } from './facts.js';
import { healthChecks } from './machines/health-check.js';
import { labelMachines } from './machines/labels.js';
import { desiredMachineDeployment, isRolledOut } from './machines/machine-deployment.js';
import { desiredMachineSet, isUpgraded } from './machines/machine-set.js';
import { sayReadiness } from './machines/readiness.js';
import { isUpdating, withWords } from './machines/shared.js';
import { replaceBereft } from './machines/stuck.js';
import type { MachinePlan } from './machines/shared.js';
import { bringCompanions, bringTemplate, collectTemplates, desiredTemplate, inputsOf } from './machines/template.js';
import type { Templated } from './machines/template.js';
import { resourceLabel, tokenName, userDataName } from './names.js';

import { collectSecrets } from './secrets/collect.js';
import { desiredToken, tokenOf } from './secrets/token.js';
import { desiredUserData } from './secrets/user-data.js';
import { NOTHING_FOUND, rolledOut, sayReady, seenStatus } from './status.js';
import type { Findings } from './status.js';

/** What is to be done about a pool, and what is to be said of it. */
export interface Decision {
  readonly said: Sayings;
  /** In the order they are written. */
  readonly changes: readonly Change[];
  readonly findings: Findings;
  /** When to look again though nothing happens; undefined when never. */
  readonly againInMs?: number | undefined;
}

/** In the order of the field. One that says no ends the list: what follows needs it. */
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

/** Decides everything about a pool from what was read, and reads nothing. */
export function decide(facts: Facts): Decision {
  const said = new Sayings();
  const { pause } = nodePoolPause(facts);
  const decided = CHECKS.every((check) => check(facts, said)) ? decideMachines(facts, said) : undefined;
  const drainInMs = sayReadiness(facts, said);
  const { annotations, status } = decided?.findings ?? NOTHING_FOUND;
  const seen = seenStatus(facts);
  const findings = { annotations, status: { ...seen, ...status } };
  if (!pause.isPaused)
    return { said, changes: [], ...decided, findings, againInMs: sooner(decided?.againInMs, drainInMs) };
  active(facts, said);
  const againInMs = pause.untilMs === undefined ? undefined : pause.untilMs - facts.nowMs;
  return { said, changes: pauseAll(facts), findings: { annotations: {}, status: seen }, againInMs };
}

function sooner(...times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((ms) => ms !== undefined);
  return known.length === 0 ? undefined : minOf(known);
}

/** Cluster API leaves alone what is annotated so. */
function pauseAll({ made }: Facts): readonly Change[] {
  const pause = (set: MachineDeployment | MachineSet): MachineDeployment | MachineSet => ({
    ...set,
    metadata: { ...set.metadata, annotations: withWords(set.metadata.annotations, { [PAUSED_ANNOTATION]: 'true' }) },
  });
  const { machineDeployment, machineSet } = made;
  return [
    ...(machineSet === undefined ? [] : changeTo(MACHINE_SETS, machineSet, pause(machineSet))),
    ...(machineDeployment === undefined
      ? []
      : changeTo(MACHINE_DEPLOYMENTS, machineDeployment, pause(machineDeployment))),
  ];
}

type Decided = Pick<Decision, 'againInMs' | 'changes' | 'findings'>;

/** Configuration, then secrets, then machines. */
function decideMachines(facts: Facts, said: Sayings): Decided | undefined {
  const rollout = sayConfig(facts, said);
  if (rollout === undefined) return undefined;
  const { name = '' } = facts.nodePool.metadata;
  const byName = (wanted: string) => facts.made.secrets.find(({ metadata }) => metadata.name === wanted);
  const tokenBefore = byName(tokenName(name, rollout.hash));
  sayUpdates(facts, rollout, said);
  sayIgnition(facts, tokenBefore, said);
  const tuning = sayTuning(facts, said);
  if (tuning === undefined || !platformSettings(facts, said)) return undefined;
  const token = desiredToken(facts, rollout, tokenBefore);
  const userDataBefore = byName(userDataName(name, rollout.hash));
  const userData = desiredUserData(facts, { hash: rollout.hash, token: tokenOf(token) }, userDataBefore);
  const secrets = [...changeTo(SECRETS, tokenBefore, token), ...changeTo(SECRETS, userDataBefore, userData)];
  const machines = bringMachines(facts, rollout, said);
  if (machines === undefined) return undefined;
  const current = new Set([token.metadata.name ?? '', userData.metadata.name ?? '']);
  const collected = collectSecrets(facts, current);
  return {
    changes: [...secrets, ...tuning, ...machines.changes, ...collected.changes],
    findings: machines.findings,
    againInMs: collected.againInMs,
  };
}

/** ValidMachineConfig. */
function sayConfig(facts: Facts, said: Sayings): Rollout | undefined {
  if ('error' in facts.release) return undefined;
  const rollout = rolloutOf(facts, facts.release.payload);
  if ('problems' in rollout) {
    said.fault(TYPES.machineConfig, joined(rollout.problems));
    return undefined;
  }
  said.good(TYPES.machineConfig);
  return rollout;
}

/** ValidTuningConfig, where there is a node tuning operator to read it. */
function sayTuning(facts: Facts, said: Sayings): readonly Change[] | undefined {
  const { capabilities } = facts.hostedCluster.spec;
  if (capabilities?.disabled?.includes('NodeTuning') === true) return [];
  const tuning = tuningOf(facts.tuning);
  if ('problems' in tuning) {
    said.fault(TYPES.tuningConfig, joined(tuning.problems));
    return undefined;
  }
  said.good(TYPES.tuningConfig);
  return tuningMaps(facts, tuning);
}

/** Everything of Cluster API; where a platform has none, whoever uses the user data has what is to be had. */
function bringMachines(facts: Facts, rollout: Rollout, said: Sayings): Decided | undefined {
  const inputs = inputsOf(facts);
  if (inputs === undefined) return undefined;
  const template = facts.platform?.machineTemplate;
  if (template === undefined) {
    said.good(TYPES.ready);
    sayUpdated(said);
    return { changes: [], findings: rolledOut(rollout, undefined) };
  }
  const outcome = sayTemplate(facts, template, inputs, said);
  if (outcome === undefined) return undefined;
  const plan = planOf(facts, rollout, inputs, outcome);
  sayTemplateUpdate(facts, plan.template.name, said);
  const set = bringSet(facts, plan, rollout, said);
  return {
    changes: [
      ...bringCompanions(facts, inputs),
      ...bringTemplate(outcome, facts.made.templates),
      ...set.changes,
      ...sayAutorepair(facts, plan, said),
      ...replaceBereft(facts),
      ...collectTemplates(facts, plan.template),
    ],
    findings: set.findings,
  };
}

/** ValidMachineTemplate: there only while there is something wrong. */
function sayTemplate(
  facts: Facts,
  template: MachineTemplate,
  inputs: NodePoolInputs,
  said: Sayings,
): Templated | undefined {
  const { key, missingKinds } = facts;
  const missing = `this cluster does not serve ${missingKinds.join(', ')}: install the definitions of the platform`;
  const outcome = missingKinds.length > 0 ? { problems: [missing] } : desiredTemplate(template, inputs, key);
  if (!('problems' in outcome)) {
    said.retract(TYPES.machineTemplate);
    return outcome;
  }
  said.fault(TYPES.machineTemplate, joined(outcome.problems));
  return undefined;
}

/** What machines are to be made from. */
function planOf(
  { controlPlaneNamespace, key, nodePool, platform: known }: Facts,
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

/** The MachineDeployment or the MachineSet, and what it says of the pool. Judged only once it is as it should be. */
function bringSet(facts: Facts, plan: MachinePlan, rollout: Rollout, said: Sayings): Decided {
  const { machineDeployment, machineSet, machines } = facts.made;
  const isInPlace = facts.nodePool.spec.management.upgradeType === 'InPlace';
  const set = isInPlace ? machineSet : machineDeployment;
  const changes = isInPlace
    ? changeTo(MACHINE_SETS, machineSet, desiredMachineSet(plan, machineSet))
    : [
        ...changeTo(MACHINE_DEPLOYMENTS, machineDeployment, desiredMachineDeployment(plan, machineDeployment)),
        ...labelMachines(facts.nodePool, machines),
      ];
  if (set === undefined) return { changes, findings: NOTHING_FOUND };
  sayReady(facts, set, said);
  const isCurrent = set.spec !== undefined && !isUpdating(plan, set.spec.template);
  const isDone = isCurrent && isEveryMachineDone(facts, isInPlace);
  if (isDone) sayUpdated(said);
  return { changes, findings: isDone ? rolledOut(rollout, plan.template.name) : NOTHING_FOUND };
}

/** Whether every machine is what its set says. */
function isEveryMachineDone({ made: { machineDeployment, machineSet } }: Facts, isInPlace: boolean): boolean {
  if (isInPlace) return machineSet !== undefined && isUpgraded(machineSet);
  return machineDeployment !== undefined && isRolledOut(machineDeployment);
}

/** AutorepairEnabled. */
function sayAutorepair(facts: Facts, plan: MachinePlan, said: Sayings): readonly Change[] {
  const reached = said.get(TYPES.reachedIgnition) ?? conditionOf(facts.nodePool, TYPES.reachedIgnition);
  const isReached = reached?.status === 'True';
  const { name } = facts.nodePool.metadata;
  const isLookedAfter = isReached || facts.made.healthChecks.some(({ metadata }) => metadata.name === name);
  if (facts.nodePool.spec.management.autoRepair !== true)
    said.say(TYPES.autorepair, { status: 'False', reason: REASONS.asExpected });
  else if (isLookedAfter) said.good(TYPES.autorepair);
  else {
    const message = 'machines are looked after as soon as one of them has got its configuration';
    said.say(TYPES.autorepair, { status: 'False', reason: 'ignitionNotReached', message });
  }
  return healthChecks(facts, plan, isReached);
}

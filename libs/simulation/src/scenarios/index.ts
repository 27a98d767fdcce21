import type { Scenario } from '../scenario.js';
import { clusterApiScenario } from './cluster-api.js';
import { autoscalerScenario } from './autoscaler.js';
import { deploymentScenario, twoLeadersScenario } from './deployments.js';
import { garbageScenario, namespaceScenario } from './garbage.js';
import { machineScenario } from './machines/scenario.js';
import { leaders } from './leaders.js';
import { operatorScenario } from './operator.js';
import { machineApiScenario } from './machine-api.js';

/** Every scenario that runs our own controllers. All of them must hold for every seed. */
export const scenarios: readonly Scenario[] = [
  deploymentScenario,
  twoLeadersScenario,
  namespaceScenario,
  garbageScenario,
  machineScenario,
  leaders(true),
  operatorScenario,
  clusterApiScenario,
  machineApiScenario,
  autoscalerScenario,
];

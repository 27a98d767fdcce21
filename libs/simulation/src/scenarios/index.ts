import type { Scenario } from '../run/scenario.js';
import { deploymentScenario, twoLeadersScenario } from './deployments.js';
import { garbageScenario, namespaceScenario } from './garbage.js';
import { machineScenario } from './machines/scenario.js';

/** Every scenario that runs our own controllers. All of them must hold for every seed. */
export const scenarios: readonly Scenario[] = [
  deploymentScenario,
  twoLeadersScenario,
  namespaceScenario,
  garbageScenario,
  machineScenario,
];

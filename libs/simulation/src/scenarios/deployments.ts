import { controllerOf } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { collectedOracles } from '../oracles/general.js';
import { noHotLoop } from '../oracles/liveness.js';
import type { Scenario, Step, SimulationState } from '../scenario.js';
import { collectorProcess, deploymentProcess, nodeProcess, schedulerProcess } from './processes.js';
import { deployment, DEPLOYMENTS } from './resources.js';
import type { DeploymentObject } from './resources.js';

const IN_DEFAULT = { namespace: 'default' };

function create(name: string, replicas: number): Step {
  return {
    name: `create ${name}`,
    run: ({ client }) => client.create(DEPLOYMENTS, deployment('default', name, replicas, 'app:1')),
  };
}

function patch(what: string, name: string, spec: object): Step {
  return {
    name: `${what} ${name}`,
    // Gone or never made, when the step that makes it is left out.
    run: ({ client }) => client.patch(DEPLOYMENTS, name, { type: 'merge', value: { spec } }, IN_DEFAULT),
  };
}

function roll(name: string, image: string): Step {
  const template = { spec: { containers: [{ name: 'main', image }] } };
  return patch(`roll to ${image}`, name, { template });
}

function remove(name: string): Step {
  const options = { ...IN_DEFAULT, propagationPolicy: 'Background' } as const;
  return { name: `delete ${name}`, run: ({ client }) => client.delete(DEPLOYMENTS, name, options) };
}

/** The differences from the spec of the Deployments. */
export function deploymentGoal(state: SimulationState): readonly string[] {
  const sets = new Map(state.of('apps/replicasets').map((set) => [set.metadata.uid ?? '', set]));
  const pods = new Map<string, number>();
  for (const pod of state.of('pods')) {
    const owner = ownerOfSet(sets.get(controllerOf(pod)?.uid ?? ''));
    pods.set(owner, (pods.get(owner) ?? 0) + 1);
  }
  return state
    .of<DeploymentObject>('apps/deployments')
    .flatMap((each) => deploymentProblems(each, pods.get(each.metadata.uid ?? '') ?? 0));
}

function deploymentProblems({ metadata, spec, status }: DeploymentObject, running: number): string[] {
  const wanted = spec?.replicas ?? 1;
  const { observedGeneration, replicas = 0, updatedReplicas = 0, availableReplicas = 0 } = status ?? {};
  const isObserved = observedGeneration === metadata.generation;
  const counts = [running, replicas, updatedReplicas, availableReplicas];
  if (isObserved && counts.every((count) => count === wanted)) return [];
  return [
    `Deployment ${metadata.name ?? ''} wants ${wanted} pods; there are ${running}, and its status has ${replicas}, ` +
      `updated ${updatedReplicas}, available ${availableReplicas}${isObserved ? '' : ', of an earlier generation'}`,
  ];
}

function ownerOfSet(set: KubeObject | undefined): string {
  return (set === undefined ? undefined : controllerOf(set)?.uid) ?? '';
}

/** Deployments that roll, scale and go, while everything around them fails. */
export const deploymentScenario: Scenario = {
  name: 'deployments',
  about: 'Deployments are made, rolled, scaled and deleted under faults and crashes',
  processes: [deploymentProcess(), schedulerProcess(), nodeProcess(), collectorProcess()],
  steps: [
    create('web', 3),
    create('api', 2),
    roll('web', 'app:2'),
    patch('scale', 'api', { replicas: 4 }),
    roll('web', 'app:3'),
    remove('api'),
    patch('scale', 'web', { replicas: 1 }),
  ],
  oracles: collectedOracles,
  faultsForMs: 120_000,
  stepGapMs: 15_000,
  convergeWithinMs: 20 * 60_000,
  quietMs: 5 * 60_000,
  goal: deploymentGoal,
};

/** The same with two processes that both believe to be the only one, until one of them is gone for good. */
export const twoLeadersScenario: Scenario = {
  ...deploymentScenario,
  name: 'two-leaders',
  about: 'Two processes work on the same Deployments at once, until one is gone',
  // While one of them is shown an old state they contradict each other without end: it is why leaders are elected.
  oracles: collectedOracles.filter((oracle) => oracle !== noHotLoop),
  processes: [deploymentProcess('leader-a'), deploymentProcess('leader-b'), ...deploymentScenario.processes.slice(1)],
  steps: [
    ...deploymentScenario.steps,
    { name: 'lose leader-b', run: ({ simulation }) => Promise.resolve(simulation.stop('leader-b')) },
  ],
};

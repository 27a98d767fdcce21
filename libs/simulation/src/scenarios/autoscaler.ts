import type { Pod } from '@capstan/cluster';
import { autoscalerOperator, Cloud, machineApiOperator } from '@capstan/upstream';
import { MACHINE_SETS } from '@capstan/upstream/machine-api';
import type { MachineSet } from '@capstan/upstream/machine-api';
import { cloudOracles } from '../oracles/cloud.js';
import { collectedOracles } from '../oracles/general.js';
import { operatorProcess } from '../runtime/process.js';
import type { Scenario, Step, StepContext, SimulationState } from '../scenario.js';
import { allRunning, machineGoal, machineSnapshot, nodeControllers } from './machine-api.js';
import { machineNodes } from './machine-nodes.js';
import { MACHINE_API_NAMESPACE, machineSetObject } from './machine-objects.js';
import { collectorProcess, deploymentProcess, schedulerProcess } from './processes.js';
import { DEPLOYMENTS, PODS } from './resources.js';
import { until } from './until.js';

const GROUP = 'machine.openshift.io';
const IN_DEFAULT = { namespace: 'default' };
const SIZES = {
  [`${GROUP}/cluster-api-autoscaler-node-group-min-size`]: '1',
  [`${GROUP}/cluster-api-autoscaler-node-group-max-size`]: '4',
};
const FROM_ZERO = {
  [`${GROUP}/cluster-api-autoscaler-node-group-min-size`]: '0',
  [`${GROUP}/cluster-api-autoscaler-node-group-max-size`]: '2',
  'capacity.cluster-autoscaler.kubernetes.io/cpu': '4',
  'capacity.cluster-autoscaler.kubernetes.io/memory': '16Gi',
};

/** The group prefers v1, which has no machines. */
export const AUTOSCALER_ENV: Readonly<Record<string, string>> = { CAPI_GROUP: GROUP, CAPI_VERSION: 'v1beta1' };

/** An autoscaler of Machine API's sets, that is quick to take nodes away. */
export const AUTOSCALER_ARGS: readonly string[] = [
  '--cloud-provider=clusterapi',
  `--node-group-auto-discovery=clusterapi:namespace=${MACHINE_API_NAMESPACE}`,
  `--namespace=${MACHINE_API_NAMESPACE}`,
  '--scale-down-delay-after-add=1m',
  '--scale-down-unneeded-time=2m',
  '--expander=least-waste',
  // A heartbeat, with which the simulation would never be quiet.
  '--write-status-configmap=false',
];

/** Pods that fill half a node each. */
function load(replicas: number): Step {
  const labels = { app: 'load' };
  const containers = [{ name: 'main', image: 'app:1', resources: { requests: { cpu: '1900m', memory: '1Gi' } } }];
  const object = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'load', ...IN_DEFAULT },
    spec: { replicas, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
  };
  return { name: `put load of ${replicas} on`, run: ({ client }) => client.create(DEPLOYMENTS, object) };
}

async function podsRun({ client }: StepContext, count: number): Promise<boolean> {
  const { items } = await client.list<Pod>(PODS, IN_DEFAULT);
  return items.filter(({ status }) => status?.phase === 'Running').length === count;
}

/** Too many pods for one node, then none: nodes come, and go again. */
export const AUTOSCALER_STEPS: readonly Step[] = [
  {
    name: 'create workers',
    run: ({ client }) => client.create(MACHINE_SETS, machineSetObject('workers', 1, { annotations: SIZES })),
  },
  {
    name: 'create spare',
    run: ({ client }) => client.create(MACHINE_SETS, machineSetObject('spare', 0, { annotations: FROM_ZERO })),
  },
  {
    name: 'wait for a worker',
    run: (context) => until('a worker runs', context, () => allRunning(context, 'workers', 1)),
  },
  load(9),
  { name: 'wait for the load', run: (context) => until('all pods run', context, () => podsRun(context, 9)) },
  {
    name: 'take the load off',
    run: ({ client }) => client.delete(DEPLOYMENTS, 'load', { ...IN_DEFAULT, propagationPolicy: 'Background' }),
  },
];

/** In the end no set is larger than it must be. */
export function smallestGoal(state: SimulationState): readonly string[] {
  if (state.of('apps/deployments').length > 0) return [];
  return state.of<MachineSet>('machine.openshift.io/machinesets').flatMap(({ metadata, spec }) => {
    const least = Number(metadata.annotations?.[`${GROUP}/cluster-api-autoscaler-node-group-min-size`]);
    const wanted = spec?.replicas ?? 0;
    return wanted === least ? [] : [`MachineSet ${metadata.name ?? ''} wants ${wanted}, though ${least} would do`];
  });
}

/** Nodes are added for unschedulable pods and removed when they are not needed, while everything around them fails. */
export const autoscalerScenario: Scenario = {
  name: 'autoscaler',
  about: 'An autoscaler grows and shrinks machine sets under faults and crashes',
  snapshot: () => machineSnapshot(true),
  processes: [],
  steps: AUTOSCALER_STEPS,
  oracles: [],
  fixture: (simulation) => {
    const cloud = new Cloud({ clock: simulation.timeline.clock(), random: simulation.random.split('cloud') });
    return {
      processes: [
        operatorProcess(machineApiOperator(cloud), { args: ['--sync-period=2m'], namespace: MACHINE_API_NAMESPACE }),
        operatorProcess(autoscalerOperator, { args: AUTOSCALER_ARGS, env: AUTOSCALER_ENV }),
        machineNodes(cloud),
        nodeControllers,
        // One that is shown a stale state creates pods again that the collector deletes: a scenario of its own.
        { ...deploymentProcess(), isReliable: true },
        schedulerProcess(),
        collectorProcess(),
      ],
      oracles: [...collectedOracles, ...cloudOracles({ cloud, machines: ['machine.openshift.io/machines'] })],
      goal: (state) => [...machineGoal(state, cloud), ...smallestGoal(state)],
    };
  },
  faultsForMs: 8 * 60_000,
  stepGapMs: 30_000,
  convergeWithinMs: 60 * 60_000,
  quietMs: 5 * 60_000,
  goal: () => [],
};

import type { KubeObject } from '@capstan/meta';
import { Cloud, clusterApiOperator, infrastructureOperator, isLiving } from '@capstan/upstream';
import { coreResource, isTrue } from '@capstan/upstream/cluster-api';
import type { CoreKind, Machine, MachineSet } from '@capstan/upstream/cluster-api';
import { cloudOracles } from '../oracles/cloud.js';
import { Guests } from '../guests/guests.js';
import { collectedOracles } from '../oracles/general.js';
import { idempotent } from '../oracles/liveness.js';
import { joinNodes } from '../cluster-api/testing/guest-nodes.js';
import { operatorProcess } from '../runtime/process.js';
import type { Scenario, Step, StepContext, SimulationState } from '../scenario.js';
import {
  CLUSTER,
  clusterApiSnapshot,
  clusterObjects,
  healthCheck,
  HOME,
  machineDeployment,
  machineSet,
  machineSpec,
} from './cluster-api-objects.js';
import { changesNothingAgain } from './cluster-api-again.js';
import { createAll } from './create-all.js';
import { collectorProcess } from './processes.js';
import { until } from './until.js';

const AT_HOME = { namespace: HOME };

function patch(what: string, kind: CoreKind, name: string, value: object): Step {
  return {
    name: what,
    run: ({ client }) => client.patch(coreResource(kind, 'v1beta2'), name, { type: 'merge', value }, AT_HOME),
  };
}

const scale = (kind: CoreKind, name: string, replicas: number): Step =>
  patch(`scale ${name} to ${replicas}`, kind, name, { spec: { replicas } });

async function machines({ client }: StepContext): Promise<readonly Machine[]> {
  return (await client.list<Machine>(coreResource('Machine', 'v1beta2'), AT_HOME)).items;
}

/** From nothing to machines, which are rolled, lost, replaced and paused, and in part back to nothing. */
function steps(cloud: Cloud, guests: Guests): readonly Step[] {
  return [
    {
      name: 'create the cluster',
      run: ({ client }) => createAll(client, clusterObjects(guests.ensure(HOME, CLUSTER))),
    },
    { name: 'create workers', run: ({ client }) => createAll(client, [machineDeployment('workers', 0)]) },
    scale('MachineDeployment', 'workers', 3),
    { name: 'create infra', run: ({ client }) => createAll(client, [machineSet('infra', 1), healthCheck()]) },
    {
      name: 'wait for three machines',
      run: (context) =>
        until('three machines are ready', context, async () => {
          const all = await machines(context);
          return all.filter((machine) => isTrue(machine, 'Ready')).length >= 3;
        }),
    },
    patch('roll workers', 'MachineDeployment', 'workers', { spec: { template: { spec: machineSpec('large') } } }),
    {
      name: 'lose an instance',
      run: async ({ random }) => {
        const living = cloud.instances.filter((each) => isLiving(each) && each.state === 'running');
        const chosen = living[random.below(Math.max(1, living.length))];
        if (chosen !== undefined) cloud.lose(chosen.id);
        cloud.refuse({ operation: 'create', code: 'InsufficientCapacity', times: 2 });
      },
    },
    scale('MachineDeployment', 'workers', 5),
    patch('pause the cluster', 'Cluster', CLUSTER, { spec: { paused: true } }),
    scale('MachineDeployment', 'workers', 2),
    patch('go on', 'Cluster', CLUSTER, { spec: { paused: false } }),
    {
      name: 'delete infra',
      run: ({ client }) => client.delete(coreResource('MachineSet', 'v1beta2'), 'infra', AT_HOME),
    },
  ];
}

/** The differences from the spec of sets and deployments: machines, their infrastructure and their instances. */
export function clusterApiGoal(state: SimulationState, cloud: Cloud): readonly string[] {
  const all = state.of<Machine>('cluster.x-k8s.io/machines');
  const scaled = [
    ...state.of<MachineSet>('cluster.x-k8s.io/machinedeployments'),
    ...state.of<MachineSet>('cluster.x-k8s.io/machinesets'),
  ];
  const counts = {
    AWSMachines: state.of('infrastructure.cluster.x-k8s.io/awsmachines').filter(hasMachine).length,
    'living instances': cloud.instances.filter(isLiving).length,
  };
  return [
    ...scaled.flatMap(countProblems),
    ...all
      .filter((machine) => !isTrue(machine, 'Ready'))
      .map(({ metadata, status }) => `Machine ${metadata.name ?? ''} is ${status?.phase ?? 'untouched'}, not ready`),
    ...Object.entries(counts)
      .filter(([, count]) => count !== all.length)
      .map(([what, count]) => `there are ${count} ${what} for ${all.length} Machines`),
  ];
}

function countProblems({ kind, metadata, spec, status }: MachineSet): string[] {
  const name = `${kind} ${metadata.name ?? ''}`;
  if (metadata.deletionTimestamp != null) return [`${name} is still going`];
  const wanted = spec.replicas ?? 1;
  const { replicas = 0, readyReplicas = 0, availableReplicas = 0 } = status ?? {};
  if ([replicas, readyReplicas, availableReplicas].every((count) => count === wanted)) return [];
  const reported = `${replicas}, ready ${readyReplicas}, available ${availableReplicas}`;
  return [`${name} wants ${wanted}; its status has ${reported}`];
}

/** Clones whose machine was never made stay with the set that made them. */
function hasMachine({ metadata }: KubeObject): boolean {
  return metadata.ownerReferences?.some(({ kind }) => kind === 'Machine') === true;
}

/** Machines come, are rolled, lost and replaced, while everything around them fails. */
export const clusterApiScenario: Scenario = {
  name: 'cluster-api',
  about: 'Machine deployments and sets are scaled, rolled and paused, and instances lost, under faults and crashes',
  snapshot: clusterApiSnapshot,
  processes: [],
  steps: [],
  oracles: [],
  fixture: (simulation) => {
    const clock = simulation.timeline.clock();
    const random = simulation.random.split('stage');
    const cloud = new Cloud({ clock, random: random.split('cloud') });
    const guests = new Guests({ clock, random: random.split('guests'), isSimulated: true });
    joinNodes({ cloud, clock, random: random.split('nodes'), guestOf: () => guests.ensure(HOME, CLUSTER) });
    return {
      processes: [
        operatorProcess(clusterApiOperator, { servers: guests.known, namespace: HOME }),
        operatorProcess(infrastructureOperator(cloud), { args: ['--platform=aws', `--namespace=${HOME}`] }),
        collectorProcess(),
      ],
      steps: steps(cloud, guests),
      oracles: [
        ...collectedOracles.filter((oracle) => oracle !== idempotent),
        changesNothingAgain,
        ...cloudOracles({ cloud, machines: ['infrastructure.cluster.x-k8s.io/awsmachines'] }),
      ],
      goal: (state) => clusterApiGoal(state, cloud),
    };
  },
  faultsForMs: 8 * 60_000,
  stepGapMs: 60_000,
  convergeWithinMs: 60 * 60_000,
  quietMs: 5 * 60_000,
  goal: () => [],
};

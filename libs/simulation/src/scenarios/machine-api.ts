import { ApiServer } from '@capstan/apiserver';
import type { StoreSnapshot } from '@capstan/apiserver';
import { NodeLifecycleController, PodGarbageCollector } from '@capstan/cluster';
import { Client, systemRandom } from '@capstan/kube';
import { ManualClock } from '@capstan/kube/testing';
import { controllerOf } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { Cloud, isLiving, machineApiOperator } from '@capstan/upstream';
import { MACHINE_HEALTH_CHECKS, MACHINE_SETS, MACHINES, readyCondition } from '@capstan/upstream/machine-api';
import type { Machine, MachineSet, NodeObject } from '@capstan/upstream/machine-api';
import { cloudOracles } from '../oracles/cloud.js';
import { collectedOracles } from '../oracles/general.js';
import { operatorProcess } from '../runtime/process.js';
import type { Scenario, Step, StepContext, SimulationState } from '../scenario.js';
import { machineCrds } from './machine-crds.js';
import { machineNodes } from './machine-nodes.js';
import { IN_MACHINE_API, MACHINE_API_NAMESPACE, machineSetObject, USER_DATA } from './machine-objects.js';
import { collectorProcess, controllerProcess } from './processes.js';
import { CONFIG_MAPS, NAMESPACES, namespace } from './resources.js';
import { until } from './until.js';

const CRDS = { group: 'apiextensions.k8s.io', version: 'v1', plural: 'customresourcedefinitions', namespaced: false };
const SECRETS = { ...CONFIG_MAPS, plural: 'secrets' };

/** A server with the kinds of Machine API, its namespace and the user data of instances. */
export async function machineSnapshot(hasAuthority: boolean): Promise<StoreSnapshot> {
  const server = new ApiServer({ clock: new ManualClock(), random: systemRandom('machine kinds') });
  const client = new Client(server);
  for (const crd of machineCrds(hasAuthority)) await client.create(CRDS, crd);
  await client.create(NAMESPACES, namespace(MACHINE_API_NAMESPACE));
  await client.create(SECRETS, USER_DATA);
  return server.snapshot();
}

/** The machines of a set that are not going. */
export async function livingMachines({ client }: StepContext, set: string): Promise<readonly Machine[]> {
  const { items } = await client.list<Machine>(MACHINES, IN_MACHINE_API);
  return items.filter((each) => controllerOf(each)?.name === set && each.metadata.deletionTimestamp == null);
}

/** Whether a set has so many machines, and all of them run. */
export async function allRunning(context: StepContext, set: string, count: number): Promise<boolean> {
  const machines = await livingMachines(context, set);
  return machines.length === count && machines.every(({ status }) => status?.phase === 'Running');
}

const create = (set: string, replicas: number): Step => ({
  name: `create ${set}`,
  run: ({ client }) => client.create(MACHINE_SETS, machineSetObject(set, replicas)),
});

const scale = (set: string, replicas: number): Step => ({
  name: `scale ${set} to ${replicas}`,
  run: ({ client }) => {
    const options = { ...IN_MACHINE_API, subresource: 'scale' };
    return client.patch(MACHINE_SETS, set, { type: 'merge', value: { spec: { replicas } } }, options);
  },
});

const HEALTH_CHECK: KubeObject = {
  apiVersion: 'machine.openshift.io/v1beta1',
  kind: 'MachineHealthCheck',
  metadata: { name: 'workers', namespace: MACHINE_API_NAMESPACE },
  spec: {
    selector: {},
    maxUnhealthy: '100%',
    nodeStartupTimeout: '20m',
    unhealthyConditions: [
      { type: 'Ready', status: 'Unknown', timeout: '120s' },
      { type: 'Ready', status: 'False', timeout: '120s' },
    ],
  },
};

/** The steps: from nothing to machines, machines that are lost and replaced, and back to nothing. */
function steps(cloud: Cloud): readonly Step[] {
  return [
    create('workers', 0),
    scale('workers', 3),
    create('infra', 1),
    { name: 'create the health check', run: ({ client }) => client.create(MACHINE_HEALTH_CHECKS, HEALTH_CHECK) },
    {
      name: 'delete a machine at once',
      run: async (context) => {
        await until('there is a machine', context, async () => (await livingMachines(context, 'workers')).length > 0);
        const [first] = await livingMachines(context, 'workers');
        await context.client.delete(MACHINES, first?.metadata.name ?? '', IN_MACHINE_API);
      },
    },
    {
      name: 'wait for three workers',
      run: (context) => until('three workers run', context, () => allRunning(context, 'workers', 3)),
    },
    {
      name: 'lose an instance',
      run: async ({ random }) => {
        const living = cloud.instances.filter((each) => isLiving(each) && each.state === 'running');
        const chosen = living[random.below(Math.max(1, living.length))];
        if (chosen !== undefined) cloud.lose(chosen.id);
      },
    },
    {
      name: 'refuse capacity',
      run: async () => {
        cloud.refuse({ operation: 'create', code: 'InsufficientCapacity', times: 3 });
        cloud.refuse({ operation: 'list', code: 'Throttled', times: 2 });
      },
    },
    scale('workers', 5),
    scale('workers', 2),
    { name: 'delete infra', run: ({ client }) => client.delete(MACHINE_SETS, 'infra', IN_MACHINE_API) },
  ];
}

function setProblems(set: MachineSet, machines: readonly Machine[]): string[] {
  const owned = machines.filter((each) => controllerOf(each)?.uid === set.metadata.uid).length;
  const wanted = set.spec?.replicas ?? 0;
  const { availableReplicas = 0, readyReplicas = 0, replicas = 0 } = set.status ?? {};
  if ([owned, replicas, readyReplicas, availableReplicas].every((count) => count === wanted)) return [];
  return [
    `MachineSet ${set.metadata.name ?? ''} wants ${wanted}; there are ${owned}, and its status has ${replicas}, ` +
      `ready ${readyReplicas}, available ${availableReplicas}`,
  ];
}

function machineProblems({ metadata, status }: Machine, nodes: readonly NodeObject[]): string[] {
  const node = nodes.find((each) => each.metadata.name === status?.nodeRef?.name);
  const ready = node === undefined ? 'missing' : readyCondition(node)?.status;
  if (status?.phase === 'Running' && ready === 'True') return [];
  return [`Machine ${metadata.name ?? ''} is ${status?.phase ?? 'untouched'}, its node ${ready ?? 'silent'}`];
}

/** The differences from the spec of the sets: machines, their instances and their nodes. */
export function machineGoal(state: SimulationState, cloud: Cloud): readonly string[] {
  const machines = state.of<Machine>('machine.openshift.io/machines');
  const nodes = state.of<NodeObject>('nodes');
  const living = cloud.instances.filter(isLiving).length;
  const unmet = [
    ...state.of<MachineSet>('machine.openshift.io/machinesets').flatMap((set) => setProblems(set, machines)),
    ...machines.flatMap((machine) => machineProblems(machine, nodes)),
  ];
  const counts = `${nodes.length} nodes and ${living} instances for ${machines.length} machines`;
  if (nodes.length !== machines.length || living !== machines.length) unmet.push(`there are ${counts}`);
  return unmet;
}

/** What notices that nodes are silent, and cleans up after nodes that are gone. */
export const nodeControllers = controllerProcess('node-controllers', (context, informers) => {
  const options = { ...context, informers };
  return [new NodeLifecycleController(options), new PodGarbageCollector(options)];
});

/** Machines come, go, are lost and are replaced, while everything around them fails. */
export const machineApiScenario: Scenario = {
  name: 'machine-api',
  about: 'Machine sets are scaled, machines deleted and instances lost under faults, crashes and refusals of the cloud',
  snapshot: () => machineSnapshot(true),
  processes: [],
  steps: [],
  oracles: [],
  fixture: (simulation) => {
    const cloud = new Cloud({ clock: simulation.timeline.clock(), random: simulation.random.split('cloud') });
    const args = ['--sync-period=2m'];
    return {
      processes: [
        operatorProcess(machineApiOperator(cloud), { args, namespace: MACHINE_API_NAMESPACE }),
        machineNodes(cloud),
        nodeControllers,
        collectorProcess(),
      ],
      steps: steps(cloud),
      oracles: [...collectedOracles, ...cloudOracles({ cloud, machines: ['machine.openshift.io/machines'] })],
      goal: (state) => machineGoal(state, cloud),
    };
  },
  faultsForMs: 8 * 60_000,
  stepGapMs: 60_000,
  convergeWithinMs: 60 * 60_000,
  quietMs: 5 * 60_000,
  goal: () => [],
};

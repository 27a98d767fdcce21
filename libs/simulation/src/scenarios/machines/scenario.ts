import type { KubeObject } from '@capstan/meta';
import type { CloudPlatform } from '../../cloud/instance.js';
import { cloudOracles } from '../../cloud/oracles.js';
import { SimulationError } from '../../errors.js';
import { generalOracles } from '../../oracles/general.js';
import { kindOf } from '../../programs/infrastructure/objects.js';
import type { InfrastructureMachine } from '../../programs/infrastructure/objects.js';
import { PLATFORMS } from '../../programs/infrastructure/platforms.table.js';
import { stateOf } from '../../run/run.js';
import type { Scenario, Step, StepContext, WorldState } from '../../run/scenario.js';
import type { World } from '../../world/world.js';
import { CLUSTER, CLUSTERS, createCluster, createMachine, HOME, MACHINES, machineSnapshot } from './objects.js';
import { machineStage } from './stage.js';
import type { MachineStage, MachineStageOptions } from './stage.js';

/** One whose identifiers are drawn, one whose identifiers are names, one whose cluster the provider looks after. */
const DRAWN: readonly CloudPlatform[] = ['aws', 'kubevirt', 'openstack'];
const AT_HOME = { namespace: HOME };
const stages = new WeakMap<World, MachineStage>();

function stageOf(world: World): MachineStage {
  const stage = stages.get(world);
  if (stage === undefined) throw new SimulationError('BAD_ARGUMENT', 'the world has no stage');
  return stage;
}

function step(name: string, act: (context: StepContext, stage: MachineStage) => Promise<unknown> | void): Step {
  return { name, run: (context) => Promise.resolve(act(context, stageOf(context.world))) };
}

const create = (name: string): Step =>
  step(`create ${name}`, ({ client }, { row }) => createMachine(client, row, name));
const remove = (name: string): Step => step(`delete ${name}`, ({ client }) => client.delete(MACHINES, name, AT_HOME));
const hold = (paused: boolean): Step =>
  step(paused ? 'pause' : 'resume', ({ client }) =>
    client.patch(CLUSTERS, CLUSTER, { type: 'merge', value: { spec: { paused } } }, AT_HOME),
  );

interface Node extends KubeObject {
  readonly spec?: { readonly providerID?: string };
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/** Every Machine is a ready node or has failed for good, and none is still going. */
function goal({ guest, row }: MachineStage, state: WorldState): readonly string[] {
  const { group, plural } = kindOf(row, 'Machine');
  const infra = new Map(
    state.of<InfrastructureMachine>(`${group}/${plural}`).map((each) => [each.metadata.name, each]),
  );
  const nodes = new Map(
    stateOf(guest)
      .of<Node>('nodes')
      .map((node) => [node.spec?.providerID, node]),
  );
  return state.of('cluster.x-k8s.io/machines').flatMap(({ metadata }) => {
    const { deletionTimestamp, name = '' } = metadata;
    const mine = infra.get(name);
    const problem =
      deletionTimestamp == null ? machineProblem(mine, nodes.get(mine?.spec?.providerID)) : 'is still going';
    return problem === undefined ? [] : [`Machine ${name} ${problem}`];
  });
}

function machineProblem(infra: InfrastructureMachine | undefined, node: Node | undefined): string | undefined {
  if (infra?.status?.failureReason !== undefined) return undefined;
  if (infra?.status?.ready !== true) return 'is not ready';
  const ready = node?.status?.conditions?.find(({ type }) => type === 'Ready')?.status;
  return ready === 'True' ? undefined : 'has no ready node';
}

function setUp(world: World, options: MachineStageOptions): ReturnType<NonNullable<Scenario['stage']>> {
  const stage = machineStage(world, options);
  stages.set(world, stage);
  const { group, plural } = kindOf(stage.row, 'Machine');
  return {
    processes: stage.processes,
    oracles: [...generalOracles, ...cloudOracles({ cloud: stage.cloud, machines: [`${group}/${plural}`] })],
    goal: (state) => goal(stage, state),
  };
}

/** The scenario with a provider that makes a mistake. */
export function plantedMachineScenario(options: MachineStageOptions): Scenario {
  return { ...machineScenario, name: 'planted machines', stage: (world) => setUp(world, options) };
}

/** Machines that come and go while the cloud refuses, loses and hides, and everything else fails too. */
export const machineScenario: Scenario = {
  name: 'machines',
  about: 'Machines become nodes and go again, while the cloud refuses, loses and hides, under faults and crashes',
  snapshot: () => machineSnapshot(DRAWN.map((platform) => PLATFORMS[platform])),
  processes: [],
  steps: [
    step('create the cluster', ({ client }, { guest, row }) => createCluster(client, row, guest.userData())),
    create('a'),
    create('b'),
    step(
      'refuse',
      (_, { cloud }) => void cloud.refuse({ operation: 'create', code: 'InsufficientCapacity', times: 3 }),
    ),
    create('c'),
    remove('b'),
    step('throttle', (_, { cloud }) => {
      for (const operation of ['get', 'list', 'terminate'] as const)
        cloud.refuse({ operation, code: 'Throttled', times: 4 });
    }),
    create('d'),
    hold(true),
    remove('c'),
    hold(false),
    create('e'),
    remove('e'),
    step('lose a', (_, { cloud }) => {
      const [lost] = cloud.instances.filter(({ name, state }) => name === 'a' && state === 'running');
      if (lost !== undefined) cloud.lose(lost.id);
    }),
  ],
  oracles: [],
  stage: (world) => {
    const drawn = world.random.split('platform');
    const platform = DRAWN[drawn.below(DRAWN.length)] ?? 'aws';
    return setUp(world, { platform, hasNotices: drawn.below(2) === 0 });
  },
  faultsForMs: 240_000,
  stepGapMs: 25_000,
  convergeWithinMs: 30 * 60_000,
  quietMs: 5 * 60_000,
  goal: () => [],
};

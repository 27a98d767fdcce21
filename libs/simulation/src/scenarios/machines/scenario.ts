import type { KubeObject } from '@capstan/meta';
import { PLATFORMS } from '@capstan/upstream';
import type { CloudPlatform } from '@capstan/upstream';
import { kindOf } from '@capstan/upstream/infrastructure';
import type { InfrastructureMachine } from '@capstan/upstream/infrastructure';
import { cloudOracles } from '../../oracles/cloud.js';
import { SimulationError } from '../../errors.js';
import { generalOracles } from '../../oracles/general.js';
import { stateOf } from '../../run/run.js';
import type { Scenario, Step, StepContext, SimulationState } from '../../scenario.js';
import type { Simulation } from '../../engine/simulation.js';
import { CLUSTER, CLUSTERS, createCluster, createMachine, HOME, MACHINES, machineSnapshot } from './objects.js';
import { machineFixture } from './fixture.js';
import type { MachineFixture, MachineFixtureOptions } from './fixture.js';

/** One whose identifiers are drawn, one whose identifiers are names, one whose cluster the provider reconciles. */
const DRAWN: readonly CloudPlatform[] = ['aws', 'kubevirt', 'openstack'];
const AT_HOME = { namespace: HOME };
const fixtures = new WeakMap<Simulation, MachineFixture>();

function fixtureOf(simulation: Simulation): MachineFixture {
  const fixture = fixtures.get(simulation);
  if (fixture === undefined) throw new SimulationError('BAD_ARGUMENT', 'no fixture was set up for this simulation');
  return fixture;
}

function step(name: string, act: (context: StepContext, fixture: MachineFixture) => Promise<unknown> | void): Step {
  return { name, run: (context) => Promise.resolve(act(context, fixtureOf(context.simulation))) };
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
function goal({ guest, row }: MachineFixture, state: SimulationState): readonly string[] {
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

function setUp(simulation: Simulation, options: MachineFixtureOptions): ReturnType<NonNullable<Scenario['fixture']>> {
  const fixture = machineFixture(simulation, options);
  fixtures.set(simulation, fixture);
  const { group, plural } = kindOf(fixture.row, 'Machine');
  return {
    processes: fixture.processes,
    oracles: [...generalOracles, ...cloudOracles({ cloud: fixture.cloud, machines: [`${group}/${plural}`] })],
    goal: (state) => goal(fixture, state),
  };
}

/** The scenario with a provider that makes a mistake. */
export function plantedMachineScenario(options: MachineFixtureOptions): Scenario {
  return { ...machineScenario, name: 'planted machines', fixture: (simulation) => setUp(simulation, options) };
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
  fixture: (simulation) => {
    const drawn = simulation.random.split('platform');
    const platform = DRAWN[drawn.below(DRAWN.length)] ?? 'aws';
    return setUp(simulation, { platform, hasNotices: drawn.below(2) === 0 });
  },
  faultsForMs: 240_000,
  stepGapMs: 25_000,
  convergeWithinMs: 30 * 60_000,
  quietMs: 5 * 60_000,
  goal: () => [],
};

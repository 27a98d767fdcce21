import { CliError } from '../../errors.js';
import {
  cloudCalls,
  controlPlaneStandIns,
  machineProcesses,
  MachinesCopy,
  machinesStateOf,
  settle,
} from '@capstan/simulation';
import type { MachinesState, ProcessDefinition, SettledCopy, Simulation } from '@capstan/simulation';
import type { GroupMapping } from '@capstan/translate';
import type { ClusterCopy } from './cluster-copy.js';
import { SIDECAR } from './sidecar.js';

/** The hosted cluster and who acts on it in one run. */
export interface Cast {
  readonly copy: ClusterCopy;
  readonly cluster: { readonly namespace: string; readonly name: string; readonly controlPlane: string };
  readonly machines: MachinesCopy;
  readonly mapping: GroupMapping;
  readonly simulation: Simulation;
}

export function standInsOf(
  { cluster, copy: { controllers }, machines, mapping, simulation }: Cast,
  slowestMs: number,
  onProblem: (problem: string) => void,
): readonly ProcessDefinition[] {
  const { controlPlane: controlPlaneNamespace, name, namespace } = cluster;
  return controlPlaneStandIns({
    simulation,
    namespace,
    name,
    controlPlaneNamespace,
    sidecar: SIDECAR,
    slowestMs,
    programsOf: (deployment, hasSidecar) =>
      machineProcesses(deployment, hasSidecar, { controllers, machines, mapping, namespace: controlPlaneNamespace }),
    onProblem: (component, message) => onProblem(`${component}: ${message}`),
  });
}

/** What a copy is when its controllers have come to rest. */
export interface AtRest {
  readonly state: MachinesState;
  /** What they asked of the cloud until then, a line. */
  readonly calls: readonly string[];
}

/** Lets the controllers of a copy come to rest, at the first run; each run after begins with what that left. */
export function settledOnce(
  copy: ClusterCopy,
  cluster: Cast['cluster'],
  mapping: GroupMapping,
): (() => Promise<SettledCopy<AtRest>>) & { last: () => SettledCopy<AtRest> } {
  let pending: Promise<SettledCopy<AtRest>> | undefined;
  let done: SettledCopy<AtRest> | undefined;
  const first = async (): Promise<SettledCopy<AtRest>> => {
    const { kept: machines, ...rest } = await settle({
      copy,
      begin: (simulation, initial) => {
        const state = machinesStateOf(initial, mapping);
        const kept = new MachinesCopy(simulation, simulation.random.split('machines'), state);
        const standIns = standInsOf({ copy, cluster, machines: kept, mapping, simulation }, 0, () => undefined);
        return { kept, standIns };
      },
    });
    const calls = Object.entries(cloudCalls(machines.cloud, 0)).map(([operation, count]) => `${operation} ${count}`);
    done = { ...rest, kept: { state: machines.state, calls: calls.length === 0 ? [] : [asked(calls)] } };
    return done;
  };
  const ask = (): Promise<SettledCopy<AtRest>> => (pending ??= first());
  return Object.assign(ask, {
    last: () => {
      if (done === undefined) throw new CliError('the controllers of the copy have not settled', 'this is a defect');
      return done;
    },
  });
}

function asked(calls: readonly string[]): string {
  return `before the rehearsal the controllers of the copy asked for instances of their own: ${calls.join(', ')}`;
}

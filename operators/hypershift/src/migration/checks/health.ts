import type { HostedControlPlane } from '@capstan/api/hypershift';
import { getCondition, isConditionTrue } from '@capstan/meta';
import type { Condition, KubeObject } from '@capstan/meta';
import type { MovedObject } from '@capstan/migration';
import { FIELDS, readField } from './fields.js';
import type { WorkloadHealth } from './workloads.js';

/**
 * How a hosted cluster does, by its Cluster API objects, its control plane and the workloads that read Cluster API: plain values,
 * so that two can be compared.
 */
export interface ClusterHealth {
  /** Of the Cluster; undefined where the platform has none. */
  readonly phase: string | undefined;
  readonly infrastructureReady: boolean;
  /** Conditions of the Cluster that report an error, by type. */
  readonly clusterErrors: readonly string[];
  /** How many objects there are of kinds that no controller creates or deletes, by kind. */
  readonly counts: Readonly<Record<string, number>>;
  /** How many Machines their sets want. */
  readonly wantedMachines: number;
  /** Phases of Machines, by name. */
  readonly machines: Readonly<Record<string, string>>;
  /** How many Machines have a Node. */
  readonly nodes: number;
  /** How many of them are neither being deleted nor about to be replaced. */
  readonly steadyNodes: number;
  /** How many Machines rollouts may go without. */
  readonly spareNodes: number;
  /** Whether the API server of the hosted cluster answers, as its control plane reports. */
  readonly isApiAvailable: boolean;
  /** Deployments that read Cluster API, by name. */
  readonly workloads: Readonly<Record<string, WorkloadHealth>>;
}

/** Objects of these kinds come and go with their users alone; of others, controllers may create and delete some meanwhile. */
export const LASTING_KINDS = ['Cluster', 'MachineDeployment', 'MachineHealthCheck'] as const;

/**
 * Conditions of a Cluster without severities that report an error when they are False. Others are False as well while
 * machines come and go, or are True then.
 */
export const ERROR_CONDITIONS: ReadonlySet<string> = new Set([
  'ControlPlaneAvailable',
  'ControlPlaneInitialized',
  'InfrastructureReady',
  'RemoteConnectionProbe',
]);

/** Reads the health from either version of the objects of one group. */
export function healthOf(
  objects: readonly MovedObject[],
  controlPlane: HostedControlPlane | undefined,
  workloads: ClusterHealth['workloads'] = {},
): ClusterHealth {
  const ofKind = (kind: string): readonly KubeObject[] =>
    objects.filter(({ kind: { source } }) => source.kind === kind).map(({ object }) => object);
  const [cluster] = ofKind('Cluster');
  const machines = ofKind('Machine');
  const counts: Record<string, number> = {};
  for (const kind of LASTING_KINDS) counts[kind] = ofKind(kind).length;
  const phaseOf = (machine: KubeObject): string => readField(machine, FIELDS.machinePhase) ?? 'Pending';
  return {
    phase: readField(cluster, FIELDS.clusterPhase),
    infrastructureReady: readField(cluster, FIELDS.infrastructureReady) ?? false,
    clusterErrors: errorsOf(cluster),
    counts,
    wantedMachines: ofKind('MachineSet').reduce(
      (sum, set) => sum + (readField<number>(set, FIELDS.wantedMachines) ?? 1),
      0,
    ),
    machines: Object.fromEntries(machines.map((machine) => [machine.metadata.name ?? '', phaseOf(machine)])),
    nodes: machines.filter(hasNode).length,
    steadyNodes: machines.filter((machine) => hasNode(machine) && isSteady(machine)).length,
    spareNodes: ofKind('MachineDeployment').reduce((sum, deployment) => sum + spareOf(deployment), 0),
    isApiAvailable: isConditionTrue(
      readField<Condition[]>(controlPlane, FIELDS.controlPlaneConditions),
      'KubeAPIServerAvailable',
    ),
    workloads,
  };
}

function hasNode(machine: KubeObject): boolean {
  return readField(machine, FIELDS.nodeName) !== undefined;
}

/** A MachineHealthCheck has a Machine replaced whose check has failed. */
function isSteady(machine: KubeObject): boolean {
  const conditions = readField<readonly Condition[]>(machine, FIELDS.machineConditions);
  const isUnhealthy = getCondition(conditions, 'HealthCheckSucceeded')?.status === 'False';
  return machine.metadata.deletionTimestamp == null && !isUnhealthy;
}

/** How many machines a MachineDeployment does without while it replaces them: a number, or a share rounded down. */
function spareOf(deployment: KubeObject): number {
  const replicas = readField<number>(deployment, FIELDS.rolledOut) ?? 1;
  if ((readField<number>(deployment, FIELDS.upToDate) ?? 0) >= replicas) return 0;
  const spare = readField<number | string>(deployment, FIELDS.maxUnavailable) ?? 0;
  if (typeof spare === 'number') return spare;
  const share = Number.parseInt(spare, 10);
  return Number.isNaN(share) ? 0 : Math.floor((share * replicas) / 100);
}

/** Of conditions with a severity only errors count; of those without, the types that mean one. */
function errorsOf(cluster: KubeObject | undefined): readonly string[] {
  const severe = readField<readonly SevereCondition[]>(cluster, FIELDS.severeConditions) ?? [];
  const others = readField<readonly Condition[]>(cluster, FIELDS.conditions) ?? [];
  const errors = [
    ...severe.filter(({ severity }) => severity === 'Error'),
    ...others.filter(({ type }) => ERROR_CONDITIONS.has(type)),
  ];
  return [...new Set(errors.filter(({ status }) => status === 'False').map(({ type }) => type))].toSorted();
}

type SevereCondition = Condition & { readonly severity?: string };

import type { HostedControlPlane } from '@capstan/api/hypershift';
import { isConditionTrue } from '@capstan/meta';
import type { Condition, JsonObject, KubeObject } from '@capstan/meta';
import type { MovedObject } from '@capstan/migration';

/** How a hosted cluster does, by its Cluster API objects and its control plane: plain values, so that two can be compared. */
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
  /** Whether the API server of the hosted cluster answers, as its control plane reports. */
  readonly isApiAvailable: boolean;
}

interface V1Beta2Status {
  readonly phase?: string;
  readonly infrastructureReady?: boolean;
  readonly initialization?: { readonly infrastructureProvisioned?: boolean };
  readonly conditions?: readonly Condition[];
  readonly deprecated?: { readonly v1beta1?: { readonly conditions?: readonly Condition[] } };
  readonly nodeRef?: JsonObject;
}

const statusOf = (object: KubeObject | undefined): V1Beta2Status => (object?.['status'] ?? {}) as V1Beta2Status;

/** Objects of these kinds come and go with their users alone; of others, controllers may create and delete some meanwhile. */
const LASTING_KINDS = ['Cluster', 'MachineDeployment', 'MachineHealthCheck'] as const;

/** Reads the health from either version of the objects of one group. */
export function healthOf(objects: readonly MovedObject[], controlPlane: HostedControlPlane | undefined): ClusterHealth {
  const ofKind = (kind: string): readonly KubeObject[] =>
    objects.filter(({ kind: { source } }) => source.kind === kind).map(({ object }) => object);
  const status = statusOf(ofKind('Cluster')[0]);
  const machines = ofKind('Machine');
  const counts: Record<string, number> = {};
  for (const kind of LASTING_KINDS) counts[kind] = ofKind(kind).length;
  const conditions = controlPlane?.status?.conditions as readonly Condition[] | undefined;
  return {
    phase: status.phase,
    infrastructureReady: status.infrastructureReady ?? status.initialization?.infrastructureProvisioned ?? false,
    clusterErrors: errorsOf(status),
    counts,
    wantedMachines: ofKind('MachineSet').reduce(
      (sum, { spec }) => sum + ((spec as { replicas?: number }).replicas ?? 1),
      0,
    ),
    machines: Object.fromEntries(
      machines.map((machine) => [machine.metadata.name ?? '', statusOf(machine).phase ?? 'Pending']),
    ),
    nodes: machines.filter((machine) => statusOf(machine).nodeRef !== undefined).length,
    isApiAvailable: isConditionTrue(conditions, 'KubeAPIServerAvailable'),
  };
}

/** v1beta1 conditions have a severity, of which only Error counts; those of v1beta2 have none. */
function errorsOf(status: V1Beta2Status): readonly string[] {
  const all = [...(status.conditions ?? []), ...(status.deprecated?.v1beta1?.conditions ?? [])];
  const isError = (condition: Condition): boolean =>
    condition.status === 'False' && (condition as Condition & { severity?: string }).severity === 'Error';
  return [...new Set(all.filter(isError).map(({ type }) => type))].toSorted();
}

import { parseApiVersion } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';

/** A field that a check reads, by the version of the object. */
export interface CheckedField {
  readonly kind: string;
  readonly v1beta1: string;
  /** Where it is the same as in v1beta1, or the kind is not of Cluster API, the same path. */
  readonly v1beta2: string;
}

const field = (kind: string, v1beta1: string, v1beta2 = v1beta1): CheckedField => ({ kind, v1beta1, v1beta2 });

/** Everything that the checks read of objects. */
export const FIELDS = {
  clusterPhase: field('Cluster', 'status.phase'),
  infrastructureReady: field(
    'Cluster',
    'status.infrastructureReady',
    'status.initialization.infrastructureProvisioned',
  ),
  /** Conditions with a severity. */
  severeConditions: field('Cluster', 'status.conditions', 'status.deprecated.v1beta1.conditions'),
  /** Conditions without one. */
  conditions: field('Cluster', 'status.v1beta2.conditions', 'status.conditions'),
  machinePhase: field('Machine', 'status.phase'),
  nodeName: field('Machine', 'status.nodeRef.name'),
  machineConditions: field('Machine', 'status.conditions'),
  wantedMachines: field('MachineSet', 'spec.replicas'),
  rolledOut: field('MachineDeployment', 'spec.replicas'),
  upToDate: field('MachineDeployment', 'status.updatedReplicas', 'status.upToDateReplicas'),
  maxUnavailable: field(
    'MachineDeployment',
    'spec.strategy.rollingUpdate.maxUnavailable',
    'spec.rollout.strategy.rollingUpdate.maxUnavailable',
  ),
  controlPlaneConditions: field('HostedControlPlane', 'status.conditions'),
  updatedReplicas: field('Deployment', 'status.updatedReplicas'),
  availableReplicas: field('Deployment', 'status.availableReplicas'),
  podPhase: field('Pod', 'status.phase'),
  containerState: field('Pod', 'status.containerStatuses[*].state'),
  restartCount: field('Pod', 'status.containerStatuses[*].restartCount'),
  translation: field('Pod', '/readyz/translation'),
} as const;

/** The value of a field in an object, in the version that the object has; undefined where it is absent. */
export function readField<T>(object: KubeObject | undefined, { v1beta1, v1beta2 }: CheckedField): T | undefined {
  if (object === undefined) return undefined;
  const path = parseApiVersion(object.apiVersion).version === 'v1beta2' ? v1beta2 : v1beta1;
  let value: unknown = object;
  for (const name of path.split('.')) value = (value as Readonly<Record<string, unknown>> | null | undefined)?.[name];
  return (value ?? undefined) as T | undefined;
}

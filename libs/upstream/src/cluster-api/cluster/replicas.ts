import { isTrue } from '../conditions/conditions.js';
import { controlPlaneReplicas } from '../external/contract.js';
import { isDefined } from '../external/external-objects.js';
import { isOwnedBy } from '../owners.js';
import type { Cluster, Machine, ReplicaCounts } from '../types.js';
import { plain } from '../writing/plain.js';
import type { ClusterScope, Descendants } from './scope.js';

const FIELDS = ['desiredReplicas', 'replicas', 'readyReplicas', 'availableReplicas', 'upToDateReplicas'] as const;

/** Adds up counts; a field that none has is left out. */
export function sumCounts(counts: readonly ReplicaCounts[]): ReplicaCounts {
  const sum: ReplicaCounts = {};
  for (const each of counts)
    for (const field of FIELDS) {
      const value = each[field];
      if (value !== undefined) sum[field] = (sum[field] ?? 0) + value;
    }
  return sum;
}

/** A machine counted as one wanted and one there. */
function countOf(machine: Machine): ReplicaCounts {
  return {
    desiredReplicas: 1,
    replicas: 1,
    ...(isTrue(machine, 'Ready') ? { readyReplicas: 1 } : {}),
    ...(isTrue(machine, 'Available') ? { availableReplicas: 1 } : {}),
    ...(isTrue(machine, 'UpToDate') ? { upToDateReplicas: 1 } : {}),
  };
}

/** How many control plane machines there are; undefined when that is not known. */
export function controlPlaneCounts(scope: ClusterScope): ReplicaCounts | undefined {
  if (isDefined(scope.cluster.spec?.controlPlaneRef)) {
    if (scope.controlPlane === undefined) return {};
    const { object, contract } = scope.controlPlane;
    return { ...scope.cluster.status?.controlPlane, ...plain(controlPlaneReplicas(object, contract)) } as ReplicaCounts;
  }
  return scope.descendants === undefined ? undefined : sumCounts(scope.descendants.controlPlaneMachines.map(countOf));
}

/** How many workers there are: those of deployments, of sets without one, and of neither. */
export function workerCounts(cluster: Cluster, { deployments, sets, workers }: Descendants): ReplicaCounts {
  const ownSets = sets.filter((set) => isOwnedBy(set, cluster));
  const scaled = [...deployments, ...ownSets].map(({ spec, status }): ReplicaCounts => {
    const { replicas, readyReplicas, availableReplicas, upToDateReplicas } = status ?? {};
    const counts = { desiredReplicas: spec.replicas, replicas, readyReplicas, availableReplicas, upToDateReplicas };
    return plain(counts) as ReplicaCounts;
  });
  return sumCounts([...scaled, ...workers.filter((machine) => isOwnedBy(machine, cluster)).map(countOf)]);
}

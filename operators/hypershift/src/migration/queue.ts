import type { HostedCluster } from '@capstan/api/hypershift';
import { ineligibility } from '@capstan/hosting';

interface Given {
  readonly nowMs: number;
  readonly isPreferred?: (cluster: HostedCluster) => boolean;
}

/** The HostedClusters that can be migrated, in their order: those that are preferred first, then by age and name. */
export function eligibleClusters(
  clusters: readonly HostedCluster[],
  { isPreferred = () => false, nowMs }: Given,
): readonly HostedCluster[] {
  const rank = (cluster: HostedCluster): string => {
    const { creationTimestamp, name, namespace } = cluster.metadata;
    return `${isPreferred(cluster) ? 0 : 1} ${creationTimestamp ?? ''} ${namespace ?? ''}/${name ?? ''}`;
  };
  const eligible = clusters.filter((cluster) => ineligibility(cluster, nowMs) === undefined);
  return eligible.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1));
}

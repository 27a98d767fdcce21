import type { HostedCluster } from '@capstan/api/hypershift';
import { annotated, isPrivate, LEGACY_SCOPE, SCOPE_ANNOTATION } from '@capstan/hosting';

/** Why nothing happens to a cluster that no operator has marked. */
export const UNMARKED =
  'no operator migrates it yet: pause migrations if they are to wait, then run capstan install --private-capi-types';

/** Whether the operator on private types has not seen it yet: it marks every existing cluster once it runs. */
export function isUnmarked(cluster: HostedCluster): boolean {
  return cluster.metadata.annotations?.[SCOPE_ANNOTATION] === undefined && !isPrivate(cluster);
}

/** The cluster as that operator is going to mark it, if it has objects in standard groups. */
export function asMarked(cluster: HostedCluster, hasObjects: boolean): HostedCluster {
  return isUnmarked(cluster) && hasObjects ? annotated(cluster, { [SCOPE_ANNOTATION]: LEGACY_SCOPE }) : cluster;
}

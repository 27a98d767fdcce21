import type { HostedCluster } from '@capstan/api/hypershift';
import { allowedNodePoolVersions } from '@capstan/release';
import type { AllowedVersions, VersionEntry } from '@capstan/release';

/**
 * What is known of the versions of a control plane, newest first: what it says of itself alone; where it does not, what
 * the cluster says as a whole, and last of all what it is to become.
 */
function historyOf({ status }: Pick<HostedCluster, 'status'>): readonly VersionEntry[] {
  const told = [status?.controlPlaneVersion, status?.version].filter((each) => each !== undefined);
  const history = told.find((each) => (each.history ?? []).length > 0)?.history;
  if (history !== undefined) return history.map(({ state, version = '' }) => ({ state, version }));
  return told.slice(0, 1).map(({ desired: { version } }) => ({ state: 'Partial', version }));
}

/** What the control plane runs for certain: the newest version that was rolled out. */
export function completedVersion(cluster: Pick<HostedCluster, 'status'>): string | undefined {
  return historyOf(cluster).find(({ state }) => state === 'Completed')?.version;
}

/** Which versions the nodes of a cluster may have; undefined while nothing is known of its control plane. */
export function allowedVersions(cluster: Pick<HostedCluster, 'status'>, width: number): AllowedVersions | undefined {
  return allowedNodePoolVersions(historyOf(cluster), width);
}

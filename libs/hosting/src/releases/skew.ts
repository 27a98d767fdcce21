import type { HostedCluster } from '@capstan/api/hypershift';
import { allowedNodePoolVersions } from '@capstan/release';
import type { AllowedVersions, VersionEntry } from '@capstan/release';

/**
 * The version history of a control plane, newest first: of `status.controlPlaneVersion`, or where an older operator does
 * not write that of `status.version`; without a history the desired version.
 */
function historyOf({ status }: Pick<HostedCluster, 'status'>): readonly VersionEntry[] {
  const reported = [status?.controlPlaneVersion, status?.version].filter((each) => each !== undefined);
  const history = reported.find((each) => (each.history ?? []).length > 0)?.history;
  if (history !== undefined) return history.map(({ state, version = '' }) => ({ state, version }));
  return reported.slice(0, 1).map(({ desired: { version } }) => ({ state: 'Partial', version }));
}

/** The newest version that the control plane has completed. */
export function completedVersion(cluster: Pick<HostedCluster, 'status'>): string | undefined {
  return historyOf(cluster).find(({ state }) => state === 'Completed')?.version;
}

/** Which versions the nodes of a cluster may have; undefined before its control plane reports a version. */
export function allowedVersions(cluster: Pick<HostedCluster, 'status'>, width: number): AllowedVersions | undefined {
  return allowedNodePoolVersions(historyOf(cluster), width);
}

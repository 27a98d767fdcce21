import {
  allowedVersions,
  completedVersion,
  NODE_POOL_CONDITIONS,
  nodePoolVersionProblem,
  SKIP_RELEASE_VALIDATION_ANNOTATION,
} from '@capstan/hosting';
import { parseVersion, skewProblem } from '@capstan/release';
import type { Snapshot } from '../snapshot.js';
import { versionOfMachines } from '../machines/current-version.js';
import type { Check } from './check.js';

function versionProblem(snapshot: Snapshot, wanted: string): string | undefined {
  const { clusterRelease, hostedCluster } = snapshot;
  if (hostedCluster.metadata.annotations?.[SKIP_RELEASE_VALIDATION_ANNOTATION] !== undefined) return undefined;
  if (parseVersion(wanted) === undefined) return `${JSON.stringify(wanted)} is not a version`;
  const inPayload = clusterRelease !== undefined && 'payload' in clusterRelease ? clusterRelease.payload.version : '';
  const cluster = completedVersion(hostedCluster) ?? inPayload;
  // Nothing to compare with yet: SupportedVersionSkew reports a mismatch as soon as the version is known.
  if (parseVersion(cluster) === undefined) return undefined;
  return nodePoolVersionProblem({ wanted, current: versionOfMachines(snapshot, wanted), cluster });
}

/** ValidReleaseImage. What runs goes on when the registry is away. */
export const releaseImage: Check = (snapshot, conditions) => {
  const { nodePool, release } = snapshot;
  const { image } = nodePool.spec.release;
  if ('error' in release) {
    conditions.setFault(NODE_POOL_CONDITIONS.releaseImage, `Failed to get release image: ${release.error.message}`);
    return false;
  }
  const problem = versionProblem(snapshot, release.payload.version);
  if (problem === undefined) conditions.setTrue(NODE_POOL_CONDITIONS.releaseImage, `Using release image: ${image}`);
  else conditions.setFault(NODE_POOL_CONDITIONS.releaseImage, `release image ${image}: ${problem}`);
  return problem === undefined;
};

/** SupportedVersionSkew: a report only, it stops nothing. */
export const versionSkew: Check = ({ hostedCluster, release, skewWidth }, conditions) => {
  const unknown = (message: string): boolean => {
    conditions.set(NODE_POOL_CONDITIONS.skew, { status: 'Unknown', reason: 'ValidationFailed', message });
    return true;
  };
  if ('error' in release) return unknown(`Failed to get release image: ${release.error.message}`);
  const allowed = allowedVersions(hostedCluster, skewWidth);
  if (allowed === undefined) return unknown('HostedCluster version is not available yet');
  const problem = skewProblem(release.payload.version, allowed);
  if (problem === undefined) conditions.setTrue(NODE_POOL_CONDITIONS.skew, 'Release image version is valid');
  else conditions.setFault(NODE_POOL_CONDITIONS.skew, `NodePool version ${problem}`, 'UnsupportedSkew');
  return true;
};

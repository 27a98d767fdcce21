import {
  allowedVersions,
  completedVersion,
  nodePoolVersionProblem,
  SKIP_RELEASE_VALIDATION_ANNOTATION,
} from '@capstan/hosting';
import { parseVersion, skewProblem } from '@capstan/release';
import { TYPES } from '../conditions.js';
import type { Facts } from '../facts.js';
import { versionOfMachines } from '../machines/current-version.js';
import type { Check } from './check.js';

function versionProblem(facts: Facts, wanted: string): string | undefined {
  const { clusterRelease, hostedCluster } = facts;
  if (hostedCluster.metadata.annotations?.[SKIP_RELEASE_VALIDATION_ANNOTATION] !== undefined) return undefined;
  if (parseVersion(wanted) === undefined) return `its version ${JSON.stringify(wanted)} is none`;
  const inPayload = clusterRelease !== undefined && 'payload' in clusterRelease ? clusterRelease.payload.version : '';
  const cluster = completedVersion(hostedCluster) ?? inPayload;
  // Nothing to compare with yet. Whether the two go together is told by SupportedVersionSkew as soon as it is known.
  if (parseVersion(cluster) === undefined) return undefined;
  return nodePoolVersionProblem({ wanted, current: versionOfMachines(facts, wanted), cluster });
}

/** ValidReleaseImage. What runs goes on when the registry is away. */
export const releaseImage: Check = (facts, said) => {
  const { nodePool, release } = facts;
  const { image } = nodePool.spec.release;
  if ('error' in release) {
    said.fault(TYPES.releaseImage, `Failed to get release image: ${release.error.message}`);
    return false;
  }
  const problem = versionProblem(facts, release.payload.version);
  if (problem === undefined) said.good(TYPES.releaseImage, `Using release image: ${image}`);
  else said.fault(TYPES.releaseImage, `release image ${image}: ${problem}`);
  return problem === undefined;
};

/** SupportedVersionSkew: only says so, and never stops anything. */
export const versionSkew: Check = ({ hostedCluster, release, skewWidth }, said) => {
  const unknown = (message: string): boolean => {
    said.say(TYPES.skew, { status: 'Unknown', reason: 'ValidationFailed', message });
    return true;
  };
  if ('error' in release) return unknown(`Failed to get release image: ${release.error.message}`);
  const allowed = allowedVersions(hostedCluster, skewWidth);
  if (allowed === undefined) return unknown('HostedCluster version is not available yet');
  const problem = skewProblem(release.payload.version, allowed);
  if (problem === undefined) said.good(TYPES.skew, 'Release image version is valid');
  else said.fault(TYPES.skew, `NodePool version ${problem}`, 'UnsupportedSkew');
  return true;
};

import type { HostedCluster } from '@capstan/api/hypershift';
import { SKIP_RELEASE_VALIDATION_ANNOTATION } from '@capstan/provider';
import { TYPES } from '../conditions.js';
import type { Facts } from '../facts.js';
import { parseVersion, releaseProblem, skewProblem } from '../version.js';
import type { Check } from './check.js';

/** What the control plane runs for certain: the newest version that was rolled out. */
export function completedVersion({ status }: HostedCluster): string | undefined {
  return status?.version?.history?.find(({ state }) => state === 'Completed')?.version;
}

function versionProblem({ clusterRelease, hostedCluster, nodePool }: Facts, text: string): string | undefined {
  if (hostedCluster.metadata.annotations?.[SKIP_RELEASE_VALIDATION_ANNOTATION] !== undefined) return undefined;
  const wanted = parseVersion(text);
  if (wanted === undefined) return `its version ${JSON.stringify(text)} is none`;
  const inPayload = clusterRelease !== undefined && 'payload' in clusterRelease ? clusterRelease.payload.version : '';
  const cluster = parseVersion(completedVersion(hostedCluster) ?? inPayload);
  // Nothing to compare with yet. Whether the two go together is told by SupportedVersionSkew as soon as it is known.
  if (cluster === undefined) return undefined;
  return releaseProblem({ wanted, current: parseVersion(nodePool.status?.version ?? ''), cluster });
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

/** The version of the control plane that nodes are measured by; undefined when none is known. */
function controlPlaneVersion({ status }: HostedCluster): string | undefined {
  const { desired, history = [] } = status?.version ?? {};
  const completed = history.find(({ state }) => state === 'Completed') ?? history[0];
  return completed === undefined ? desired?.version : completed.version;
}

/** SupportedVersionSkew: only says so, and never stops anything. */
export const versionSkew: Check = ({ hostedCluster, release }, said) => {
  const unknown = (message: string): boolean => {
    said.say(TYPES.skew, { status: 'Unknown', reason: 'ValidationFailed', message });
    return true;
  };
  if ('error' in release) return unknown(`Failed to get release image: ${release.error.message}`);
  const text = controlPlaneVersion(hostedCluster);
  if (text === undefined) return unknown('HostedCluster version is not available yet');
  const cluster = parseVersion(text);
  if (cluster === undefined) return unknown(`the version ${JSON.stringify(text)} of the HostedCluster is none`);
  const pool = parseVersion(release.payload.version);
  if (pool === undefined) return unknown(`the version ${JSON.stringify(release.payload.version)} is none`);
  const problem = skewProblem(cluster, pool);
  if (problem === undefined) said.good(TYPES.skew, 'Release image version is valid');
  else said.fault(TYPES.skew, problem, 'UnsupportedSkew');
  return true;
};

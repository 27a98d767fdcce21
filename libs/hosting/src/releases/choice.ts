import type { HostedCluster, HostedControlPlane } from '@capstan/api/hypershift';
import { getCondition } from '@capstan/meta';
import type { ConditionUpdate } from '@capstan/meta';
import type { ReleasePayload } from '@capstan/release';
import { FORCE_UPGRADE_ANNOTATION, SKIP_RELEASE_VALIDATION_ANNOTATION } from '../annotations/hosted-clusters.js';
import { conditionsOf } from '../conditions/conditions.js';
import { releaseRetryMs } from './lookup.js';
import type { ReleaseLookup } from './lookup.js';
import { isMinorUpgrade, versionProblem } from './versions.js';

const TYPE = 'ValidReleaseImage';

/** ValidReleaseImage of a HostedCluster, and when to look the release up again. */
export interface ReleaseVerdict {
  readonly condition: ConditionUpdate;
  readonly retryAfterMs?: number | undefined;
}

/** The release images of a cluster: of its control plane, and of everything else. */
export function releaseImages({ spec }: HostedCluster): { readonly controlPlane: string; readonly cluster: string } {
  const cluster = spec?.release.image ?? '';
  return { controlPlane: spec?.controlPlaneRelease?.image ?? cluster, cluster };
}

/** Whether the HostedControlPlane has these very images: what runs goes on while a registry does not answer. */
export function isRunning(cluster: HostedCluster, controlPlane: HostedControlPlane | undefined): boolean {
  const images = releaseImages(cluster);
  const { controlPlaneReleaseImage, releaseImage } = controlPlane?.spec ?? {};
  return releaseImage === images.cluster && (controlPlaneReleaseImage ?? releaseImage) === images.controlPlane;
}

/** The version that runs: the newest that was completed, or else the newest that was started. */
export function runningVersion({ status }: HostedCluster): string | undefined {
  const history = status?.version?.history ?? [];
  const version = (history.find(({ state }) => state === 'Completed') ?? history[0])?.version;
  return version === '' ? undefined : version;
}

/** Whether the release images of a cluster can be run. */
export function checkReleases(
  cluster: HostedCluster,
  releases: readonly ReleaseLookup[],
  controlPlane: HostedControlPlane | undefined,
): ReleaseVerdict {
  const invalid = (message: string): ConditionUpdate => ({
    type: TYPE,
    status: 'False',
    reason: 'InvalidImage',
    message,
  });
  const valid: ConditionUpdate = {
    type: TYPE,
    status: 'True',
    reason: 'AsExpected',
    message: 'Release image is valid',
  };
  // False would stop reconciliation, and with it certificates and scaling, of a cluster whose image was valid when it began
  // to run. The message reports that it is not confirmed now.
  const unconfirmed = (reason: string): ConditionUpdate => ({
    ...valid,
    message: `Release image was valid when it was last read, and is kept while it cannot be read: ${reason}`,
  });
  for (const release of releases) {
    if ('error' in release) {
      const { error } = release;
      const isKept = error.isTransient && isRunning(cluster, controlPlane);
      return {
        condition: isKept ? unconfirmed(error.message) : invalid(error.message),
        retryAfterMs: releaseRetryMs(error),
      };
    }
    const { reference, version } = release.payload;
    const problem = Object.hasOwn(cluster.metadata.annotations ?? {}, SKIP_RELEASE_VALIDATION_ANNOTATION)
      ? undefined
      : versionProblem(version, runningVersion(cluster));
    if (problem !== undefined)
      return { condition: invalid(`The release image ${reference} cannot be run: ${problem}`) };
  }
  return { condition: valid };
}

/** Why a cluster cannot be upgraded to a release yet, though the release is valid; undefined when it can. */
export function upgradeProblem(
  cluster: HostedCluster,
  { reference, version }: ReleasePayload,
  controlPlane: HostedControlPlane | undefined,
): string | undefined {
  const upgradeable = getCondition(conditionsOf(controlPlane), 'ClusterVersionUpgradeable');
  if (upgradeable?.status !== 'False' || isRunning(cluster, controlPlane)) return undefined;
  const running = runningVersion(cluster);
  if (!isMinorUpgrade(running, version)) return undefined;
  if (cluster.metadata.annotations?.[FORCE_UPGRADE_ANNOTATION] === reference) return undefined;
  return (
    `The cluster reports that it cannot be upgraded from ${running ?? ''} to ${version}: ${upgradeable.message}; ` +
    `fix that, or set the annotation ${FORCE_UPGRADE_ANNOTATION} to ${reference}`
  );
}

const ARCHITECTURES: ReadonlyMap<string, 'AMD64' | 'ARM64' | 'PPC64LE' | 'S390X'> = new Map([
  ['amd64', 'AMD64'],
  ['arm64', 'ARM64'],
  ['ppc64le', 'PPC64LE'],
  ['s390x', 'S390X'],
]);

/** `status.payloadArch` of a release. */
export function payloadArch({
  architectures,
}: ReleasePayload): 'AMD64' | 'ARM64' | 'Multi' | 'PPC64LE' | 'S390X' | undefined {
  return architectures.length > 1 ? 'Multi' : ARCHITECTURES.get(architectures[0] ?? '');
}

import type { HostedCluster, HostedControlPlane } from '@capstan/api/hypershift';
import { getCondition } from '@capstan/meta';
import type { ReleasePayload } from '@capstan/release';
import { FORCE_UPGRADE_ANNOTATION, SKIP_RELEASE_VALIDATION_ANNOTATION } from '../annotations.js';
import { conditionsOf } from '../scope.js';
import type { Finding } from '../scope.js';
import type { Looked } from './lookups.js';
import { isMinorUpgrade, versionProblem } from './versions.js';

/** How long until a registry is asked again that did not answer, or had no such image. */
const ASK_AGAIN_MS = { transient: 30_000, lasting: 300_000 } as const;
const TYPE = 'ValidReleaseImage';

/** What is to be said of a release, and whether to ask again. */
export interface Verdict {
  readonly finding: Finding;
  readonly askAgainMs?: number | undefined;
}

/** The release images of a cluster: of its control plane, and of everything else. */
export function releaseImages({ spec }: HostedCluster): { readonly controlPlane: string; readonly cluster: string } {
  const cluster = spec?.release.image ?? '';
  return { controlPlane: spec?.controlPlaneRelease?.image ?? cluster, cluster };
}

/** Whether the control plane was told of these very images before: what runs is kept while a registry is away. */
export function isRunning(cluster: HostedCluster, controlPlane: HostedControlPlane | undefined): boolean {
  const images = releaseImages(cluster);
  const { controlPlaneReleaseImage, releaseImage } = controlPlane?.spec ?? {};
  return releaseImage === images.cluster && (controlPlaneReleaseImage ?? releaseImage) === images.controlPlane;
}

/** The version that runs: the newest that was completed, or else the newest that was begun. */
export function runningVersion({ status }: HostedCluster): string | undefined {
  const history = status?.version?.history ?? [];
  const version = (history.find(({ state }) => state === 'Completed') ?? history[0])?.version;
  return version === '' ? undefined : version;
}

/** Whether the release images of a cluster can be run. */
export function judgeRelease(
  cluster: HostedCluster,
  looked: readonly Looked[],
  controlPlane: HostedControlPlane | undefined,
): Verdict {
  const bad = (message: string): Finding => ({ type: TYPE, status: 'False', reason: 'InvalidImage', message });
  const good: Finding = { type: TYPE, status: 'True', reason: 'AsExpected', message: 'Release image is valid' };
  for (const each of looked) {
    if ('error' in each) {
      const { error } = each;
      const askAgainMs = error.isTransient ? ASK_AGAIN_MS.transient : ASK_AGAIN_MS.lasting;
      const isKept = error.isTransient && isRunning(cluster, controlPlane);
      return { finding: isKept ? good : bad(error.message), askAgainMs };
    }
    const problem = Object.hasOwn(cluster.metadata.annotations ?? {}, SKIP_RELEASE_VALIDATION_ANNOTATION)
      ? undefined
      : versionProblem(each.payload.version, runningVersion(cluster));
    if (problem !== undefined)
      return { finding: bad(`The release image ${each.payload.reference} cannot be run: ${problem}`) };
  }
  return { finding: good };
}

/** Why a cluster may not go to a release yet, though the release is a good one; undefined when it may. */
export function upgradeProblem(
  cluster: HostedCluster,
  { reference, version }: ReleasePayload,
  controlPlane: HostedControlPlane | undefined,
): string | undefined {
  const said = getCondition(conditionsOf(controlPlane), 'ClusterVersionUpgradeable');
  if (said?.status !== 'False' || isRunning(cluster, controlPlane)) return undefined;
  const running = runningVersion(cluster);
  if (!isMinorUpgrade(running, version)) return undefined;
  if (cluster.metadata.annotations?.[FORCE_UPGRADE_ANNOTATION] === reference) return undefined;
  return (
    `The cluster says that it cannot be upgraded from ${running ?? ''} to ${version}: ${said.message}; ` +
    `mend that, or set the annotation ${FORCE_UPGRADE_ANNOTATION} to ${reference}`
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

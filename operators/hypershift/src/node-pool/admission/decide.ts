import type { HostedCluster, NodePool } from '@capstan/api/hypershift';
import { allowedVersions, SKIP_RELEASE_VALIDATION_ANNOTATION } from '@capstan/hosting';
import type { ReleaseLookup } from '@capstan/hosting';
import { skewProblem } from '@capstan/release';

/** The NodePool of an admission request, and the one before it. */
export interface WantedPool {
  readonly object: NodePool | undefined;
  readonly old: NodePool | undefined;
}

/** The answer to the client that writes a NodePool. */
export type Verdict = { readonly denied: string } | { readonly warning: string } | undefined;

/** The image whose version has to be looked at; undefined when nothing of it changes. */
export function imageToCheck({ object, old }: WantedPool): string | undefined {
  if (object?.spec === undefined || (object.metadata.deletionTimestamp ?? undefined) !== undefined) return undefined;
  const { image } = object.spec.release;
  // What is there stays there: a pool that has fallen behind can still be scaled, labelled and paused.
  return image === old?.spec?.release.image ? undefined : image;
}

/** Whether the nodes of a cluster may be given a release. */
export function checkRelease(
  { image, release }: { readonly image: string; readonly release: ReleaseLookup | undefined },
  cluster: Pick<HostedCluster, 'metadata' | 'status'>,
  width: number,
): Verdict {
  if (cluster.metadata.annotations?.[SKIP_RELEASE_VALIDATION_ANNOTATION] !== undefined) return undefined;
  const allowed = allowedVersions(cluster, width);
  // A NodePool that is created together with its cluster: SupportedVersionSkew reports as soon as a version is known.
  if (allowed === undefined) return undefined;
  if (release === undefined || 'error' in release) {
    const why = release === undefined ? 'the cluster has no pull secret' : release.error.message;
    return { warning: `spec.release.image: cannot check whether nodes may run it: ${why}` };
  }
  const problem = skewProblem(release.payload.version, allowed);
  return problem === undefined ? undefined : { denied: `spec.release.image ${image}: version ${problem}` };
}

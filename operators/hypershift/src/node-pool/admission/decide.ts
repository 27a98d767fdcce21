import type { HostedCluster, NodePool } from '@capstan/api/hypershift';
import { allowedVersions, SKIP_RELEASE_VALIDATION_ANNOTATION } from '@capstan/hosting';
import type { ReleaseLookup } from '@capstan/hosting';
import { skewProblem } from '@capstan/release';

/** A NodePool that somebody wants to write, and the one there was. */
export interface WantedPool {
  readonly object: NodePool | undefined;
  readonly old: NodePool | undefined;
}

/** What is to be said to whoever wants to write a pool. */
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
  // A pool that is made together with its cluster. Its condition tells as soon as there is something to tell.
  if (allowed === undefined) return undefined;
  if (release === undefined || 'error' in release) {
    const why = release === undefined ? 'the cluster has no pull secret' : release.error.message;
    return { warning: `spec.release.image: it cannot be told whether nodes may have it: ${why}` };
  }
  const problem = skewProblem(release.payload.version, allowed);
  return problem === undefined ? undefined : { denied: `spec.release.image ${image}: version ${problem}` };
}

import type { ClusterAPI } from '@capstan/api/operator';
import { canonicalHash } from '@capstan/meta';
import type { Snapshot } from './snapshot.js';
import type { Releases } from '../transport/releases.js';

type Status = NonNullable<ClusterAPI['status']>;
type Revision = Status['revisions'][number];

/** The API keeps this many. */
const MAX_REVISIONS = 16;

/** The status that reports this generation as observed. A revision is added when the installed content changed. */
export function observedStatus({ clusterApi, releases }: Snapshot): Status | undefined {
  const generation = clusterApi?.metadata.generation;
  if (clusterApi === undefined || generation === undefined) return undefined;
  const unmanaged = clusterApi.spec.unmanagedCustomResourceDefinitions ?? [];
  const contentID = contentOf(releases, unmanaged);
  const revisions = clusterApi.status?.revisions ?? [];
  const newest = newestOf(revisions);
  const isSame = newest?.contentID === contentID;
  const current = isSame ? newest : revisionOf({ contentID, number: (newest?.revision ?? 0) + 1, releases, unmanaged });
  return {
    ...clusterApi.status,
    currentRevision: current.name,
    desiredRevision: current.name,
    observedRevisionGeneration: atLeast(generation, clusterApi),
    revisions: isSame ? revisions : [...revisions, current].slice(-MAX_REVISIONS),
  };
}

/** The schema denies a decrease: a higher one from another client stays, and must not block the other fields. */
function atLeast(generation: number, { status }: ClusterAPI): number {
  return Math.max(generation, status?.observedRevisionGeneration ?? 0);
}

function contentOf(releases: Releases, unmanaged: readonly string[]): string {
  const carried = (['active', 'future'] as const).map((role) =>
    [...releases[role].definitions.values()].map(({ name, text }) => [name, text]),
  );
  return canonicalHash({ carried, unmanaged });
}

function newestOf(revisions: readonly Revision[]): Revision | undefined {
  return revisions.reduce<Revision | undefined>(
    (best, each) => (best === undefined || each.revision > best.revision ? each : best),
    undefined,
  );
}

function revisionOf(of: {
  readonly contentID: string;
  readonly number: number;
  readonly releases: Releases;
  readonly unmanaged: readonly string[];
}): Revision {
  const { contentID, number: revision, releases, unmanaged } = of;
  const release = releases.active.version ?? releases.future.version ?? 'none';
  return {
    name: `${release}-${contentID.slice(0, 8)}-${revision}`,
    revision,
    contentID,
    ...(unmanaged.length === 0 ? {} : { unmanagedCustomResourceDefinitions: [...unmanaged] }),
  };
}

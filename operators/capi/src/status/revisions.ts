import type { ClusterAPI } from '@capstan/api/operator';
import { canonicalHash } from '@capstan/meta';
import type { Facts } from '../facts.js';

type Status = NonNullable<ClusterAPI['status']>;

/** The API keeps this many. */
const MAX_REVISIONS = 16;

/** The status that says: this generation is acted upon. A revision is added when what is installed changed. */
export function observedStatus({ clusterApi, releases }: Facts): Status | undefined {
  const generation = clusterApi?.metadata.generation;
  if (clusterApi === undefined || generation === undefined) return undefined;
  const unmanaged = clusterApi.spec.unmanagedCustomResourceDefinitions ?? [];
  const carried = (['active', 'future'] as const).map((role) =>
    [...releases[role].definitions.values()].map(({ name, text }) => [name, text]),
  );
  const contentID = canonicalHash({ carried, unmanaged });
  const revisions = clusterApi.status?.revisions ?? [];
  const newest = revisions.reduce<(typeof revisions)[number] | undefined>(
    (best, each) => (best === undefined || each.revision > best.revision ? each : best),
    undefined,
  );
  const release = releases.active.version ?? releases.future.version ?? 'none';
  const isSame = newest !== undefined && newest.contentID === contentID;
  const revision = (newest?.revision ?? 0) + 1;
  const current = isSame
    ? newest
    : {
        name: `${release}-${contentID.slice(0, 8)}-${revision}`,
        revision,
        contentID,
        ...(unmanaged.length === 0 ? {} : { unmanagedCustomResourceDefinitions: [...unmanaged] }),
      };
  return {
    ...clusterApi.status,
    currentRevision: current.name,
    desiredRevision: current.name,
    observedRevisionGeneration: generation,
    revisions: isSame ? revisions : [...revisions, current].slice(-MAX_REVISIONS),
  };
}

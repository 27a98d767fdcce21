import {
  HOSTED_CLUSTERS,
  MIGRATION_IN_PROGRESS_ANNOTATION,
  MIGRATION_JOURNAL_ANNOTATION,
  PRIVATE_CAPI_TYPES_ANNOTATION,
} from '@capstan/hosting';
import { Discovery } from '@capstan/kube';
import type { Client } from '@capstan/kube';
import { ignoreNotFound, pushAll } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { movedKinds, nameOfObject } from '@capstan/migration';
import { MAPPING } from './private-crds.js';

const MOST_NAMED = 3;

export async function hostedClusters(client: Client): Promise<readonly KubeObject[]> {
  return (await client.list(HOSTED_CLUSTERS).catch(ignoreNotFound))?.items ?? [];
}

/** Why a HostedCluster needs an operator on private types; undefined where it does not. */
export function privateNeed({ metadata: { annotations = {} } }: KubeObject): string | undefined {
  if (annotations[PRIVATE_CAPI_TYPES_ANNOTATION] === 'true') return 'is on private Cluster API types';
  if (annotations[MIGRATION_IN_PROGRESS_ANNOTATION] !== undefined)
    return 'is locked for its migration to private types';
  // A lock that was removed by hand: the operator on private types sets it again.
  if (annotations[MIGRATION_JOURNAL_ANNOTATION] !== undefined) return 'has the journal of an unfinished migration';
  return undefined;
}

/** What only operators on private types reconcile, as the subject and predicate of a sentence; undefined: there is nothing. */
export async function privateUse(client: Client): Promise<string | undefined> {
  const clusters = await hostedClusters(client);
  const [first, ...others] = clusters.flatMap((cluster) => {
    const need = privateNeed(cluster);
    return need === undefined ? [] : [`HostedCluster ${keyOf(cluster)} ${need}`];
  });
  if (first !== undefined) return others.length === 0 ? first : `${first}, and ${others.length} more like it`;
  const objects = await privateObjects(client);
  if (objects.length === 0) return undefined;
  const are = objects.length === 1 ? 'is in a private group' : 'are in private groups';
  return `${namedOf(objects.map(nameOfObject))} ${are} of Cluster API`;
}

/** Objects in private groups: a rollback that has not ended may have left copies, and clusters may be without a HostedCluster. */
export async function privateObjects(client: Client): Promise<readonly KubeObject[]> {
  const found: KubeObject[] = [];
  const kinds = await movedKinds({
    client,
    discovery: new Discovery(client),
    mapping: MAPPING,
    side: 'private',
    namespace: '',
  });
  for (const { source } of kinds) {
    // Identities are the cloud's administrator's, and nothing runs by them.
    if (!source.namespaced) continue;
    const items = (await client.list(source, { metadataOnly: true }).catch(ignoreNotFound))?.items ?? [];
    pushAll(
      found,
      items.map((each) => ({ ...each, kind: source.kind })),
    );
  }
  return found;
}

/** `HostedClusters a/b, a/c and 2 more`. */
export function namedClusters(clusters: readonly KubeObject[]): string {
  return `HostedCluster${clusters.length === 1 ? '' : 's'} ${namedOf(clusters.map(keyOf))}`;
}

function namedOf(names: readonly string[]): string {
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '';
  return `${names.slice(0, MOST_NAMED).join(', ')}${more}`;
}

function keyOf({ metadata }: KubeObject): string {
  return `${metadata.namespace}/${metadata.name}`;
}

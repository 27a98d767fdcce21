import type { HostedCluster } from '@capstan/api/hypershift';
import { CLUSTERS, CONTROL_PLANE_DEPLOYMENTS, ineligibility, OPERATOR_DEPLOYMENTS } from '@capstan/hosting';
import type { ApiResource, ResourceKind } from '@capstan/kube';
import { errorText } from '@capstan/kube';
import { isAlreadyExists, isForbidden, isNotFound, pushAll } from '@capstan/meta';
import { COPIED_FROM_ANNOTATION, copyOf, eachBounded, findOwned, missingKinds, ownerOf } from '@capstan/migration';
import type { MovedObject, NewOwner } from '@capstan/migration';
import { withKind } from './compare.js';
import { controlPlaneOf, countByKind } from './objects.js';
import type { ObjectReader } from './objects.js';
import { asMarked, isUnmarked, UNMARKED } from './unmarked.js';

/** What a migration of one cluster would do, and what keeps it from that. */
export interface Assessment {
  readonly namespace: string;
  readonly name: string;
  readonly isEligible: boolean;
  /** Why it is not migrated now. */
  readonly ineligibility?: string | undefined;
  /** What would make the migration fail. */
  readonly blockers: readonly string[];
  /** What it would wait for, or leave out. */
  readonly warnings: readonly string[];
  /** Objects that would be copied, by kind. */
  readonly objects: Readonly<Record<string, number>>;
  readonly deployments: { readonly found: readonly string[]; readonly absent: readonly string[] };
  readonly estimatedSeconds: number;
}

export interface AssessOptions {
  /** Lets the server validate each copy. */
  readonly isTried: boolean;
  readonly nowMs: number;
  readonly signal: AbortSignal;
}

const CONCURRENCY = 8;
/** Pods end and start, and the cluster is healthy for half a minute. */
const WAITS_SECONDS = 240;
/** For each object: copy, status, field managers, deletion of the original. */
const REQUESTS_PER_OBJECT = 5;
const EXPECTED_REQUEST_MS = 20;
const MOST_NAMES = 5;
const HOW_TO_MIRROR =
  'capstan install --private-capi-types creates those that come with it, and capstan crds mirror --from-cluster --apply the others';
const DEPLOYMENTS: ResourceKind = {
  group: 'apps',
  version: 'v1',
  plural: 'deployments',
  namespaced: true,
  kind: 'Deployment',
};

/** Assesses one cluster and writes nothing. */
export async function assess(
  reader: ObjectReader,
  cluster: HostedCluster,
  options: AssessOptions,
): Promise<Assessment> {
  const { name = '', namespace = '' } = cluster.metadata;
  const blockers: string[] = [];
  const warnings: string[] = [];
  const objects = await inventoryOf(reader, cluster, { blockers, signal: options.signal });
  const why = ineligibility(asMarked(cluster, objects.length > 0), options.nowMs);
  if (why === undefined && isUnmarked(cluster)) warnings.push(UNMARKED);
  const missing = missingKinds(objects, reader.mapping);
  if (missing.length > 0) blockers.push(`no CRD serves ${some(missing)}: ${HOW_TO_MIRROR}`);
  const deleted = objects.filter(({ object }) => object.metadata.deletionTimestamp != null);
  const [clusters, others] = [deleted.filter(isCluster), deleted.filter((each) => !isCluster(each))];
  for (const each of clusters) blockers.push(`${nameOf(each)} is being deleted: wait until it is deleted`);
  const deleting = others.map(nameOf);
  if (deleting.length > 0) warnings.push(`being deleted, and migrated as such: ${some(deleting)}`);
  const { refused, requestMs } = options.isTried
    ? await tryCopies(reader, objects, options.signal)
    : { refused: [], requestMs: EXPECTED_REQUEST_MS };
  pushAll(blockers, refused);
  pushAll(warnings, await ownedWarnings(reader, cluster, objects, options.signal));
  return {
    namespace,
    name,
    isEligible: why === undefined,
    ineligibility: why,
    blockers,
    warnings,
    objects: countByKind(objects),
    deployments: await deploymentsOf(reader, cluster, options.signal),
    estimatedSeconds: Math.ceil(
      WAITS_SECONDS + (objects.length * REQUESTS_PER_OBJECT * requestMs) / CONCURRENCY / 1000,
    ),
  };
}

async function inventoryOf(
  reader: ObjectReader,
  cluster: HostedCluster,
  { blockers, signal }: { readonly blockers: string[]; readonly signal: AbortSignal },
): Promise<readonly MovedObject[]> {
  try {
    return await reader.inventory(cluster, 'standard', signal);
  } catch (error) {
    // The migration has permissions of its own: what this user may not list is no verdict about them.
    if (!isForbidden(error)) throw error;
    blockers.push(`its objects cannot be listed: ${errorText(error)}`);
    return [];
  }
}

/** Has the server validate each copy without storing it; UIDs of owners are those of the originals. */
async function tryCopies(
  { client, mapping }: ObjectReader,
  objects: readonly MovedObject[],
  signal: AbortSignal,
): Promise<{ readonly refused: readonly string[]; readonly requestMs: number }> {
  const owners = new Map<string, NewOwner>(
    objects.map((moved) => {
      const owner = ownerOf(withKind(moved));
      return [owner.uid, { ...owner, apiVersion: mapping.swapApiVersion(owner.apiVersion) }];
    }),
  );
  const refused: string[] = [];
  const tried = objects.filter(({ kind }) => kind.target !== undefined);
  const sinceMs = performance.now();
  await eachBounded(tried, CONCURRENCY, async (moved) => {
    const { target } = moved.kind;
    if (target === undefined) return;
    const problem = await tryCopy({ client, mapping, owners, target, signal }, moved);
    if (problem !== undefined) refused.push(`${nameOf(moved)} cannot be copied: ${problem}`);
  });
  const tookMs = performance.now() - sinceMs;
  const requestMs =
    tried.length === 0 ? EXPECTED_REQUEST_MS : (tookMs * Math.min(CONCURRENCY, tried.length)) / tried.length;
  return { refused: refused.toSorted(), requestMs };
}

interface Trial extends Pick<ObjectReader, 'client' | 'mapping'> {
  readonly owners: ReadonlyMap<string, NewOwner>;
  readonly target: ResourceKind;
  readonly signal: AbortSignal;
}

async function tryCopy(
  { client, mapping, owners, signal, target }: Trial,
  moved: MovedObject,
): Promise<string | undefined> {
  try {
    const { metadata, ...copy } = copyOf(withKind(moved), target, { mapping, owners });
    const { managedFields: _, ...kept } = metadata;
    await client.create(target, { ...copy, metadata: kept }, { dryRun: true, signal });
    return undefined;
  } catch (error) {
    if (!isAlreadyExists(error)) return errorText(error);
  }
  const { name = '', namespace, uid } = moved.object.metadata;
  const there = await client.get(target, name, { namespace, signal });
  const from = there.metadata.annotations?.[COPIED_FROM_ANNOTATION];
  // An identity that clusters share may be a copy from before it was created again: the migration brings it up to date.
  const isCopy = from === uid || (!target.namespaced && from !== undefined);
  return isCopy ? undefined : `${target.plural}.${target.group} ${name} exists and is not a copy of it`;
}

/** Kinds whose objects may be owned by what is copied, but that may not be listed. */
async function ownedWarnings(
  { client, discovery, mapping }: ObjectReader,
  cluster: HostedCluster,
  objects: readonly MovedObject[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const uids = new Set(objects.map(({ object }) => object.metadata.uid ?? ''));
  const namespace = controlPlaneOf(cluster);
  const { unlisted } = await findOwned({ client, discovery, mapping, namespace, signal }, uids);
  return unlisted.length === 0 ? [] : [`kinds that cannot be listed: ${some(unlisted)}`];
}

async function deploymentsOf(
  { client }: ObjectReader,
  cluster: HostedCluster,
  signal: AbortSignal,
): Promise<Assessment['deployments']> {
  const { items } = await client
    .list(DEPLOYMENTS, { namespace: controlPlaneOf(cluster), signal })
    .catch((error: unknown) => {
      if (isForbidden(error) || isNotFound(error)) return { items: [] };
      throw error;
    });
  const there = new Set(items.map(({ metadata }) => metadata.name));
  const all = [...OPERATOR_DEPLOYMENTS, ...CONTROL_PLANE_DEPLOYMENTS];
  return { found: all.filter((name) => there.has(name)), absent: all.filter((name) => !there.has(name)) };
}

function isCluster({ kind }: Pick<MovedObject, 'kind'>): boolean {
  return kind.source.kind === CLUSTERS.kind;
}

function nameOf({
  kind,
  object,
}: {
  readonly kind: { readonly source: ApiResource };
  readonly object: MovedObject['object'];
}): string {
  return `${kind.source.kind} ${object.metadata.name ?? ''}`;
}

/** The first few names. */
export function some(names: readonly string[]): string {
  const rest = names.length - MOST_NAMES;
  return rest > 0 ? `${names.slice(0, MOST_NAMES).join(', ')} and ${rest} more` : names.join(', ');
}

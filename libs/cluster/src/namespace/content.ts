import { formatApiVersion, isMethodNotSupported, isNotFound, maxOf } from '@capstan/meta';
import type { Clock, KubeObject } from '@capstan/meta';
import { errorText } from '@capstan/kube';
import type { ApiResource, Client, Discovery, DiscoverySnapshot, ObjectList } from '@capstan/kube';
import { discoveryFailureText } from './conditions.js';
import type { ContentOutcome, Remaining } from './outcome.js';

export interface ContentOptions {
  readonly client: Client;
  readonly discovery: Discovery;
  readonly clock: Clock;
}

/** How long another controller's finalizer is given. */
const FINALIZER_SECONDS = 15;
const CONCURRENCY = 5;

interface ResourceOutcome {
  readonly remaining?: Remaining | undefined;
  readonly estimateSeconds: number;
  readonly error?: string | undefined;
}

/** Deletes everything in a namespace: pods first, and nothing else while any are left, since they may need the rest to end well. */
export async function deleteContent(
  options: ContentOptions,
  namespace: KubeObject,
  signal: AbortSignal,
): Promise<ContentOutcome> {
  let snapshot: DiscoverySnapshot;
  try {
    snapshot = await options.discovery.refresh(signal);
  } catch (error) {
    return { discoveryError: errorText(error), errors: [], remaining: [], estimateSeconds: 0 };
  }
  const discoveryError = snapshot.failures.length === 0 ? undefined : discoveryFailureText(snapshot.failures);
  const deletable = snapshot.preferred.filter(({ namespaced, verbs }) => namespaced && verbs.includes('delete'));
  const empty = (resource: ApiResource): Promise<ResourceOutcome> =>
    emptyResource(options, resource, namespace, signal);
  const pods = deletable.filter(isPods);
  const podOutcomes = await Promise.all(pods.map(empty));
  if (podOutcomes.some(({ remaining }) => remaining !== undefined)) return combine(discoveryError, podOutcomes);
  const rest = deletable.filter((resource) => !isPods(resource));
  return combine(discoveryError, [...podOutcomes, ...(await mapConcurrently(rest, empty))]);
}

function isPods({ group, plural }: ApiResource): boolean {
  return group === '' && plural === 'pods';
}

function combine(discoveryError: string | undefined, outcomes: readonly ResourceOutcome[]): ContentOutcome {
  return {
    discoveryError,
    errors: outcomes.flatMap(({ error }) => (error === undefined ? [] : [error])),
    remaining: outcomes.flatMap(({ remaining }) => (remaining === undefined ? [] : [remaining])),
    estimateSeconds: maxOf(
      outcomes.map(({ estimateSeconds }) => estimateSeconds),
      0,
    ),
  };
}

async function emptyResource(
  options: ContentOptions,
  resource: ApiResource,
  namespace: KubeObject,
  signal: AbortSignal,
): Promise<ResourceOutcome> {
  const name = namespace.metadata.name ?? '';
  let estimateSeconds = 0;
  try {
    if (isPods(resource)) estimateSeconds = await podGrace(options, resource, namespace, signal);
    if (!(await deleteAll(options.client, resource, name, signal)))
      await deleteEach(options.client, resource, name, signal);
    const left = await list(options.client, resource, name, signal);
    if (left === undefined) return { estimateSeconds };
    if (left.items.length === 0) return { estimateSeconds: 0 };
    const remaining = countRemaining(resource, left);
    if (estimateSeconds > 0) return { remaining, estimateSeconds };
    // A controller is cleaning up; without a finalizer none is, and they should have been deleted.
    if (remaining.finalizers.size > 0) return { remaining, estimateSeconds: FINALIZER_SECONDS };
    const gvr = `${resource.group}/${resource.version}, Resource=${resource.plural}`;
    return { remaining, estimateSeconds, error: `unexpected items still remain in namespace: ${name} for gvr: ${gvr}` };
  } catch (error) {
    return { estimateSeconds, error: errorText(error) };
  }
}

function countRemaining(resource: ApiResource, list: ObjectList<KubeObject>): Remaining {
  const finalizers = new Map<string, number>();
  for (const { metadata } of list.items) {
    for (const finalizer of metadata.finalizers ?? []) finalizers.set(finalizer, (finalizers.get(finalizer) ?? 0) + 1);
  }
  return { resource, count: list.items.length, finalizers, resourceVersion: list.resourceVersion };
}

/** False when the server does not offer to delete a whole collection. */
async function deleteAll(
  client: Client,
  resource: ApiResource,
  namespace: string,
  signal: AbortSignal,
): Promise<boolean> {
  if (!resource.verbs.includes('deletecollection')) return false;
  return client
    .deleteCollection(resource, { namespace, propagationPolicy: 'Background', metadataOnly: true, signal })
    .then(() => true, notOffered(false));
}

async function deleteEach(
  client: Client,
  resource: ApiResource,
  namespace: string,
  signal: AbortSignal,
): Promise<void> {
  const found = await list(client, resource, namespace, signal);
  for (const { metadata } of found?.items ?? []) {
    await client
      .delete(resource, metadata.name ?? '', { namespace, propagationPolicy: 'Background', metadataOnly: true, signal })
      .then(() => undefined, notOffered(undefined));
  }
}

/** Undefined when the server does not list the resource. */
async function list(
  client: Client,
  resource: ApiResource,
  namespace: string,
  signal: AbortSignal,
): Promise<ObjectList<KubeObject> | undefined> {
  if (!resource.verbs.includes('list')) return undefined;
  return client.list(resource, { namespace, metadataOnly: true, signal }).catch(notOffered(undefined));
}

/** Discovery may promise more than a server keeps; what it does not serve holds nothing. */
function notOffered<T>(value: T): (error: unknown) => T {
  return (error) => {
    if (isMethodNotSupported(error) || isNotFound(error)) return value;
    throw error;
  };
}

/** The longest time a running pod asked for, while that time is not over. */
async function podGrace(
  { client, clock }: ContentOptions,
  pods: ApiResource,
  namespace: KubeObject,
  signal: AbortSignal,
): Promise<number> {
  const { items } = await client.list(pods, { namespace: namespace.metadata.name, signal });
  let longest = 0;
  for (const { spec, status } of items) {
    const phase = (status as { phase?: string } | undefined)?.phase;
    if (phase === 'Succeeded' || phase === 'Failed') continue;
    longest = Math.max(
      longest,
      (spec as { terminationGracePeriodSeconds?: number } | undefined)?.terminationGracePeriodSeconds ?? 0,
    );
  }
  const deletedAt = Date.parse(namespace.metadata.deletionTimestamp ?? '');
  return clock.now() - deletedAt >= longest * 1000 ? 0 : longest;
}

async function mapConcurrently<A, B>(items: readonly A[], map: (item: A) => Promise<B>): Promise<B[]> {
  const results: B[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < items.length; at = next++) results[at] = await map(items[at] as A);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return results;
}

/** For logs. */
export function remainingText(remaining: readonly Remaining[]): string {
  return remaining.map(({ resource, count }) => `${count} ${formatApiVersion(resource)} ${resource.plural}`).join(', ');
}

import type { ApiResource, Client, Discovery, ResourceKind } from '@capstan/kube';
import { isForbidden } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import type { GroupMapping, Side } from '@capstan/translate';
import { eachBounded } from './bounded.js';
import { MigrationError } from './errors.js';

/** A kind that is served under both names of its group. */
export interface MovedKind {
  readonly source: ApiResource;
  /** The same kind under the other name; undefined when no CRD serves it. */
  readonly target: ResourceKind | undefined;
}

/** An object and where it is moved. */
export interface MovedObject {
  readonly kind: MovedKind;
  readonly object: KubeObject;
}

export interface InventoryOptions {
  readonly client: Client;
  readonly discovery: Discovery;
  readonly mapping: GroupMapping;
  /** Which objects are listed: those of the standard groups, or those of the private ones. */
  readonly side: Side;
  readonly namespace: string;
  /** Requests at once. Default 8. */
  readonly concurrency?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What a client has to be able to do with a kind so that its objects can be moved. */
const NEEDED_VERBS = ['list', 'create', 'update', 'delete'] as const;
export const DEFAULT_CONCURRENCY = 8;

/**
 * Every object of a namespace in groups of one side, found by discovery, so that no kind has to be known beforehand; and the
 * cluster-scoped identities they refer to.
 */
export async function takeInventory(options: InventoryOptions): Promise<readonly MovedObject[]> {
  const kinds = await movedKinds(options);
  const inNamespace = await listAll(
    options,
    kinds.filter(({ source }) => source.namespaced),
    options.namespace,
  );
  const identities = await referredIdentities(options, kinds, inNamespace);
  return [...identities, ...inNamespace];
}

/** The kinds of one side that hold objects, in the order of discovery. */
export async function movedKinds({ discovery, mapping, side, signal }: InventoryOptions): Promise<MovedKind[]> {
  const { failures, preferred, resources } = await discovery.refresh(signal);
  const unread = failures.find(({ group }) => mapping.side(group) !== undefined);
  // A kind that is not seen would be left behind.
  if (unread !== undefined) {
    const { group, message, version } = unread;
    throw new MigrationError('incomplete-discovery', `${group}/${version} cannot be discovered: ${message}`);
  }
  return preferred
    .filter(({ group, verbs }) => mapping.side(group) === side && NEEDED_VERBS.every((verb) => verbs.includes(verb)))
    .map((source) => {
      const group = mapping.swap(source.group);
      const others = resources.filter((each) => each.group === group && each.plural === source.plural);
      return { source, target: others.find(({ version }) => version === source.version) ?? others[0] };
    });
}

/** Every object of kinds, in one namespace or in all. */
export async function listAll(
  { client, concurrency = DEFAULT_CONCURRENCY, signal }: Pick<InventoryOptions, 'client' | 'concurrency' | 'signal'>,
  kinds: readonly MovedKind[],
  namespace: string | undefined,
): Promise<readonly MovedObject[]> {
  const found = new Map<MovedKind, readonly KubeObject[]>();
  const unreadable = new Set<MovedKind>();
  await eachBounded(kinds, concurrency, async (kind) => {
    try {
      found.set(kind, (await client.list(kind.source, { namespace, signal })).items);
    } catch (error) {
      if (!isForbidden(error)) throw error;
      unreadable.add(kind);
    }
  });
  // What is not seen would be left behind.
  if (unreadable.size > 0) throw unreadableError([...unreadable], namespace);
  return kinds.flatMap((kind) => (found.get(kind) ?? []).map((object) => ({ kind, object })));
}

/**
 * Whether a namespace has objects in groups of one side. One object decides it, whatever else may be listed; that there is
 * none is certain only where every kind may be.
 */
export async function hasObjects(options: InventoryOptions): Promise<boolean> {
  const { client, concurrency = DEFAULT_CONCURRENCY, namespace, signal } = options;
  const kinds = (await movedKinds(options)).filter(({ source }) => source.namespaced);
  const unreadable = new Set<MovedKind>();
  let isFound = false;
  await eachBounded(kinds, concurrency, async (kind) => {
    try {
      const { items } = await client.list(kind.source, { namespace, metadataOnly: true, signal });
      isFound ||= items.length > 0;
    } catch (error) {
      if (!isForbidden(error)) throw error;
      unreadable.add(kind);
    }
  });
  if (isFound || unreadable.size === 0) return isFound;
  throw unreadableError([...unreadable], namespace);
}

/** Kinds of one side that may not be listed in a namespace, as `plural.group`. */
export async function unreadableKinds(options: InventoryOptions): Promise<readonly string[]> {
  const { client, concurrency = DEFAULT_CONCURRENCY, namespace, signal } = options;
  const unreadable: string[] = [];
  const kinds = (await movedKinds(options)).filter(({ source }) => source.namespaced);
  await eachBounded(kinds, concurrency, async ({ source }) => {
    try {
      await client.revision(source, { namespace, signal });
    } catch (error) {
      if (!isForbidden(error)) throw error;
      unreadable.push(`${source.plural}.${source.group}`);
    }
  });
  return unreadable.toSorted();
}

function unreadableError(kinds: readonly MovedKind[], namespace: string | undefined): MigrationError {
  const names = kinds.map(({ source }) => `${source.plural}.${source.group}`).toSorted();
  return new MigrationError('unreadable-kind', unreadableText(names, namespace));
}

/** What is wrong and what to do about kinds that may not be listed. */
export function unreadableText(names: readonly string[], namespace: string | undefined): string {
  const more = names.length > 1 ? ` and ${names.length - 1} more` : '';
  const where = namespace === undefined ? '' : ` in namespace ${namespace}`;
  return `${names[0] ?? ''}${more} may not be listed${where}: run capstan install again, which grants what is served`;
}

interface IdentityReference {
  readonly kind: string;
  readonly name: string;
}

/** The cluster-scoped identity that an object refers to. */
export function identityOf({ spec }: KubeObject): IdentityReference | undefined {
  const { identityRef } = (spec ?? {}) as { readonly identityRef?: Partial<IdentityReference> };
  const { kind, name } = identityRef ?? {};
  return kind === undefined || name === undefined ? undefined : { kind, name };
}

/** Cluster-scoped objects that the infrastructure of a namespace authenticates by. */
async function referredIdentities(
  options: InventoryOptions,
  kinds: readonly MovedKind[],
  objects: readonly MovedObject[],
): Promise<readonly MovedObject[]> {
  const wanted = new Map<string, Set<string>>();
  for (const { object } of objects) {
    const identity = identityOf(object);
    if (identity === undefined) continue;
    wanted.set(identity.kind, (wanted.get(identity.kind) ?? new Set()).add(identity.name));
  }
  const clusterScoped = kinds.filter(({ source }) => !source.namespaced && wanted.has(source.kind));
  const found = await listAll(options, clusterScoped, undefined);
  return found.filter(({ kind, object }) => wanted.get(kind.source.kind)?.has(object.metadata.name ?? '') === true);
}

/** Kinds that hold objects and are not served under the other name, as `plural.group`. */
export function missingKinds(objects: readonly MovedObject[], mapping: GroupMapping): readonly string[] {
  const missing = objects.filter(({ kind }) => kind.target === undefined).map(({ kind }) => kind.source);
  return [...new Set(missing.map(({ group, plural }) => `${plural}.${mapping.swap(group)}`))].toSorted();
}

/** `Machine clusters-a/worker-1`, for messages. */
export function nameOfObject({ kind, metadata }: KubeObject): string {
  return metadata.namespace === undefined
    ? `${kind} ${metadata.name ?? ''}`
    : `${kind} ${metadata.namespace}/${metadata.name ?? ''}`;
}

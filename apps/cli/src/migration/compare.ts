import {
  MIGRATION_COPIED_ANNOTATION,
  MIGRATION_PAUSED_ANNOTATION,
  PAUSED_ANNOTATION,
  annotated,
} from '@capstan/hosting';
import { deepEqual } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { COPIED_FROM_ANNOTATION, COPIED_GENERATION_ANNOTATION, swapObject } from '@capstan/migration';
import type { MovedObject } from '@capstan/migration';
import type { GroupMapping } from '@capstan/translate';

/** What is not as it should be about one object. */
export interface Difference {
  readonly kind: string;
  readonly name: string;
  /** Missing: in the groups where it should be. Extra: in the others. Dangling: its owner does not exist. */
  readonly what: 'dangling' | 'different' | 'extra' | 'missing';
  /** Of the fields that differ, or of the reference. */
  readonly paths?: readonly string[] | undefined;
}

export interface Sides {
  /** Objects in the groups that count for the cluster. */
  readonly own: readonly MovedObject[];
  readonly other: readonly MovedObject[];
  /** While it is migrated, both have the same objects. */
  readonly isLocked: boolean;
}

/** Compares both groups object by object. */
export function compareSides({ isLocked, other, own }: Sides, mapping: GroupMapping): readonly Difference[] {
  const [ownByKey, otherByKey] = [byKey(own), byKey(other)];
  const found = danglingOwners(own, mapping);
  const isBoth = isLocked && own.length > 0 && other.length > 0;
  for (const [key, object] of ownByKey) {
    const counterpart = otherByKey.get(key);
    if (!isBoth) continue;
    if (counterpart === undefined) found.push({ ...namesOf(object), what: 'missing' });
    else {
      const paths = differingPaths(comparable(object), comparable(swapObject(counterpart, mapping)));
      if (paths.length > 0) found.push({ ...namesOf(object), what: 'different', paths });
    }
  }
  for (const [key, object] of otherByKey)
    if (!ownByKey.has(key))
      found.push({ ...namesOf(object), what: own.length === 0 && !isLocked ? 'missing' : 'extra' });
    else if (!isLocked) found.push({ ...namesOf(object), what: 'extra' });
  return found;
}

function byKey(objects: readonly MovedObject[]): ReadonlyMap<string, KubeObject> {
  const inNamespace = objects.filter(({ kind }) => kind.source.namespaced);
  return new Map(
    inNamespace.map(({ kind, object }) => [
      `${kind.source.plural}/${object.metadata.name}`,
      withKind({ kind, object }),
    ]),
  );
}

/** Servers leave the type out of the items of a list. */
export function withKind({ kind: { source }, object }: MovedObject): KubeObject {
  return { ...object, apiVersion: `${source.group}/${source.version}`, kind: source.kind };
}

function namesOf({ kind, metadata }: KubeObject): { readonly kind: string; readonly name: string } {
  return { kind, name: metadata.name ?? '' };
}

/** Owners in the groups that are moved whose UID no object has: the garbage collector would delete what they own. */
function danglingOwners(own: readonly MovedObject[], mapping: GroupMapping): Difference[] {
  const uids = new Set(own.map(({ object }) => object.metadata.uid));
  return own.flatMap((moved) => {
    const references = moved.object.metadata.ownerReferences ?? [];
    const paths = references.flatMap(({ apiVersion, uid }, at) =>
      mapping.swapApiVersion(apiVersion) === apiVersion || uids.has(uid) ? [] : [`metadata.ownerReferences[${at}]`],
    );
    return paths.length === 0 ? [] : [{ ...namesOf(withKind(moved)), what: 'dangling' as const, paths }];
  });
}

/** An object without what the server assigns and what the migration itself marks. */
export function comparable(object: KubeObject): unknown {
  const { finalizers, labels, ownerReferences } = object.metadata;
  const by = object.metadata.annotations?.[MIGRATION_PAUSED_ANNOTATION];
  const { annotations } = annotated(object, {
    [COPIED_FROM_ANNOTATION]: undefined,
    [COPIED_GENERATION_ANNOTATION]: undefined,
    [MIGRATION_COPIED_ANNOTATION]: undefined,
    [MIGRATION_PAUSED_ANNOTATION]: undefined,
    ...(by === 'annotation' ? { [PAUSED_ANNOTATION]: undefined } : {}),
  }).metadata;
  const { apiVersion: _apiVersion, metadata: _metadata, ...content } = object;
  const spec = { ...(content['spec'] as object | undefined) } as Record<string, unknown>;
  if (by === 'spec') delete spec['paused'];
  return withoutGenerations({
    ...content,
    spec,
    metadata: {
      annotations: annotations ?? {},
      finalizers: finalizers ?? [],
      labels: labels ?? {},
      ownerReferences: (ownerReferences ?? []).map(({ uid: _uid, ...reference }) => reference),
    },
  });
}

/** A copy has a generation of its own. */
function withoutGenerations(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutGenerations);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key, each]) => key !== 'observedGeneration' && each !== undefined);
  return Object.fromEntries(entries.map(([key, each]) => [key, withoutGenerations(each)]));
}

const MOST_PATHS = 20;

/** Paths of the fields that differ. */
export function differingPaths(a: unknown, b: unknown, path = ''): readonly string[] {
  if (deepEqual(a, b)) return [];
  if (!isRecord(a) || !isRecord(b)) return [path];
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  const found = keys.flatMap((key) => differingPaths(a[key], b[key], path === '' ? key : `${path}.${key}`));
  return found.slice(0, MOST_PATHS);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

import type { KubeObject, OwnerReference } from '../object.js';

/** Objects that own each other in a circle: there is no order in which they can be created. */
export class OwnerCycle extends Error {
  override readonly name = 'OwnerCycle';

  constructor(members: readonly KubeObject[]) {
    const names = members.map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ''}/${metadata.name ?? ''}`);
    super(`owner references form a circle: ${names.join(' -> ')}`);
  }
}

/**
 * The objects in levels: those of the first have no owner among them, those of each further level only owners of earlier
 * ones. Owners elsewhere do not count. Throws {@link OwnerCycle}.
 */
export function ownerLevels<T extends KubeObject>(objects: readonly T[]): readonly (readonly T[])[] {
  const byUid = new Map(objects.map((object) => [object.metadata.uid ?? '', object]));
  const levels: T[][] = [];
  const levelOf = new Map<T, number>();
  const visit = (object: T, path: readonly T[]): number => {
    const known = levelOf.get(object);
    if (known !== undefined) return known;
    if (path.includes(object)) throw new OwnerCycle([...path.slice(path.indexOf(object)), object]);
    let level = 0;
    for (const { uid } of object.metadata.ownerReferences ?? []) {
      const owner = byUid.get(uid);
      if (owner !== undefined) level = Math.max(level, visit(owner, [...path, object]) + 1);
    }
    levelOf.set(object, level);
    (levels[level] ??= []).push(object);
    return level;
  };
  for (const object of objects) visit(object, []);
  return levels;
}

/** The references with every owner that `next` knows, by UID, replaced; the very same list when it knows none. */
export function remapOwnerReferences(
  references: readonly OwnerReference[] | undefined,
  next: ReadonlyMap<string, Pick<OwnerReference, 'apiVersion' | 'kind' | 'name' | 'uid'>>,
): readonly OwnerReference[] | undefined {
  if (references?.some(({ uid }) => next.has(uid)) !== true) return references;
  return references.map((reference) => ({ ...reference, ...next.get(reference.uid) }));
}

import type { KubeObject } from '@capstan/meta';
import type { GroupMapping } from '@capstan/translate';
import { COPIED_FROM_ANNOTATION } from './copy.js';
import type { MovedObject } from './inventory.js';
import type { CopyRecord } from './record.js';

/**
 * Finds the original of a copy: the object of the same kind and name under the other name of its group. Annotations cannot
 * decide it: Cluster API propagates those of a MachineDeployment to its MachineSets, which would then pass for copies of it.
 */
export function findOriginal(
  originals: readonly MovedObject[],
  mapping: GroupMapping,
): (copy: MovedObject) => MovedObject | undefined {
  const byName = new Map(originals.map((each) => [keyOf(each, (group) => group), each]));
  return (copy) => byName.get(keyOf(copy, (group) => mapping.swap(group)));
}

function keyOf({ kind: { source }, object }: MovedObject, groupOf: (group: string) => string): string {
  const { name = '', namespace = '' } = object.metadata;
  return `${source.plural}.${groupOf(source.group)} ${namespace}/${name}`;
}

/**
 * Whether an original without a copy once had one, which its controllers have deleted since: it is older than the first copy.
 * Both times are of the server: the clock of this process may differ from it by more than copying takes. They have no parts of
 * seconds: what was created in the second in which copying began may be an object of another client, and counts as one, since
 * nothing is lost by keeping it.
 */
export function wasCopied(copies: readonly MovedObject[]): (original: KubeObject) => boolean {
  const began = copies
    .filter(({ kind, object }) => kind.source.namespaced && isCopy(object))
    .reduce((least, { object }) => Math.min(least, createdAt(object)), Number.POSITIVE_INFINITY);
  return (original) => Number.isFinite(began) && createdAt(original) < began;
}

/** The same by the record of what was copied, where there is one. */
export function hadCopy(
  copies: readonly MovedObject[],
  record: CopyRecord | undefined,
): (original: KubeObject) => boolean {
  if (record === undefined) return wasCopied(copies);
  const uids = new Set([...record.values()].map(({ from }) => from));
  return ({ metadata }) => uids.has(metadata.uid ?? '');
}

function isCopy({ metadata }: KubeObject): boolean {
  return metadata.annotations?.[COPIED_FROM_ANNOTATION] !== undefined;
}

function createdAt({ metadata }: KubeObject): number {
  return Date.parse(metadata.creationTimestamp ?? '');
}

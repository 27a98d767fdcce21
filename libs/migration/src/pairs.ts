import type { GroupMapping } from '@capstan/translate';
import type { MovedObject } from './inventory.js';

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

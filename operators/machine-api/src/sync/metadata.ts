/** Labels and annotations of a copy: those of the authority, and what users and controllers put there besides. */
import { deepEqual, parseJson } from '@capstan/meta';
import type { JsonObject, KubeObject, ObjectMeta, OwnerReference } from '@capstan/meta';
import { PAUSED_ANNOTATION } from '@capstan/convert/machine-api';

/**
 * Which labels and annotations of a copy came from the authority when it was last synchronised: what is in there and no
 * longer on the authority was removed there, and everything else belongs to others.
 */
export const KEYS_ANNOTATION = 'machine.openshift.io/synchronized-keys';
const FIELDS = ['labels', 'annotations'] as const;
type Texts = Readonly<Record<string, string>>;
/** Not of the resource, but of one copy. */
const OWN: readonly string[] = [KEYS_ANNOTATION, PAUSED_ANNOTATION];

/** The object without what is of this copy alone, to be converted. */
export function withoutOwnKeys<T extends KubeObject>(object: T, isPauseCarried: boolean): T {
  const { annotations } = object.metadata;
  const own = isPauseCarried ? [KEYS_ANNOTATION] : OWN;
  if (annotations === undefined || !own.some((key) => key in annotations)) return object;
  const kept = Object.fromEntries(Object.entries(annotations).filter(([key]) => !own.includes(key)));
  return { ...object, metadata: { ...object.metadata, annotations: kept } };
}

function recordedKeys({ annotations }: ObjectMeta): Readonly<Record<string, unknown>> {
  try {
    const { value } = parseJson(annotations?.[KEYS_ANNOTATION] ?? '{}');
    return typeof value === 'object' && value !== null ? (value as JsonObject) : {};
  } catch {
    return {};
  }
}

function merged(existing: Texts, desired: Texts, recorded: unknown): Texts {
  const before: readonly unknown[] = Array.isArray(recorded) ? recorded : [];
  const others = Object.entries(existing).filter(([key]) => !before.includes(key) || key in desired);
  return { ...Object.fromEntries(others), ...desired };
}

/** What a copy's metadata become; owners as given. The very same when nothing differs. */
export function mergedMetadata(
  existing: ObjectMeta,
  desired: Pick<ObjectMeta, 'labels' | 'annotations'>,
  ownerReferences: readonly OwnerReference[] | undefined,
): ObjectMeta {
  const recorded = recordedKeys(existing);
  const made: Record<string, unknown> = { ...existing };
  const keys: Record<string, readonly string[]> = {};
  for (const field of FIELDS) {
    const wanted = desired[field] ?? {};
    keys[field] = Object.keys(wanted).sort();
    made[field] = merged(existing[field] ?? {}, wanted, recorded[field]);
  }
  made['annotations'] = { ...(made['annotations'] as Texts), [KEYS_ANNOTATION]: JSON.stringify(keys) };
  if (ownerReferences !== undefined) made['ownerReferences'] = withOwners(existing.ownerReferences, ownerReferences);
  for (const field of ['labels', 'annotations', 'ownerReferences'])
    if (isEmpty(made[field]) && existing[field as 'labels'] === undefined) delete made[field];
  return deepEqual(existing, made) ? existing : (made as ObjectMeta);
}

const isEmpty = (value: unknown): boolean => value !== undefined && Object.keys(value as object).length === 0;

/** As given, with those of other kinds than ours kept; one that is there stays as its controller wrote it. */
function withOwners(existing: readonly OwnerReference[] = [], owners: readonly OwnerReference[]): OwnerReference[] {
  const isOfMachines = ({ kind }: OwnerReference): boolean =>
    ['MachineSet', 'ControlPlaneMachineSet', 'Cluster', 'Machine'].includes(kind);
  const asItIs = (owner: OwnerReference): OwnerReference => existing.find(({ uid }) => uid === owner.uid) ?? owner;
  return [...existing.filter((each) => !isOfMachines(each)), ...owners.map(asItIs)];
}

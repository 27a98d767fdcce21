import { deepEqual } from '@capstan/meta';
import type { KubeObject, LabelMatcher } from '@capstan/meta';
import type { ObjectEvent } from './events.js';

/** Whether an event matters. An update has the object before and after. */
export type Predicate<T extends KubeObject = KubeObject> = (event: ObjectEvent<T>) => boolean;

/** Lets through updates for which `changed` holds, and everything that is no update. */
function onUpdate(changed: (old: KubeObject['metadata'], now: KubeObject['metadata']) => boolean): Predicate {
  return (event) => event.type !== 'update' || changed(event.old.metadata, event.object.metadata);
}

/**
 * Updates that changed the spec. What changes no generation does not pass: status, labels, finalizers, and any update at
 * all of a kind without generation.
 */
export const generationChanged: Predicate = onUpdate((old, now) => old.generation !== now.generation);

/** Updates that changed anything; resyncs do not pass. */
export const resourceVersionChanged: Predicate = onUpdate((old, now) => old.resourceVersion !== now.resourceVersion);

/** Updates that changed more than the revision and who set which field: of what the cache keeps, which may be little. */
export const contentChanged: Predicate = (event) => {
  if (event.type !== 'update') return true;
  const { metadata: before, ...old } = event.old;
  const { metadata: after, ...now } = event.object;
  return !deepEqual(content(before), content(after)) || !deepEqual(old, now);
};

function content(metadata: KubeObject['metadata']): object {
  const { managedFields: _, resourceVersion: __, ...kept } = metadata;
  return kept;
}

/** As {@link contentChanged}, of kinds of whose status some fields change often and matter to nobody here. */
export function changedExceptStatus(...fields: readonly string[]): Predicate {
  const ignored = new Set(fields);
  const withoutIgnored = (object: KubeObject): object => {
    const status = Object.entries(object['status'] ?? {}).filter(([field]) => !ignored.has(field));
    return { ...object, metadata: content(object.metadata), status: Object.fromEntries(status) };
  };
  return (event) => event.type !== 'update' || !deepEqual(withoutIgnored(event.old), withoutIgnored(event.object));
}

const WORDS = ['labels', 'annotations', 'finalizers', 'ownerReferences'] as const;

/**
 * Updates that changed more than the status, of a kind with generation: what is asked of an object, its labels and
 * annotations, what keeps it and whose it is.
 */
export const changedOutsideStatus: Predicate = onUpdate(
  (old, now) =>
    // Another object of the same name: the watch missed the deletion.
    old.uid !== now.uid ||
    old.generation !== now.generation ||
    old.deletionTimestamp !== now.deletionTimestamp ||
    WORDS.some((field) => !deepEqual(old[field], now[field])),
);

/** Updates that changed labels. */
export const labelsChanged: Predicate = onUpdate((old, now) => !deepEqual(old.labels ?? {}, now.labels ?? {}));

/** Updates that changed annotations. */
export const annotationsChanged: Predicate = onUpdate(
  (old, now) => !deepEqual(old.annotations ?? {}, now.annotations ?? {}),
);

/** Events of objects a label selector takes; of an update, the object after it. */
export function matchesLabels(matcher: LabelMatcher): Predicate {
  return ({ object }) => matcher.matches(object.metadata.labels ?? {});
}

/** Events of objects a function takes; of an update, the object after it. */
export function matchesObject<T extends KubeObject>(matches: (object: T) => boolean): Predicate<T> {
  return ({ object }) => matches(object);
}

/** All of them agree. */
export function and<T extends KubeObject>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return (event) => predicates.every((predicate) => predicate(event));
}

/** One of them agrees. */
export function or<T extends KubeObject>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return (event) => predicates.some((predicate) => predicate(event));
}

/** It does not agree. */
export function not<T extends KubeObject>(predicate: Predicate<T>): Predicate<T> {
  return (event) => !predicate(event);
}

import { extended } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import type { Desired } from './desired.js';
import { overlay } from './overlay.js';

/** The existing object as it should be; the very same when it is so already. */
export type Merge = (existing: KubeObject, desired: Desired) => KubeObject;

/** The {@link overlay} of an object, where finalizers and owner references of others stay. */
export const mergeDesired: Merge = (existing, desired) => {
  const metadata = extended(desired.metadata, sharedLists(existing, desired));
  return overlay(existing, extended(desired, { metadata })) as KubeObject;
};

function sharedLists({ metadata }: KubeObject, desired: Desired): object {
  const { finalizers = [], labels = {}, ownerReferences = [] } = desired.metadata;
  const present = metadata.finalizers ?? [];
  const owners = metadata.ownerReferences ?? [];
  const isNew = (owner: object): boolean => !owners.some(({ uid }) => uid === (owner as { uid?: string }).uid);
  return {
    finalizers: orAbsent([...present, ...finalizers.filter((each) => !present.includes(each))]),
    ownerReferences: orAbsent([...owners, ...ownerReferences.filter(isNew)]),
    // The server stores no empty set of labels.
    ...(metadata.labels === undefined && Object.values(labels).every((each) => each === undefined)
      ? { labels: undefined }
      : {}),
  };
}

function orAbsent<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list;
}

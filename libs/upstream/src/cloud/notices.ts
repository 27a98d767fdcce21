import type { Source } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import type { Cloud } from './cloud.js';
import type { Instance } from './instance.js';
import { OWNER_TAG } from './instance.js';

/** Calls the listener for every instance that has changed. Returns the function that unsubscribes it. */
export type CloudNotices = (listener: (instance: Instance) => void) => () => void;

/** The changes of a cloud's instances, delivered at once and without guarantee, as its event bus would. */
export function noticesOf(cloud: Cloud): CloudNotices {
  return (listener) =>
    cloud.subscribe(({ instance, operation }) => {
      if (operation === 'change' && instance !== undefined) listener(instance);
    });
}

/** Brings up the objects that instances belong to when these change; they are found by the owner an instance names. */
export function noticeSource<T extends KubeObject>(
  notices: CloudNotices,
  ownedBy: (uid: string) => Iterable<T>,
): Source<T> {
  return {
    name: 'instances',
    start: (emit, signal) => {
      const end = notices(({ tags }) => {
        for (const object of ownedBy(tags[OWNER_TAG] ?? '')) emit({ type: 'generic', object });
      });
      signal.addEventListener('abort', end, { once: true });
      return Promise.resolve();
    },
  };
}

import type { KubeObject } from '@capstan/meta';
import type { Oracle, Violation } from '../scenario.js';
import { commitSubject } from '../engine/event-log.js';
import type { CommitEvent } from '../engine/event-log.js';

/** Revisions of commits are dense and rising, and no watch ever goes back. */
export const revisionOrder: Oracle = {
  name: 'revision-order',
  check: ({ events }) => {
    const violations: Violation[] = [];
    const wrong = (message: string, event: Violation['event']): void => {
      violations.push({ oracle: 'revision-order', message, event });
    };
    const shown = new Map<string, number>();
    let last: number | undefined;
    for (const event of events) {
      if (event.type === 'commit') {
        if (last !== undefined && event.revision !== last + 1)
          wrong(`revision ${event.revision} follows ${last}`, event);
        last = event.revision;
      } else if (event.type === 'frame' && event.revision !== '') {
        const watch = `${event.process} #${event.effect}`;
        const revision = Number(event.revision);
        const before = shown.get(watch) ?? 0;
        const isInOrder = event.frame === 'BOOKMARK' ? revision >= before : revision > before;
        // What a watch begins with comes by name, not by age.
        if (!isInOrder && event.frame !== 'ADDED') wrong(`${watch} is shown ${revision} after ${before}`, event);
        shown.set(watch, Math.max(revision, before));
      }
    }
    return violations;
  },
};

/** What was there at first, with every commit applied in order, is what is there at the end. */
export const foldIsState: Oracle = {
  name: 'fold-is-state',
  check: ({ events, initial, final }) => {
    const versions = new Map<string, string>();
    const key = (resource: string, { metadata }: KubeObject): string =>
      `${resource} ${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
    const version = ({ metadata }: KubeObject): string => `${metadata.uid ?? ''}@${metadata.resourceVersion ?? ''}`;
    for (const [resource, objects] of initial.entries())
      for (const object of objects) versions.set(key(resource, object), version(object));
    for (const event of events) {
      if (event.type !== 'commit') continue;
      if (event.change === 'delete') versions.delete(key(event.resource, event.object));
      else versions.set(key(event.resource, event.object), version(event.object));
    }
    const violations: Violation[] = [];
    for (const [resource, objects] of final.entries())
      for (const object of objects) {
        const expected = versions.get(key(resource, object));
        versions.delete(key(resource, object));
        if (expected === version(object)) continue;
        const message = `${key(resource, object)} is ${version(object)}, its history has ${expected ?? 'gone'}`;
        violations.push({ oracle: 'fold-is-state', message });
      }
    for (const [lost, last] of versions)
      violations.push({ oracle: 'fold-is-state', message: `${lost} is gone, its history has ${last}` });
    return violations;
  },
};

/** No client reverts what another has changed since it read, by replacing a whole object without its resourceVersion. */
export const noLostUpdate: Oracle = {
  name: 'lost-update',
  check: ({ events }) => {
    const violations: Violation[] = [];
    const versions = new Map<string, CommitEvent>();
    for (const event of events) {
      if (event.type !== 'commit') continue;
      const { uid = '' } = event.object.metadata;
      versions.set(`${uid}@${event.revision}`, event);
      if (!event.isBlindReplace || event.seen === undefined || event.previous === undefined) continue;
      const basis = versions.get(`${uid}@${event.seen}`)?.object;
      if (basis === undefined || event.previous.metadata.resourceVersion === event.seen) continue;
      const undone = revertedFields(basis, event.previous, event.object);
      if (undone.length > 0)
        violations.push({
          oracle: 'lost-update',
          message:
            `${event.process} wrote ${commitSubject(event)} from version ${event.seen} over ` +
            `${event.previous.metadata.resourceVersion ?? ''} and undid ${undone.join(', ')}`,
          event,
        });
    }
    return violations;
  },
};

/** Fields that changed from the first to the second and in the third are as they were at first. */
function revertedFields(first: KubeObject, second: KubeObject, third: KubeObject): string[] {
  const before = new Map(leaves(first));
  const between = new Map(leaves(second));
  const after = new Map(leaves(third));
  const paths = new Set([...before.keys(), ...between.keys()]);
  return [...paths].filter((path) => before.get(path) !== between.get(path) && before.get(path) === after.get(path));
}

/** What the server itself writes on every change. */
const KEPT_BY_SERVER = /^\.metadata\.(?:managedFields|resourceVersion|generation)\b/;

function* leaves(value: unknown, path = ''): Generator<[string, string]> {
  if (KEPT_BY_SERVER.test(path)) return;
  if (typeof value === 'object' && value !== null)
    for (const [key, item] of Object.entries(value)) yield* leaves(item, `${path}.${key}`);
  else yield [path, String(value)];
}

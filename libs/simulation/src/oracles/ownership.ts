import { controllerOf } from '@capstan/meta';
import type { KubeObject, OwnerReference } from '@capstan/meta';
import type { Oracle, Violation } from '../scenario.js';
import { commitSubject } from '../engine/event-log.js';
import type { CommitEvent } from '../engine/event-log.js';

const controllers = ({ metadata }: KubeObject): number =>
  (metadata.ownerReferences ?? []).filter(({ controller }) => controller === true).length;

/** Whom a write took an object from, and for whom. */
function takenOver({ previous, object }: CommitEvent): Record<'from' | 'by', OwnerReference> | undefined {
  const from = previous === undefined ? undefined : controllerOf(previous);
  const by = controllerOf(object);
  return from === undefined || by === undefined || from.uid === by.uid ? undefined : { from, by };
}

/** Nothing has two controllers, nor is taken from one that lives and has not let go of it. */
export const singleController: Oracle = {
  name: 'single-controller',
  check: ({ events, initial }) => {
    const violations: Violation[] = [];
    /** Neither gone nor going. */
    const living = new Set<string>();
    for (const [, objects] of initial.entries()) for (const { metadata } of objects) living.add(metadata.uid ?? '');
    for (const event of events) {
      if (event.type !== 'commit') continue;
      const { uid = '', deletionTimestamp } = event.object.metadata;
      if (event.change === 'delete' || deletionTimestamp != null) living.delete(uid);
      else living.add(uid);
      const wrong = (message: string): void => {
        violations.push({ oracle: 'single-controller', message: `${commitSubject(event)} ${message}`, event });
      };
      if (controllers(event.object) > 1) wrong('has two controllers');
      const taken = takenOver(event);
      if (taken !== undefined && living.has(taken.from.uid))
        wrong(`was taken by ${event.process} from ${taken.from.name}, for ${taken.by.name}`);
    }
    return violations;
  },
};

/** At the end every owner that is named exists. Only for simulations with a garbage collector. */
export const livingOwners: Oracle = {
  name: 'living-owners',
  check: ({ final }) => {
    const living = new Set<string>();
    for (const [, objects] of final.entries()) for (const { metadata } of objects) living.add(metadata.uid ?? '');
    const violations: Violation[] = [];
    for (const [resource, objects] of final.entries())
      for (const object of objects) {
        const owners = object.metadata.ownerReferences ?? [];
        if (owners.length === 0 || owners.some(({ uid }) => living.has(uid))) continue;
        const named = owners.map(({ kind, name }) => `${kind} ${name}`).join(', ');
        const message = `${resource} ${object.metadata.name ?? ''} is still there, its owners are not: ${named}`;
        violations.push({ oracle: 'living-owners', message });
      }
    return violations;
  },
};

const finalizersOf = (object: KubeObject | undefined): readonly string[] => object?.metadata.finalizers ?? [];

/** Nothing goes while a finalizer holds it, and nothing that is going gets a new one. */
export const finalizersHonoured: Oracle = {
  name: 'finalizers',
  check: ({ events }) => {
    const violations: Violation[] = [];
    for (const event of events) {
      if (event.type !== 'commit') continue;
      const { previous, object } = event;
      const wrong = (message: string): void => {
        violations.push({ oracle: 'finalizers', message: `${commitSubject(event)} ${message}`, event });
      };
      // Removing the last finalizer removes the object too, and its last state still shows the finalizer.
      if (event.change === 'delete' && event.method === 'DELETE' && finalizersOf(object).length > 0)
        wrong(`is gone, though held by ${finalizersOf(object).join(', ')}`);
      if (event.change === 'update' && previous?.metadata.deletionTimestamp != null) {
        const added = finalizersOf(object).filter((each) => !finalizersOf(previous).includes(each));
        if (added.length > 0) wrong(`is going and was given ${added.join(', ')}`);
      }
    }
    return violations;
  },
};

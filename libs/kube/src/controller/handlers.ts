import { controllerOf, looseGvk } from '@capstan/meta';
import type { KubeObject, OwnerReference } from '@capstan/meta';
import type { ResourceKind } from '../client/resource.js';
import type { ObjectEvent, Request } from './events.js';

/** Maps an event to the objects to reconcile. */
export type EventMapper<T extends KubeObject = KubeObject> = (event: ObjectEvent<T>) => Iterable<Request>;

/** The object itself. */
export function requestFor({ metadata: { namespace = '', name = '' } }: KubeObject): Request {
  return { namespace, name };
}

/** The object an event is about. */
export const mapToItself: EventMapper = (event) => [requestFor(event.object)];

/** What a function finds for the object; for an update, before and after. */
export function mapBy<T extends KubeObject>(map: (object: T) => Iterable<Request>): EventMapper<T> {
  return (event) => (event.type === 'update' ? [...map(event.old), ...map(event.object)] : map(event.object));
}

/**
 * The owners of an object that are of a kind, whatever the version they are named by. An update brings up the owners
 * before and after it: who lost the object has to know.
 */
export function mapToOwner(owner: ResourceKind, options: { readonly onlyController: boolean }): EventMapper {
  const isOwner = (reference: OwnerReference): boolean =>
    reference.kind === owner.kind && looseGvk(reference.apiVersion, reference.kind).group === owner.group;
  const references = (object: KubeObject): readonly OwnerReference[] => {
    if (!options.onlyController) return object.metadata.ownerReferences ?? [];
    const controller = controllerOf(object);
    return controller === undefined ? [] : [controller];
  };
  return mapBy((object) =>
    references(object)
      .filter(isOwner)
      .map(({ name }) => ({ namespace: owner.namespaced ? (object.metadata.namespace ?? '') : '', name })),
  );
}

import { bootstrapRoles } from '../bootstrap/roles.js';
import type { Core } from '../registry/core.js';
import type { ResourceIndex } from '../registry/resource-index.js';
import { FIRST_OBJECTS, found } from '../bootstrap/bootstrap-object.js';

/** Creates what every cluster has from the start; what is there already stays as it is. */
export function bootstrap(core: Core, resources: ResourceIndex, withRoles: boolean): void {
  const objects = withRoles ? [...FIRST_OBJECTS, ...bootstrapRoles()] : FIRST_OBJECTS;
  for (const founding of objects) {
    const { group, plural, namespace = '', name } = founding;
    const storage = resources.find(group, 'v1', plural)?.storage;
    if (storage === undefined || core.store.get(storage, namespace, name) !== undefined) continue;
    core.store.create(storage, namespace, name, found(founding, { uid: core.uid(), time: core.timestamp() }));
  }
}

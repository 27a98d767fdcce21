import { COMPONENT_LABEL, CONTROL_PLANE_COMPONENTS } from '@capstan/provider';
import { CONFIG_MAPS, DEPLOYMENTS, ROLE_BINDINGS, ROLES, SERVICE_ACCOUNTS, SERVICES, STATEFUL_SETS } from '../kinds.js';
import type { OwnedObjects } from '../objects/owned-objects.js';

const OF_COMPONENTS = [DEPLOYMENTS, STATEFUL_SETS, CONFIG_MAPS, ROLE_BINDINGS, ROLES, SERVICE_ACCOUNTS];

/** Takes away what components have left that a control plane no longer has. */
export async function prune(
  objects: OwnedObjects,
  { parts, services }: { readonly parts: ReadonlySet<string>; readonly services: ReadonlySet<string> },
): Promise<void> {
  const { snapshot } = objects;
  for (const kind of OF_COMPONENTS)
    for (const object of snapshot.list(kind)) {
      const component = object.metadata.labels?.[COMPONENT_LABEL];
      if (component !== undefined && !parts.has(component)) await objects.remove(kind, object);
    }
  for (const object of snapshot.list(CONTROL_PLANE_COMPONENTS))
    if (!parts.has(object.metadata.name ?? '')) await objects.remove(CONTROL_PLANE_COMPONENTS, object);
  for (const object of snapshot.list(SERVICES))
    if (!services.has(object.metadata.name ?? '')) await objects.remove(SERVICES, object);
}

import { COMPONENT_LABEL, CONTROL_PLANE_COMPONENTS } from '@capstan/provider';
import {
  CONFIG_MAPS,
  DEPLOYMENTS,
  POD_DISRUPTION_BUDGETS,
  ROLE_BINDINGS,
  ROLES,
  SERVICE_ACCOUNTS,
  STATEFUL_SETS,
} from '../kinds.js';
import type { ResourceKind } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import type { OwnedObjects } from '../objects/owned-objects.js';

const OF_COMPONENTS = [
  DEPLOYMENTS,
  STATEFUL_SETS,
  CONFIG_MAPS,
  ROLE_BINDINGS,
  ROLES,
  SERVICE_ACCOUNTS,
  POD_DISRUPTION_BUDGETS,
];

/** What a control plane is to have. */
export interface Kept {
  /** Names of its components. */
  readonly parts: ReadonlySet<string>;
  /** What it has beside them, by kind; everything else of such a kind goes. */
  readonly others: readonly (readonly [ResourceKind, readonly KubeObject[]])[];
}

/** Takes away what components have left that a control plane no longer has. */
export async function prune(objects: OwnedObjects, { others, parts }: Kept): Promise<void> {
  const { snapshot } = objects;
  for (const kind of OF_COMPONENTS)
    for (const object of snapshot.list(kind)) {
      const component = object.metadata.labels?.[COMPONENT_LABEL];
      if (component !== undefined && !parts.has(component)) await objects.remove(kind, object);
    }
  for (const object of snapshot.list(CONTROL_PLANE_COMPONENTS))
    if (!parts.has(object.metadata.name ?? '')) await objects.remove(CONTROL_PLANE_COMPONENTS, object);
  for (const [kind, wanted] of others) {
    const names = new Set(wanted.map(({ metadata }) => metadata.name));
    for (const object of snapshot.list(kind)) if (!names.has(object.metadata.name)) await objects.remove(kind, object);
  }
}

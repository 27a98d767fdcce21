import { COMPONENT_LABEL, CONTROL_PLANE_COMPONENTS } from '@capstan/hosting';
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
  /** Names of its other objects, by kind; everything else of such a kind is deleted. */
  readonly others: readonly (readonly [ResourceKind, ReadonlySet<string>])[];
}

/** Deletes what is left of components that a control plane no longer has. */
export async function prune(objects: OwnedObjects, { others, parts }: Kept): Promise<void> {
  const isDesired = ({ metadata }: KubeObject): boolean => {
    const component = metadata.labels?.[COMPONENT_LABEL];
    return component === undefined || parts.has(component);
  };
  for (const kind of OF_COMPONENTS) await objects.prune(kind, isDesired);
  for (const [kind, names] of [[CONTROL_PLANE_COMPONENTS, parts] as const, ...others])
    await objects.prune(kind, ({ metadata }) => names.has(metadata.name ?? ''));
}

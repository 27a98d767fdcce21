import { COMPONENT_LABEL, CONTROL_PLANE_COMPONENTS } from '@capstan/hosting';
import {
  CONFIG_MAPS,
  DEPLOYMENTS,
  POD_DISRUPTION_BUDGETS,
  ROLE_BINDINGS,
  ROLES,
  SERVICE_ACCOUNTS,
  STATEFUL_SETS,
} from '../../kinds.js';
import type { KubeObject } from '@capstan/meta';
import type { OwnedObjects } from '../../objects/owned-objects.js';
import type { Kept } from '../decide.js';
import type { State } from '../state.js';

const OF_COMPONENTS = [
  DEPLOYMENTS,
  STATEFUL_SETS,
  CONFIG_MAPS,
  ROLE_BINDINGS,
  ROLES,
  SERVICE_ACCOUNTS,
  POD_DISRUPTION_BUDGETS,
];

/** Prunes once every component was reconciled, unless some are not known yet. */
export async function leftovers({ components: made, isPartial, objects, plan }: State): Promise<void> {
  if (made === undefined || plan === undefined || isPartial === true) return;
  await prune(objects, plan.kept);
}

/** Deletes what is left of components that a control plane no longer has. */
async function prune(objects: OwnedObjects, { others, components }: Kept): Promise<void> {
  const isDesired = ({ metadata }: KubeObject): boolean => {
    const component = metadata.labels?.[COMPONENT_LABEL];
    return component === undefined || components.has(component);
  };
  for (const kind of OF_COMPONENTS) await objects.prune(kind, isDesired);
  for (const [kind, names] of [[CONTROL_PLANE_COMPONENTS, components] as const, ...others])
    await objects.prune(kind, ({ metadata }) => names.has(metadata.name ?? ''));
}

import { CONTROL_PLANE_COMPONENTS } from '@capstan/hosting';
import type { Cache, ResourceKind } from '@capstan/kube';
import {
  CONFIG_MAPS,
  DEPLOYMENTS,
  NETWORK_POLICIES,
  POD_DISRUPTION_BUDGETS,
  ROLE_BINDINGS,
  ROLES,
  SECRETS,
  SERVICE_ACCOUNTS,
  SERVICES,
  STATEFUL_SETS,
} from '../kinds.js';
import { Snapshot } from '../objects/snapshot.js';

/** Every kind that a control plane is made of. */
export const MADE_OF: readonly ResourceKind[] = [
  CONTROL_PLANE_COMPONENTS,
  DEPLOYMENTS,
  STATEFUL_SETS,
  SERVICES,
  SECRETS,
  CONFIG_MAPS,
  SERVICE_ACCOUNTS,
  ROLES,
  ROLE_BINDINGS,
  POD_DISRUPTION_BUDGETS,
  NETWORK_POLICIES,
];

/** What the caches have of a control plane. */
export async function gather(cache: Cache, namespace: string): Promise<Snapshot> {
  const snapshot = new Snapshot();
  for (const kind of MADE_OF) {
    const { items } = await cache.list(kind, { namespace });
    for (const object of items) snapshot.put(kind, object);
  }
  return snapshot;
}

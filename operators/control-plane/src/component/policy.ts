import type { HostedControlPlaneSpec } from '@capstan/api/hypershift';

const HIGHLY_AVAILABLE = 3;

/** How many pods a component has that follows the availability policy. */
export function replicasOfPolicy(spec: Pick<HostedControlPlaneSpec, 'controllerAvailabilityPolicy'>): number {
  return spec.controllerAvailabilityPolicy === 'SingleReplica' ? 1 : HIGHLY_AVAILABLE;
}

import type { ControlPlaneComponent, ControlPlaneVersionStatus } from '@capstan/api/hypershift';
import { CONTROL_PLANE_COMPONENTS } from '@capstan/hosting';
import { componentVersions } from '../control-plane-version/components.js';
import { controlPlaneVersion } from '../control-plane-version/compute.js';
import { plausible } from '../control-plane-version/plausible.js';
import type { State } from './state.js';

/**
 * The version of a control plane, and the progress of its components. Undefined when no release is known. What
 * it was before is what this process wrote last; where it has written nothing yet, what of the status is plausible.
 */
export function versionOf(
  { hcp, isPartial, now, objects, payload, plan }: State,
  written: ControlPlaneVersionStatus | undefined,
): ControlPlaneVersionStatus | undefined {
  const read = written ?? hcp.status?.controlPlaneVersion;
  if (payload === undefined) return read;
  const desired = { version: payload.version, image: payload.pullSpec };
  const created = hcp.metadata.creationTimestamp ?? now;
  return controlPlaneVersion({
    current: read === undefined ? undefined : plausible(read, { desired, created, now }),
    desired,
    generation: hcp.metadata.generation ?? 1,
    components: componentVersions({
      components: objects.snapshot.list<ControlPlaneComponent>(CONTROL_PLANE_COMPONENTS),
      parts: [...(plan?.names ?? [])],
      isPartial: isPartial !== false,
    }),
    now,
  });
}

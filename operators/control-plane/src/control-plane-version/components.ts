import type { ControlPlaneComponent } from '@capstan/api/hypershift';
import { isConditionTrue } from '@capstan/meta';
import type { ComponentVersion } from './compute.js';

/** What a control plane is known to be made of. */
export interface KnownComponents {
  /** All components that report in its namespace. */
  readonly components: readonly ControlPlaneComponent[];
  /** Names of those this operator makes. */
  readonly parts: readonly string[];
  /** Whether there may be components that are not known yet. */
  readonly isPartial: boolean;
}

/** A component that has not been created yet. */
const UNMADE: ComponentVersion = { isRolledOut: false, observedGeneration: 0 };

/**
 * How far components are. Those that are still to be made count as not there, once there are any: else the few that
 * came first would pass for all of them.
 */
export function componentVersions({ components, isPartial, parts }: KnownComponents): readonly ComponentVersion[] {
  if (components.length === 0) return [];
  const made = new Set(components.map(({ metadata }) => metadata.name));
  const isMissing = isPartial || parts.some((name) => !made.has(name));
  const there = components.map(({ status }) => ({
    version: status?.version,
    isRolledOut: isConditionTrue(status?.conditions, 'RolloutComplete'),
    observedGeneration: status?.observedGeneration ?? 0,
  }));
  return isMissing ? [...there, UNMADE] : there;
}

import { COMPONENT_LABEL } from '@capstan/hosting';
import type { JsonObject, KubeObject } from '@capstan/meta';
import type { ComponentInputs } from './definition.js';

/**
 * How many pods of a component may be evicted at once by a drain: of several one, and of a single one none
 * without its owner. Pods that are not healthy may always go: waiting for them would keep a node forever.
 */
export function budgetOf(name: string, { spec }: Pick<ComponentInputs, 'spec'>): KubeObject {
  const allowed: JsonObject =
    spec.controllerAvailabilityPolicy === 'SingleReplica' ? { minAvailable: 1 } : { maxUnavailable: 1 };
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name, labels: { [COMPONENT_LABEL]: name } },
    spec: { ...allowed, selector: { matchLabels: { app: name } }, unhealthyPodEvictionPolicy: 'AlwaysAllow' },
  };
}

import type { HostedControlPlane } from '@capstan/api/hypershift';
import { extended, setCondition } from '@capstan/meta';
import type { Condition, KubeObject } from '@capstan/meta';
import type { ControlPlaneComponent } from '@capstan/api/hypershift';
import { availabilityOf, conditionsOf, rolloutOf } from '@capstan/hosting';
import type { Workload } from '@capstan/hosting';
import type { Finding } from '../state.js';

/** How a component does whose Deployment was just brought to what it should be. */
export function componentFindings(deployment: KubeObject): readonly [available: Finding, complete: Finding] {
  const workload = deployment as Workload;
  return [
    { type: 'Available', ...availabilityOf(workload) },
    { type: 'RolloutComplete', ...rolloutOf(workload) },
  ];
}

/** The status of a component: its version is the last one whose roll-out was completed. */
export function componentStatus(
  deployment: KubeObject,
  existing: ControlPlaneComponent | undefined,
  {
    controlPlane,
    now,
    version,
  }: { readonly controlPlane: HostedControlPlane | undefined; readonly now: string; readonly version: string },
): { readonly conditions: readonly Condition[]; readonly [field: string]: unknown } {
  const findings = componentFindings(deployment);
  const observedGeneration = controlPlane?.metadata.generation ?? 1;
  let conditions = conditionsOf(existing) ?? [];
  for (const finding of findings) conditions = setCondition(conditions, extended(finding, { observedGeneration }), now);
  const isComplete = findings[1].status === 'True';
  return {
    conditions,
    observedGeneration,
    ...(isComplete ? { version } : {}),
    resources: ['ServiceAccount', 'Role', 'RoleBinding', 'Deployment'].map((kind) => ({
      kind,
      group: GROUPS[kind] ?? '',
      name: deployment.metadata.name,
    })),
  };
}

const GROUPS: Readonly<Record<string, string>> = {
  Role: 'rbac.authorization.k8s.io',
  RoleBinding: 'rbac.authorization.k8s.io',
  Deployment: 'apps',
};

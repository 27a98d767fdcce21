import type { HostedControlPlane } from '@capstan/api/hypershift';
import { extended, setCondition } from '@capstan/meta';
import type { Condition, KubeObject } from '@capstan/meta';
import type { ControlPlaneComponent } from '@capstan/api/hypershift';
import { conditionsOf } from '../scope.js';
import type { Finding } from '../scope.js';

/** What of a Deployment tells how its roll-out goes. */
interface Rollout extends KubeObject {
  readonly spec?: { readonly replicas?: number };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly updatedReplicas?: number;
    readonly availableReplicas?: number;
    readonly conditions?: readonly Condition[];
  };
}

const GOOD = { status: 'True', reason: 'AsExpected', message: 'All is well' } as const;

/** Pods of a Deployment, so far as its controller has looked at what is wanted now. */
interface Counts {
  readonly isSeen: boolean;
  readonly wanted: number;
  readonly all: number;
  readonly updated: number;
  readonly available: number;
}

function countsOf({ metadata, spec, status = {} }: Rollout): Counts {
  return {
    isSeen: (status.observedGeneration ?? 0) >= (metadata.generation ?? 0),
    wanted: spec?.replicas ?? 1,
    all: status.replicas ?? 0,
    updated: status.updatedReplicas ?? 0,
    available: status.availableReplicas ?? 0,
  };
}

/** How a component does whose Deployment was just brought to what it should be. */
export function componentFindings(deployment: KubeObject): readonly [available: Finding, complete: Finding] {
  const counts = countsOf(deployment as Rollout);
  const { all, available, isSeen, updated, wanted } = counts;
  const name = deployment.metadata.name ?? '';
  const finding = (type: string, isGood: boolean, reason: string, message: string): Finding =>
    isGood ? { type, ...GOOD } : { type, status: 'False', reason, message: `Deployment ${name} has ${message}` };
  const isAvailable = isSeen && (wanted === 0 || available > 0);
  const isComplete = isSeen && [all, available, updated].every((count) => count === wanted);
  return [
    finding('Available', isAvailable, 'WaitingForAvailable', `${available} of ${wanted} pods available`),
    finding(
      'RolloutComplete',
      isComplete,
      'WaitingForRolloutComplete',
      `${updated} of ${wanted} pods at the wanted state`,
    ),
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

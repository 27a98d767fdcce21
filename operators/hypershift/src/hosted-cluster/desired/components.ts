import type { HostedControlPlane } from '@capstan/api/hypershift';
import { setCondition } from '@capstan/meta';
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

/** How a component does whose Deployment was just brought to what it should be. */
export function componentFindings(deployment: KubeObject): readonly [available: Finding, complete: Finding] {
  const { metadata, spec, status = {} } = deployment as Rollout;
  const name = metadata.name ?? '';
  const wanted = spec?.replicas ?? 1;
  const { availableReplicas = 0, replicas = 0, updatedReplicas = 0 } = status;
  const isSeen = (status.observedGeneration ?? 0) >= (metadata.generation ?? 0);
  const isAvailable = isSeen && (wanted === 0 || availableReplicas > 0);
  const isComplete = isSeen && updatedReplicas === wanted && replicas === wanted && availableReplicas === wanted;
  const available: Finding = isAvailable
    ? { type: 'Available', ...GOOD }
    : {
        type: 'Available',
        status: 'False',
        reason: 'WaitingForAvailable',
        message: `Deployment ${name} has ${availableReplicas} of ${wanted} pods available`,
      };
  const complete: Finding = isComplete
    ? { type: 'RolloutComplete', ...GOOD }
    : {
        type: 'RolloutComplete',
        status: 'False',
        reason: 'WaitingForRolloutComplete',
        message: `Deployment ${name} has ${updatedReplicas} of ${wanted} pods at the wanted state`,
      };
  return [available, complete];
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
): object {
  const findings = componentFindings(deployment);
  const observedGeneration = controlPlane?.metadata.generation ?? 1;
  let conditions = conditionsOf(existing) ?? [];
  for (const finding of findings) conditions = setCondition(conditions, { ...finding, observedGeneration }, now);
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

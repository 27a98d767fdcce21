import type {
  MachineDeployment,
  MachineDeploymentRolloutStrategy,
  MachineDeploymentSpec,
} from '@capstan/api/cluster-api';
import { CLUSTER_NAME_LABEL, RELEASE_VERSION_ANNOTATION } from '@capstan/hosting';
import type { Pool } from '../snapshot.js';
import { replicasOf } from './replicas.js';
import { machineTemplate, nodeMetadata, ownMetadata } from './shared.js';
import type { MachinePlan } from './shared.js';

function strategyOf(
  { management }: Pool['spec'],
  before: MachineDeploymentRolloutStrategy | undefined,
): MachineDeploymentRolloutStrategy {
  const { rollingUpdate, strategy } = management.replace ?? {};
  if (strategy === 'OnDelete') return { type: 'OnDelete' };
  const { maxSurge, maxUnavailable } = rollingUpdate ?? {};
  const given = {
    ...before?.rollingUpdate,
    ...(maxSurge === undefined ? {} : { maxSurge }),
    ...(maxUnavailable === undefined ? {} : { maxUnavailable }),
  };
  return { type: 'RollingUpdate', ...(Object.keys(given).length === 0 ? {} : { rollingUpdate: given }) };
}

/** The MachineDeployment of a pool whose machines are replaced, from the one there is. */
export function desiredMachineDeployment(plan: MachinePlan, before: MachineDeployment | undefined): MachineDeployment {
  const { infraID, label, pool, version } = plan;
  const old: Partial<MachineDeploymentSpec> = before?.spec ?? {};
  const { annotations, replicas } = replicasOf(pool.spec, old.replicas, plan);
  const { annotations: nodeAnnotations, labels } = nodeMetadata(pool, old.template);
  return {
    ...(before ?? { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'MachineDeployment' }),
    metadata: ownMetadata(plan, before, annotations),
    spec: {
      ...old,
      clusterName: infraID,
      replicas,
      // Cannot be changed afterwards.
      selector: old.selector ?? { matchLabels: { [CLUSTER_NAME_LABEL]: infraID, [label]: label } },
      rollout: { ...old.rollout, strategy: strategyOf(pool.spec, old.rollout?.strategy) },
      template: machineTemplate(plan, old.template, {
        labels,
        annotations: { [RELEASE_VERSION_ANNOTATION]: version, ...nodeAnnotations },
      }),
    },
  } as MachineDeployment;
}

/**
 * Whether all machines are of the current template and available, and none is left over. Only a status of the current
 * generation counts. The counts of before v1beta2 have to agree where there are any: the two are not
 * written in one step.
 */
export function isRolledOut({ metadata, spec, status }: MachineDeployment): boolean {
  if (status === undefined || (status.observedGeneration ?? 0) < (metadata.generation ?? 0)) return false;
  const { availableReplicas, deprecated, replicas, upToDateReplicas } = status;
  const old = deprecated?.v1beta1;
  const counts = [availableReplicas, replicas, upToDateReplicas];
  if (old !== undefined) counts.push(old.availableReplicas, old.updatedReplicas);
  return counts.every((count = 0) => count === (spec?.replicas ?? 0));
}

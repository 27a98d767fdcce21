import type { MachineSet, MachineSetSpec } from '@capstan/api/cluster-api';
import { CURRENT_CONFIG_ANNOTATION, MAX_UNAVAILABLE_ANNOTATION, TARGET_CONFIG_ANNOTATION } from '@capstan/hosting';
import { maxUnavailable, replicasOf } from './replicas.js';
import { machineTemplate, nodeMetadata, ownMetadata } from './shared.js';
import type { MachinePlan } from './shared.js';

/**
 * The MachineSet of a pool whose nodes are upgraded in place, from the one there is. A new configuration is asked for by
 * an annotation; the controller that upgrades the nodes sets another one when they have it. A new set has it from the
 * start.
 */
export function desiredMachineSet(plan: MachinePlan, before: MachineSet | undefined): MachineSet {
  const { hash, infraID, label, pool } = plan;
  const old: Partial<MachineSetSpec> = before?.spec ?? {};
  const { annotations, replicas } = replicasOf(pool.spec, old.replicas, plan);
  return {
    ...(before ?? { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'MachineSet' }),
    metadata: ownMetadata(plan, before, {
      ...annotations,
      [MAX_UNAVAILABLE_ANNOTATION]: String(maxUnavailable(pool.spec, replicas)),
      [TARGET_CONFIG_ANNOTATION]: hash,
      [CURRENT_CONFIG_ANNOTATION]: before?.metadata.annotations?.[CURRENT_CONFIG_ANNOTATION] ?? hash,
    }),
    spec: {
      ...old,
      clusterName: infraID,
      replicas,
      selector: old.selector ?? { matchLabels: { [label]: label } },
      template: machineTemplate(plan, old.template, nodeMetadata(pool, old.template)),
    },
  } as MachineSet;
}

/** Whether all nodes have what they are to have. */
export function isUpgraded({ metadata }: MachineSet): boolean {
  const { annotations = {} } = metadata;
  return annotations[CURRENT_CONFIG_ANNOTATION] === annotations[TARGET_CONFIG_ANNOTATION];
}

import type { MachineDeployment, MachineSet } from '@capstan/api/cluster-api';
import {
  controlPlaneNamespace,
  FINALIZER,
  MACHINE_DEPLOYMENTS,
  MACHINE_HEALTH_CHECKS,
  MACHINE_SETS,
  NODE_POOL_ANNOTATION,
  NODE_POOLS,
  PAUSED_ANNOTATION,
} from '@capstan/hosting';
import { hasFinalizer, performChange, removeFinalizer } from '@capstan/kube';
import type { Change, Result } from '@capstan/kube';
import type { ResourceKind } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { CONFIG_MAPS, SECRETS } from '../kinds.js';
import type { Made, Pool } from './facts.js';
import { gatherMade } from './gather.js';
import { withWords } from './machines/shared.js';
import type { Work } from './parts.js';
import { isGoing, keyOf } from './resources.js';

/** What was just deleted is looked for again after this long; most of it nobody watches for us. */
const LOOK_AGAIN_MS = 1000;

/** What is to be done about a pool that goes. */
export interface Going {
  readonly changes: readonly Change[];
  /** Whether the last machine is still to go. */
  readonly hasMachines: boolean;
  /** Whether nothing is left that was made for it. */
  readonly isGone: boolean;
}

function deleteAll(kind: ResourceKind, objects: readonly KubeObject[]): readonly Change[] {
  return objects.filter((object) => !isGoing(object)).map((object) => ({ verb: 'delete', kind, object }));
}

/** Deletes a set of machines. A paused one would never see to the end of its machines, so it goes on first. */
function deleteSet(kind: ResourceKind, set: MachineDeployment | MachineSet): readonly Change[] {
  const { annotations } = set.metadata;
  if (annotations?.[PAUSED_ANNOTATION] === undefined) return deleteAll(kind, [set]);
  const metadata = { ...set.metadata, annotations: withWords(annotations, { [PAUSED_ANNOTATION]: undefined }) };
  return [{ verb: 'patch', kind, before: set, after: { ...set, metadata } }];
}

/**
 * In order: nothing is repaired any more; the sets go, and with them the machines; once the last machine is gone, what
 * machines were made from. Secrets come last: providers read them to take an instance down.
 */
export function decideDeletion(made: Made, key: string, template: ResourceKind | undefined): Going {
  const isOurs = (object: KubeObject | undefined): boolean =>
    object?.metadata.annotations?.[NODE_POOL_ANNOTATION] === key;
  const { machineDeployment, machineSet } = made;
  const sets = [
    ...(machineDeployment !== undefined && isOurs(machineDeployment)
      ? deleteSet(MACHINE_DEPLOYMENTS, machineDeployment)
      : []),
    ...(machineSet !== undefined && isOurs(machineSet) ? deleteSet(MACHINE_SETS, machineSet) : []),
  ];
  const makers = [...deleteAll(MACHINE_HEALTH_CHECKS, made.healthChecks), ...sets];
  const hasMachines =
    isOurs(machineDeployment) || isOurs(machineSet) || made.machineSets.length > 0 || made.machines.length > 0;
  if (hasMachines) return { changes: makers, hasMachines, isGone: false };
  const rest = [
    ...makers,
    ...(template === undefined ? [] : deleteAll(template, made.templates)),
    ...deleteAll(CONFIG_MAPS, made.configMaps),
    ...deleteAll(SECRETS, made.secrets),
  ];
  const left = [made.healthChecks, made.templates, made.configMaps, made.secrets];
  return { changes: rest, hasMachines, isGone: left.every(({ length }) => length === 0) };
}

/** Takes away all that was made for a pool, and then lets it go. */
export async function deletePool(work: Work, nodePool: Pool, signal: AbortSignal): Promise<Result | undefined> {
  if (!hasFinalizer(nodePool, FINALIZER)) return undefined;
  const { name = '', namespace = '' } = nodePool.metadata;
  const key = keyOf(nodePool);
  const platform = work.platforms.find(nodePool.spec.platform.type);
  const template = platform?.machineTemplate?.kind;
  const at = { key, name, namespace: controlPlaneNamespace(namespace, nodePool.spec.clusterName) };
  let going = decideDeletion(await gatherMade(work.cache, at), key, template);
  // The cache may not know yet what was written last: only the server can say that nothing is left. And templates are
  // asked for past the cache alone: their kind may be gone, and the cache would wait for it.
  if (!going.hasMachines) going = decideDeletion(await gatherMade(work.client, { ...at, platform }), key, template);
  for (const change of going.changes) await performChange(work.client, change, { signal });
  if (going.changes.length > 0) return { requeueAfterMs: LOOK_AGAIN_MS };
  if (going.isGone) await removeFinalizer(work.client, NODE_POOLS, nodePool, FINALIZER);
  return undefined;
}

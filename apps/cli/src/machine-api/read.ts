/** Reads both copies of everything that has two. */
import type { Client, ResourceKind } from '@capstan/kube';
import {
  CAPI_HEALTH_CHECKS,
  CAPI_MACHINE_SETS,
  CAPI_MACHINES,
  CLUSTER_API_NAMESPACE,
  CONTROL_PLANE_MACHINE_SETS,
  MACHINE_API_NAMESPACE,
  MAPI_HEALTH_CHECKS,
  MAPI_MACHINE_SETS,
  MAPI_MACHINES,
} from '@capstan/machine-api';
import { ignoreNotFound, isNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { CliError } from '../errors.js';
import type { ClusterOptions } from '../options.js';
import { resourceStatus } from './resource.js';
import type { MirroredKind, ResourceStatus } from './resource.js';

/** Where the copies are. */
export interface MachineApiPlaces extends ClusterOptions {
  readonly machineApiNamespace?: string | undefined;
  readonly clusterApiNamespace?: string | undefined;
}

/** The kinds, in the order in which they are shown. */
export const PAIRS: readonly (readonly [MirroredKind, machineApi: ResourceKind, clusterApi: ResourceKind])[] = [
  ['MachineSet', MAPI_MACHINE_SETS, CAPI_MACHINE_SETS],
  ['Machine', MAPI_MACHINES, CAPI_MACHINES],
  ['MachineHealthCheck', MAPI_HEALTH_CHECKS, CAPI_HEALTH_CHECKS],
  // One resource, whose objects differ by their namespace.
  ['ControlPlaneMachineSet', CONTROL_PLANE_MACHINE_SETS, CONTROL_PLANE_MACHINE_SETS],
];

/** The namespaces that the options name. */
export function placesOf({ clusterApiNamespace, machineApiNamespace }: MachineApiPlaces): {
  readonly machineApi: string;
  readonly clusterApi: string;
} {
  return {
    machineApi: machineApiNamespace ?? MACHINE_API_NAMESPACE,
    clusterApi: clusterApiNamespace ?? CLUSTER_API_NAMESPACE,
  };
}

async function listed(client: Client, kind: ResourceKind, namespace: string): Promise<readonly KubeObject[]> {
  return (await client.list(kind, { namespace }).catch(ignoreNotFound))?.items ?? [];
}

async function pairsOf(client: Client, places: MachineApiPlaces, at: number): Promise<ResourceStatus[]> {
  const [kind, machineApi, clusterApi] = PAIRS[at] as (typeof PAIRS)[number];
  const namespaces = placesOf(places);
  const [mapi, capi] = await Promise.all([
    listed(client, machineApi, namespaces.machineApi),
    listed(client, clusterApi, namespaces.clusterApi),
  ]);
  const byName = new Map<string, { mapi?: KubeObject; capi?: KubeObject }>();
  for (const object of mapi) byName.set(object.metadata.name ?? '', { mapi: object });
  for (const object of capi) {
    const name = object.metadata.name ?? '';
    byName.set(name, { ...byName.get(name), capi: object });
  }
  return [...byName.values()].map((each) => resourceStatus({ kind, machineApi: each.mapi, clusterApi: each.capi }));
}

/** Everything that has two copies, or could have. */
export async function readResources(client: Client, places: MachineApiPlaces): Promise<readonly ResourceStatus[]> {
  await client.revision(MAPI_MACHINES, { namespace: placesOf(places).machineApi }).catch((cause: unknown) => {
    if (!isNotFound(cause)) throw cause;
    const hint = 'name an OpenShift cluster with --context';
    throw new CliError('the cluster serves no machines.machine.openshift.io', hint, { cause });
  });
  return (await Promise.all(PAIRS.map((_, at) => pairsOf(client, places, at)))).flat();
}

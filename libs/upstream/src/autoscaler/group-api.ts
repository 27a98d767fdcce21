import type { Client, ResourceKind } from '@capstan/kube';
import { isNotFound } from '@capstan/meta';

/** The names that depend on the API group machines are of. */
export interface GroupNames {
  readonly group: string;
  readonly minSize: string;
  readonly maxSize: string;
  readonly deleteMachine: string;
  readonly clusterName: string;
}

const DEFAULT_GROUP = 'cluster.x-k8s.io';

/** The group and its names; `CAPI_GROUP` changes all of them together. */
export function groupNames(env: Readonly<Record<string, string | undefined>>): GroupNames {
  const given = env['CAPI_GROUP'] ?? '';
  const group = given === '' ? DEFAULT_GROUP : given;
  return {
    group,
    minSize: `${group}/cluster-api-autoscaler-node-group-min-size`,
    maxSize: `${group}/cluster-api-autoscaler-node-group-max-size`,
    deleteMachine: `${group}/delete-machine`,
    clusterName: `${group}/cluster-name`,
  };
}

/** The resources machines are managed by; what the group does not serve is absent. */
export interface GroupResources {
  readonly machines: ResourceKind;
  readonly machineSets: ResourceKind;
  readonly machineDeployments: ResourceKind | undefined;
}

/** The API server does not serve machines in a version that is supported here: the process has to exit. */
export class GroupNotServed extends Error {
  override readonly name = 'GroupNotServed';
}

interface GroupList {
  readonly groups?: readonly { readonly name: string; readonly preferredVersion?: { readonly version: string } }[];
  readonly items?: readonly {
    readonly metadata?: { readonly name?: string };
    readonly versions?: readonly { readonly version: string }[];
  }[];
}

const AGGREGATED = ['v2', 'v2beta1']
  .map((version) => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`)
  .join(',');

async function read<T>(client: Client, target: string, accept: string, signal: AbortSignal): Promise<T> {
  const { body } = await client.request({ method: 'GET', target, accept, signal });
  return (body.type === 'payload' ? body.value() : {}) as T;
}

/** The version of the group the server prefers, from either form of its list. */
export function preferredVersion(list: GroupList, group: string): string | undefined {
  const aggregated = list.items?.find(({ metadata }) => metadata?.name === group)?.versions?.[0]?.version;
  return aggregated ?? list.groups?.find(({ name }) => name === group)?.preferredVersion?.version;
}

/** Discovers as upstream does: the list of groups, then the resources of the preferred version. */
export async function discoverGroup(
  client: Client,
  group: string,
  env: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<GroupResources> {
  await read(client, '/api', `${AGGREGATED},application/json`, signal);
  const list = await read<GroupList>(client, '/apis', `${AGGREGATED},application/json`, signal);
  const wanted = env['CAPI_VERSION'] ?? '';
  const version = wanted === '' ? preferredVersion(list, group) : wanted;
  if (version === undefined)
    throw new GroupNotServed(
      `could not find preferred version for CAPI group "${group}": failed to find API group "${group}"`,
    );
  const served = await resourcesOf(client, `/apis/${group}/${version}`, signal);
  const kind = (plural: string, name: string): ResourceKind => ({
    group,
    version,
    plural,
    kind: name,
    namespaced: true,
  });
  for (const plural of ['machines', 'machinesets'])
    if (!served.has(plural)) throw new GroupNotServed(`${group}/${version} has no ${plural}`);
  return {
    machines: kind('machines', 'Machine'),
    machineSets: kind('machinesets', 'MachineSet'),
    machineDeployments: served.has('machinedeployments') ? kind('machinedeployments', 'MachineDeployment') : undefined,
  };
}

async function resourcesOf(client: Client, target: string, signal: AbortSignal): Promise<ReadonlySet<string>> {
  try {
    const list = await read<{ resources?: readonly { name: string }[] }>(client, target, 'application/json', signal);
    return new Set(list.resources?.map(({ name }) => name));
  } catch (error) {
    if (isNotFound(error)) throw new GroupNotServed(`${target} is not served`);
    throw error;
  }
}

/** Which kinds have two copies in this cluster: those that both APIs serve, with fields for who is authoritative. */
import { CLUSTER_API_MEMBER } from '@capstan/convert/machine-api';
import type { Client, ResourceKind } from '@capstan/kube';
import { ignoreNotFound } from '@capstan/meta';
import type { JsonObject, KubeObject } from '@capstan/meta';
import {
  CAPI_HEALTH_CHECKS,
  CAPI_MACHINE_SETS,
  CAPI_MACHINES,
  CONTROL_PLANE_MACHINE_SETS,
  DEFINITIONS,
  MAPI_HEALTH_CHECKS,
  MAPI_MACHINE_SETS,
  MAPI_MACHINES,
} from './kinds.js';
import { recordAt } from './shared/model.js';

/** Kinds with two copies, by the name of the resource, which is the same in both APIs. */
export type MirroredPlural = 'machines' | 'machinesets' | 'machinehealthchecks' | 'controlplanemachinesets';

const PAIRS: Readonly<Record<MirroredPlural, readonly [machineApi: ResourceKind, clusterApi: ResourceKind]>> = {
  machines: [MAPI_MACHINES, CAPI_MACHINES],
  machinesets: [MAPI_MACHINE_SETS, CAPI_MACHINE_SETS],
  machinehealthchecks: [MAPI_HEALTH_CHECKS, CAPI_HEALTH_CHECKS],
  // One resource, whose objects differ by their namespace.
  controlplanemachinesets: [CONTROL_PLANE_MACHINE_SETS, CONTROL_PLANE_MACHINE_SETS],
};

/** All of them. */
export const MIRRORED = Object.keys(PAIRS) as readonly MirroredPlural[];

/** The CRD of a kind; undefined where the server has none. */
export function definitionOf(
  client: Client,
  { group, plural }: Pick<ResourceKind, 'group' | 'plural'>,
): Promise<KubeObject | undefined> {
  return client.get(DEFINITIONS, `${plural}.${group}`).catch(ignoreNotFound);
}

/** The fields at a place of the schema that is served. */
export function fieldsAt(definition: KubeObject | undefined, version: string, ...place: readonly string[]): JsonObject {
  const versions = recordAt(definition, 'spec')['versions'];
  const found = Array.isArray(versions) ? (versions as JsonObject[]).find(({ name }) => name === version) : undefined;
  return recordAt(found, 'schema', 'openAPIV3Schema', ...place.flatMap((name) => ['properties', name]), 'properties');
}

/** Whether objects of the kind report who acts on them, and can be of either API. */
function hasAuthority(definition: KubeObject | undefined, { plural, version }: ResourceKind): boolean {
  if (fieldsAt(definition, version, 'status')['authoritativeAPI'] === undefined) return false;
  if (plural !== CONTROL_PLANE_MACHINE_SETS.plural) return true;
  return fieldsAt(definition, version, 'spec', 'template')[CLUSTER_API_MEMBER] !== undefined;
}

async function isMirrored(client: Client, plural: MirroredPlural): Promise<boolean> {
  const [machineApi, clusterApi] = PAIRS[plural];
  if (!hasAuthority(await definitionOf(client, machineApi), machineApi)) return false;
  return (await definitionOf(client, clusterApi)) !== undefined;
}

/** Of this cluster, by their CRDs. Kinds without authority fields are left alone, each by itself. */
export async function mirroredKinds(client: Client): Promise<readonly MirroredPlural[]> {
  const found: MirroredPlural[] = [];
  for (const plural of MIRRORED) if (await isMirrored(client, plural)) found.push(plural);
  return found;
}

import type { HostedCluster } from '@capstan/api/hypershift';
import {
  CLUSTERS,
  CONTROL_PLANE_COMPONENTS,
  controlPlaneNamespace,
  HOSTED_CLUSTERS,
  HOSTED_CONTROL_PLANES,
  MACHINE_DEPLOYMENTS,
  MACHINES,
  NODE_POOLS,
} from '@capstan/hosting';
import type { ResourceRef } from '@capstan/kube';
import { ignoreNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { HOME } from '@capstan/tools/hosting';
import type { Hosted } from '@capstan/tools/hosting';
import { secretValues } from './secret-values.js';

const inGroup = (group: string, plural: string): ResourceRef => ({ group, version: 'v1', plural, namespaced: true });
const INSIDE: readonly ResourceRef[] = [
  HOSTED_CONTROL_PLANES,
  CONTROL_PLANE_COMPONENTS,
  CLUSTERS,
  MACHINE_DEPLOYMENTS,
  inGroup('apps', 'deployments'),
  inGroup('apps', 'statefulsets'),
  inGroup('', 'services'),
  inGroup('', 'configmaps'),
  inGroup('rbac.authorization.k8s.io', 'roles'),
  inGroup('policy', 'poddisruptionbudgets'),
  inGroup('networking.k8s.io', 'networkpolicies'),
];
const SECRETS = inGroup('', 'secrets');
/** When something was, and which of many it is: other in every run. */
const OF_THE_RUN: ReadonlySet<string> = new Set([
  // Of what is wanted, keys among it.
  'capstan.dev/wanted',
  // Given in the order of asking.
  'clusterIP',
  'clusterIPs',
  'nodePort',
  'completionTime',
  'creationTimestamp',
  'deployment.kubernetes.io/revision',
  'generation',
  'lastTransitionTime',
  'lastUpdated',
  'managedFields',
  'observedGeneration',
  'resourceVersion',
  'startedTime',
  'uid',
]);

/** A value without what no two runs have in common. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain).toSorted((a, b) => (text(a) < text(b) ? -1 : 1));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(
    ([key]) => !OF_THE_RUN.has(key) && !/time$|timestamp$|expiration/i.test(key),
  );
  const sorted = kept.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([key, each]) => [key, plain(each)]));
}

function text(value: unknown): string {
  return JSON.stringify(value) ?? '';
}

/** What there is of a cluster once all is done, as comparable text by object. */
export async function endState({ client }: Hosted, name: string): Promise<Readonly<Record<string, string>>> {
  const namespace = controlPlaneNamespace(HOME, name);
  const state: Record<string, string> = {};
  const add = (ref: ResourceRef, object: KubeObject): void => {
    state[`${ref.plural}/${object.metadata.name ?? ''}`] = text(plain(object));
  };
  for (const ref of INSIDE) for (const object of (await client.list(ref, { namespace })).items) add(ref, object);
  const secrets = (await client.list(SECRETS, { namespace })).items;
  const values = secretValues(secrets);
  for (const secret of secrets) add(SECRETS, { ...secret, data: { ...values.get(secret.metadata.name ?? '') } });
  for (const ref of [HOSTED_CLUSTERS, NODE_POOLS])
    for (const object of (await client.list(ref, { namespace: HOME })).items)
      if (object.metadata.name === name || object.metadata.name?.startsWith(`${name}-`)) add(ref, object);
  await hideClusterId(client, name, state);
  state['machines'] = String((await client.list(MACHINES, { namespace })).items.length);
  return withoutClusterID(state, name);
}

/** The identifier of a cluster is drawn when it is first seen; every object that has it must have the same. */
function withoutClusterID(state: Readonly<Record<string, string>>, name: string): Readonly<Record<string, string>> {
  const [, id] = /"clusterID":"([^"]+)"/.exec(state[`${HOSTED_CLUSTERS.plural}/${name}`] ?? '') ?? [];
  if (id === undefined) return state;
  const plainTexts = Object.entries(state).map(([key, each]) => [key, each.replaceAll(id, '<clusterID>')]);
  return Object.fromEntries(plainTexts) as Readonly<Record<string, string>>;
}

/** Drawn by the operator, and drawn again when the answer to its writing was lost: the same everywhere in a run. */
async function hideClusterId(client: Hosted['client'], name: string, state: Record<string, string>): Promise<void> {
  const cluster = await client.get<HostedCluster>(HOSTED_CLUSTERS, name, { namespace: HOME }).catch(ignoreNotFound);
  const clusterID = cluster?.spec?.clusterID ?? '';
  if (clusterID === '') return;
  for (const [key, text] of Object.entries(state)) state[key] = text.replaceAll(clusterID, '<clusterID>');
}

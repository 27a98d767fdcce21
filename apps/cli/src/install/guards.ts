import { isInScope } from '@capstan/hosting';
import { VERSION_ANNOTATION } from '@capstan/hypershift/manifests';
import type { Client, ResourceRef } from '@capstan/kube';
import { MAPI_MACHINE_SETS, MAPI_MACHINES, SYNC_FINALIZER } from '@capstan/machine-api/manifests';
import { ignoreNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { compareVersions, parseVersion } from '@capstan/release';
import { CliError } from '../errors.js';
import { nameOf, refOf } from './cluster.js';
import { objectsOf } from './components.js';
import type { ComponentName, InstallSettings, Plan } from './components.js';
import { refuseSecondNamespace } from './elsewhere.js';
import { hostedClusters, namedClusters, privateUse } from './in-use.js';

/** What is about to be installed. */
interface Installed {
  readonly plan: Plan;
  readonly settings: InstallSettings;
}

/**
 * Refuses what would lose something: an earlier version over a later one; of the operators of hosted clusters also a second
 * namespace, and standard types while private ones are in use.
 */
export async function guardInstall(
  client: Client,
  component: ComponentName,
  { plan, settings }: Installed,
): Promise<void> {
  await refuseDowngrade(client, plan, settings);
  if (component !== 'hypershift') return;
  await refuseSecondNamespace(client, settings);
  // A shard leaves what the others reconcile.
  if (!settings.isPrivate && settings.scope === undefined) await guardStandard(client);
}

/** Refuses standard types while something would be left to no operator. */
export async function guardStandard(client: Client): Promise<void> {
  const use = await privateUse(client);
  if (use === undefined) return;
  throw new CliError(
    `${use}, which an operator on standard types does not reconcile`,
    'install with --private-capi-types',
  );
}

/** Refuses to uninstall a shard that has hosted clusters. */
export async function guardShard(client: Client, scope: string): Promise<void> {
  const clusters = (await hostedClusters(client)).filter((cluster) => isInScope(cluster, scope));
  if (clusters.length === 0) return;
  throw new CliError(
    `${namedClusters(clusters)} would no longer be reconciled: its scope is ${scope}`,
    'annotate them with another hypershift.openshift.io/scope, or delete them first',
  );
}

/** Refuses to uninstall what is in use. */
export async function guardUninstall(client: Client, component: ComponentName): Promise<void> {
  if (component === 'machine-api') await guardMachines(client);
  if (component === 'hypershift' || component === 'conversion-shim') await guardHosting(client, component);
}

/** What hosted clusters need: their operators, or the shim that converts private objects. */
async function guardHosting(client: Client, component: 'hypershift' | 'conversion-shim'): Promise<void> {
  const clusters = component === 'hypershift' ? await hostedClusters(client) : [];
  if (clusters.length > 0)
    throw new CliError(
      `${namedClusters(clusters)} would no longer be reconciled, nor could ${clusters.length === 1 ? 'it' : 'they'} be deleted`,
      'delete the hosted clusters first: capstan destroy cluster',
    );
  const use = await privateUse(client);
  if (use === undefined) return;
  throw new CliError(
    `${use}: without the conversion shim, it cannot be read in its other versions`,
    'delete the hosted clusters first, and then what is left: kubectl get clusters.cluster.hypershift.openshift.io,machines.cluster.hypershift.openshift.io -A',
  );
}

/** The operator of Machine API and Cluster API is needed while its finalizers hold machines. */
async function guardMachines(client: Client): Promise<void> {
  for (const kind of [MAPI_MACHINE_SETS, MAPI_MACHINES]) {
    const { items } = (await client.list(kind).catch(ignoreNotFound)) ?? { items: [] };
    const held = items.filter(({ metadata }) => metadata.finalizers?.includes(SYNC_FINALIZER));
    const [first] = held;
    if (first === undefined) continue;
    throw new CliError(
      `${held.length} ${kind.plural}.${kind.group} such as ${first.metadata.name} could not be deleted any more: the operator alone removes its finalizer`,
      'give them back first: capstan machine-api prepare-downgrade',
    );
  }
}

async function refuseDowngrade(client: Client, plan: Plan, { version }: InstallSettings): Promise<void> {
  for (const object of [...plan.definitions, ...objectsOf(plan)]) {
    if (object.metadata.annotations?.[VERSION_ANNOTATION] === undefined) continue;
    const { name = '', namespace } = object.metadata;
    const there = await client.get(refOf(object), name, { namespace, metadataOnly: true }).catch(ignoreNotFound);
    const installed = there?.metadata.annotations?.[VERSION_ANNOTATION];
    if (installed === undefined || !isLater(installed, version)) continue;
    throw new CliError(
      `${nameOf(object)} is of version ${installed}, and this is ${version}: an earlier version is not installed over a later one`,
      `use capstan ${installed} or later`,
    );
  }
}

function isLater(one: string, other: string): boolean {
  const [a, b] = [parseVersion(one), parseVersion(other)];
  return a !== undefined && b !== undefined && compareVersions(a, b) > 0;
}

interface Selecting extends KubeObject {
  readonly spec: {
    readonly selector: { readonly matchLabels?: Readonly<Record<string, string>> };
    readonly template: KubeObject;
  };
}

const DEPLOYMENTS: ResourceRef = { group: 'apps', version: 'v1', plural: 'deployments', namespaced: true };

/** Selectors cannot be changed: a Deployment that exists keeps its own, and its pods get those labels as well. */
export async function keepSelectors(client: Client, plan: Plan): Promise<Plan> {
  const kept = async (object: KubeObject): Promise<KubeObject> => {
    if (object.kind !== 'Deployment') return object;
    const { name = '', namespace } = object.metadata;
    const there = await client.get<Selecting>(DEPLOYMENTS, name, { namespace }).catch(ignoreNotFound);
    const labels = there?.spec.selector.matchLabels;
    if (labels === undefined) return object;
    const { spec } = object as Selecting;
    const { metadata } = spec.template;
    const template = { ...spec.template, metadata: { ...metadata, labels: { ...metadata.labels, ...labels } } };
    return { ...object, spec: { ...spec, selector: { matchLabels: labels }, template } };
  };
  const stages = await Promise.all(
    plan.stages.map(async (stage) => ({ ...stage, objects: await Promise.all(stage.objects.map(kept)) })),
  );
  return { ...plan, stages };
}

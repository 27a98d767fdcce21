import { FINALIZER, MANAGED_BY } from '@capstan/crd-compatibility/manifests';
import { hasFinalizer, removeFinalizer, retryOnConflict, systemClock, systemRandom } from '@capstan/kube';
import type { Client, ResourceKind } from '@capstan/kube';
import { ignoreNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { REQUIREMENTS } from '../crds/lists.js';
import type { Io } from '../io.js';
import { nameOf, take, waitFor } from './cluster.js';
import { deploymentsOf, objectsOf, planOf } from './components.js';
import type { Component, InstallSettings } from './components.js';
import { guardUninstall } from './guards.js';
import { hypershiftPlan } from './hypershift.js';
import type { InstallOptions } from './options.js';

const CONFIGURATIONS: ResourceKind = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  plural: 'validatingwebhookconfigurations',
  namespaced: false,
  kind: 'ValidatingWebhookConfiguration',
};
const PODS = { group: '', version: 'v1', plural: 'pods', namespaced: true };
/** For a requirement that is written all the time. */
const ATTEMPTS = 20;
const DEPLOYMENTS = { group: 'apps', version: 'v1', plural: 'deployments', namespaced: true };

interface Scaled extends KubeObject {
  readonly spec?: { readonly selector?: { readonly matchLabels?: Readonly<Record<string, string>> } };
  readonly status?: { readonly replicas?: number };
}

interface Uninstalling {
  readonly settings: InstallSettings;
  readonly options: Pick<InstallOptions, 'purge' | 'timeout'>;
  readonly io: Io;
}

/**
 * Takes a component away so that nobody is locked out at any moment: first the program, which would put its
 * configurations back; then the configurations, which refuse writes while nobody answers; then what holds on to
 * requirements; and only then the rest. CRDs, and what users made of them, stay unless they are to be purged.
 */
export async function uninstall(
  client: Client,
  component: Component,
  { io, options, settings }: Uninstalling,
): Promise<void> {
  const { name } = component;
  if (name === 'hypershift' || name === 'conversion-shim') await guardUninstall(client, name);
  // Alerts go as well, whether they were asked for this time or not, and whatever the types that were installed.
  const plan = await planOf(component, { ...settings, monitor: true, isPrivate: true });
  for (const deployment of deploymentsOf(plan).toReversed())
    await stopped(client, deployment, { io, options, settings });
  if (name === 'crd-compatibility') await released(client, io);
  const objects = objectsOf(plan).filter(({ kind }) => kind !== 'Namespace');
  for (const object of objects.toReversed()) if (await take(client, object)) io.out(`${nameOf(object)} deleted\n`);
  if (options.purge === true)
    for (const definition of plan.definitions.toReversed())
      if (await take(client, definition)) io.out(`${nameOf(definition)} deleted\n`);
}

/** On standard types there is one operator: that of an installation on private types would take its lease. */
export async function pruneLegacy(client: Client, settings: InstallSettings, io: Io): Promise<void> {
  const [mine, both] = [await hypershiftPlan(settings), await hypershiftPlan({ ...settings, isPrivate: true })];
  const key = (object: KubeObject): string => `${nameOf(object)} ${object.metadata.namespace ?? ''}`;
  const kept = new Set(objectsOf(mine).map(key));
  // The shim goes on converting what private CRDs are there.
  const extra = (both.stages.at(-1)?.objects ?? []).filter((object) => !kept.has(key(object)));
  for (const object of extra.toReversed()) if (await take(client, object)) io.out(`${nameOf(object)} deleted\n`);
}

async function stopped(client: Client, deployment: string, { io, options, settings }: Uninstalling): Promise<void> {
  const at = { namespace: settings.namespace };
  const value = { spec: { replicas: 0 } };
  const scaled = await client
    .patch<Scaled>(DEPLOYMENTS, deployment, { type: 'merge', value }, at)
    .catch(ignoreNotFound);
  if (scaled === undefined) return;
  const labelSelector = selectorText(scaled.spec?.selector?.matchLabels ?? {});
  const failure = `deployment.apps/${deployment} is not stopped`;
  await waitFor(systemClock(), { failure, limitMs: options.timeout }, async () => {
    const found = await client.get<Scaled>(DEPLOYMENTS, deployment, at).catch(ignoreNotFound);
    const replicas = found?.status?.replicas ?? 0;
    if (replicas > 0) return { isDone: false, seen: `${replicas} replicas are left` };
    // A pod that is ending still writes: what it would write back is deleted only after it.
    const { items } = await client.list(PODS, { ...at, labelSelector });
    const [pod] = items;
    if (pod === undefined) return { isDone: true };
    return { isDone: false, seen: `pod ${pod.metadata.name} is still ending` };
  });
  io.out(`deployment.apps/${deployment} stopped\n`);
}

/** Nothing is checked any more, and requirements can be deleted without the checker. */
async function released(client: Client, io: Io): Promise<void> {
  const { items } = await client.list(CONFIGURATIONS, { labelSelector: selectorText(MANAGED_BY) });
  for (const { metadata } of items) {
    const { name = '' } = metadata;
    await client.delete(CONFIGURATIONS, name).catch(ignoreNotFound);
    io.out(`validatingwebhookconfiguration.admissionregistration.k8s.io/${name} deleted\n`);
  }
  const requirements = await client.list(REQUIREMENTS).catch(ignoreNotFound);
  for (const { metadata } of requirements?.items ?? []) await unheld(client, metadata.name ?? '');
}

/** Removes the checker's finalizer from a requirement, also while another client writes it. */
async function unheld(client: Client, name: string): Promise<void> {
  await retryOnConflict({ clock: systemClock(), random: systemRandom(), attempts: ATTEMPTS }, async () => {
    const requirement = await client.get(REQUIREMENTS, name).catch(ignoreNotFound);
    if (requirement === undefined || !hasFinalizer(requirement, FINALIZER)) return;
    await removeFinalizer(client, REQUIREMENTS, requirement, FINALIZER).catch(ignoreNotFound);
  });
}

function selectorText(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join();
}

import { FINALIZER, MANAGED_BY } from '@capstan/crd-compatibility/manifests';
import { hasFinalizer, removeFinalizer, retryOnConflict, systemClock, systemRandom } from '@capstan/kube';
import type { Client, ResourceKind } from '@capstan/kube';
import { ignoreNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { REQUIREMENTS } from '../crds/lists.js';
import type { Output } from '../io.js';
import { nameOf, take } from './cluster.js';
import { deploymentsOf, objectsOf, planOf } from './components.js';
import type { Component, InstallSettings } from './components.js';
import { refuseOtherNamespace } from './elsewhere.js';
import { guardShard, guardUninstall } from './guards.js';
import { hypershiftPlan } from './hypershift.js';
import type { InstallOptions } from './options.js';
import { selectorText, stoppedFor } from './stopped.js';

const CONFIGURATIONS: ResourceKind = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  plural: 'validatingwebhookconfigurations',
  namespaced: false,
  kind: 'ValidatingWebhookConfiguration',
};
/** For a requirement that is written all the time. */
const ATTEMPTS = 20;

interface Uninstalling {
  readonly settings: InstallSettings;
  readonly options: Pick<InstallOptions, 'purge' | 'timeout'>;
  readonly io: Output;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Takes a component away so that nobody is locked out at any moment: first the program, which would put its
 * configurations back; then the configurations, which refuse writes while nobody answers; then what holds on to
 * requirements; and only then the rest. CRDs, and what users made of them, stay unless they are to be purged.
 */
export async function uninstall(
  client: Client,
  component: Component,
  { io, options, settings, signal }: Uninstalling,
): Promise<void> {
  const { name } = component;
  if (settings.scope !== undefined) return uninstallShard(client, component, { io, options, settings, signal });
  await guardUninstall(client, name);
  if (name === 'hypershift') await refuseOtherNamespace(client, settings);
  // Alerts go as well, whether they were asked for this time or not, and whatever the types that were installed.
  const plan = await planOf(component, { ...settings, monitor: true, isPrivate: true });
  const others = name === 'hypershift' ? await onlyOn('standard', { ...settings, monitor: true }) : [];
  const stopping = { namespace: settings.namespace, timeoutMs: options.timeout, io, signal };
  // What was created since the first look has finalizers that only they remove.
  await stoppedFor(client, deploymentsOf(plan).toReversed(), stopping, () => guardUninstall(client, name));
  if (name === 'crd-compatibility') await released(client, io);
  const objects = [...objectsOf(plan), ...others].filter(({ kind }) => kind !== 'Namespace');
  for (const object of objects.toReversed()) if (await take(client, object)) io.out(`${nameOf(object)} deleted\n`);
  if (options.purge === true)
    for (const definition of plan.definitions.toReversed())
      if (await take(client, definition)) io.out(`${nameOf(definition)} deleted\n`);
}

/** What the others need too. */
const SHARED: ReadonlySet<string> = new Set(['Namespace', 'PriorityClass', 'PrometheusRule']);

async function uninstallShard(
  client: Client,
  component: Component,
  { io, options, settings, signal }: Uninstalling,
): Promise<void> {
  const { scope = '' } = settings;
  await guardShard(client, scope);
  await refuseOtherNamespace(client, settings);
  const plan = await planOf(component, { ...settings, monitor: true });
  const stopping = { namespace: settings.namespace, timeoutMs: options.timeout, io, signal };
  await stoppedFor(client, deploymentsOf(plan), stopping, () => guardShard(client, scope));
  for (const object of objectsOf(plan).toReversed())
    if (!SHARED.has(object.kind) && (await take(client, object))) io.out(`${nameOf(object)} deleted\n`);
}

/**
 * Deletes what an installation on the other types has left: on standard types there is one operator, and that of an
 * installation on private types would take its lease.
 */
export async function pruneOther(client: Client, settings: InstallSettings, io: Output): Promise<void> {
  const extra = await onlyOn(settings.isPrivate ? 'standard' : 'private', settings);
  for (const object of extra.toReversed()) if (await take(client, object)) io.out(`${nameOf(object)} deleted\n`);
}

/** What only an installation on those types has, apart from the shim: it goes on converting what private CRDs are there. */
async function onlyOn(types: 'private' | 'standard', settings: InstallSettings): Promise<readonly KubeObject[]> {
  const isPrivate = types === 'private';
  const [these, others] = [
    await hypershiftPlan({ ...settings, isPrivate }),
    await hypershiftPlan({ ...settings, isPrivate: !isPrivate }),
  ];
  const key = (object: KubeObject): string => `${nameOf(object)} ${object.metadata.namespace ?? ''}`;
  const shared = new Set(objectsOf(others).map(key));
  return (these.stages.at(-1)?.objects ?? []).filter((object) => !shared.has(key(object)));
}

/** Nothing is checked any more, and requirements can be deleted without the checker. */
async function released(client: Client, io: Output): Promise<void> {
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

import { FINALIZER, MANAGED_BY } from '@capstan/crd-compatibility/manifests';
import { removeFinalizer, systemClock } from '@capstan/kube';
import type { Client, ResourceKind } from '@capstan/kube';
import { isNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { REQUIREMENTS } from '../crds/lists.js';
import type { Io } from '../io.js';
import { nameOf, take, until } from './cluster.js';
import { DEPLOYMENT_OF, objectsOf } from './components.js';
import type { Component, InstallSettings } from './components.js';
import type { InstallOptions } from './run.js';

const CONFIGURATIONS: ResourceKind = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  plural: 'validatingwebhookconfigurations',
  namespaced: false,
  kind: 'ValidatingWebhookConfiguration',
};
const DEPLOYMENTS = { group: 'apps', version: 'v1', plural: 'deployments', namespaced: true };

interface Scaled extends KubeObject {
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
 * requirements; and only then the rest. Definitions, and what users made of them, stay unless they are to be purged.
 */
export async function uninstall(
  client: Client,
  component: Component,
  { io, options, settings }: Uninstalling,
): Promise<void> {
  await stopped(client, component, { io, options, settings });
  if (component.name === 'crd-compatibility') await released(client, io);
  const objects = objectsOf(component, settings).filter(({ kind }) => kind !== 'Namespace');
  for (const object of objects.toReversed()) if (await take(client, object)) io.out(`${nameOf(object)} deleted\n`);
  if (options.purge === true)
    for (const definition of component.definitions().toReversed())
      if (await take(client, definition)) io.out(`${nameOf(definition)} deleted\n`);
}

async function stopped(client: Client, { name }: Component, { io, options, settings }: Uninstalling): Promise<void> {
  const deployment = DEPLOYMENT_OF[name];
  const at = { namespace: settings.namespace };
  try {
    await client.patch(DEPLOYMENTS, deployment, { type: 'merge', value: { spec: { replicas: 0 } } }, at);
  } catch (error) {
    if (isNotFound(error)) return;
    throw error;
  }
  const what = `deployment.apps/${deployment} being stopped`;
  await until(systemClock(), { what, limitMs: options.timeout }, async () => {
    const { status } = await client.get<Scaled>(DEPLOYMENTS, deployment, at);
    return (status?.replicas ?? 0) === 0;
  });
  io.out(`deployment.apps/${deployment} stopped\n`);
}

/** Nothing is checked any more, and requirements can be deleted without the checker. */
async function released(client: Client, io: Io): Promise<void> {
  const labelSelector = Object.entries(MANAGED_BY)
    .map(([key, value]) => `${key}=${value}`)
    .join();
  const { items } = await client.list(CONFIGURATIONS, { labelSelector });
  for (const { metadata } of items) {
    const { name = '' } = metadata;
    await client.delete(CONFIGURATIONS, name).catch(unlessGone);
    io.out(`validatingwebhookconfiguration.admissionregistration.k8s.io/${name} deleted\n`);
  }
  const requirements = await client.list(REQUIREMENTS).catch((error: unknown) => {
    if (isNotFound(error)) return { items: [] };
    throw error;
  });
  for (const requirement of requirements.items)
    if (requirement.metadata.finalizers?.includes(FINALIZER) === true)
      await removeFinalizer(client, REQUIREMENTS, requirement, FINALIZER);
}

function unlessGone(error: unknown): void {
  if (!isNotFound(error)) throw error;
}

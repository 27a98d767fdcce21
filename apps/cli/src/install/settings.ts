import type { Client, ResourceRef } from '@capstan/kube';
import { mirroredKinds } from '@capstan/machine-api/manifests';
import { isForbidden, isNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { hasNativeSidecars } from '@capstan/translate/sidecar';
import { clientVersion } from '../client-version.js';
import { DEFINITIONS } from '../crds/lists.js';
import { readSources } from '../crds/read.js';
import type { Io } from '../io.js';
import type { Component, InstallSettings } from './components.js';
import type { InstallOptions } from './options.js';
import { groupOfCrd } from './private-crds.js';

/** The settings that options come to, without asking a cluster. */
export async function settingsOf({ namespace }: Component, options: InstallOptions, io: Io): Promise<InstallSettings> {
  const { crdsFrom, featureGates, image, ownCertificate, platform, releaseVersion, runbookBase, serviceMonitor } =
    options;
  return {
    namespace: options.namespace ?? namespace,
    image,
    version: clientVersion(),
    isSingleNode: options.singleNode === true,
    monitor: serviceMonitor === true,
    hasOwnCa: ownCertificate === true,
    isPrivate: options.privateCapiTypes === true,
    scope: options.scope,
    native: true,
    sources: crdsFrom === undefined ? undefined : await readSources(crdsFrom, io),
    caBundles: {},
    groups: [],
    runbookBase,
    platform,
    featureGates,
    releaseVersion,
  };
}

const MONITORS = { group: 'monitoring.coreos.com', version: 'v1', plural: 'servicemonitors', namespaced: true };
const NODES = { group: '', version: 'v1', plural: 'nodes', namespaced: false };

interface Node extends KubeObject {
  readonly status?: { readonly nodeInfo?: { readonly kubeletVersion?: string } };
}

/** What the cluster decides: whether its nodes run native sidecars, whether it has the kinds of the Prometheus operator, which groups it serves. */
export async function discovered(
  client: Client,
  { name }: Component,
  settings: InstallSettings,
): Promise<InstallSettings> {
  if (name === 'machine-api') return { ...settings, mirrored: await mirroredKinds(client) };
  if (name !== 'hypershift' && name !== 'conversion-shim') return settings;
  const monitor = settings.monitor || (await isServed(client, MONITORS));
  return { ...settings, monitor, native: await knowsNativeSidecars(client), groups: await groupsOfCrds(client) };
}

/** Operators list every kind of Cluster API that is served, so they are granted whatever groups there are. */
export async function groupsOfCrds(client: Client): Promise<readonly string[]> {
  const { items } = await client.list(DEFINITIONS, { metadataOnly: true });
  return [...new Set(items.map(({ metadata: { name = '' } }) => groupOfCrd(name)))];
}

/** Whether the cluster serves a resource; one that the user may not read may well be served. */
export async function isServed(client: Client, resource: ResourceRef): Promise<boolean> {
  try {
    await client.revision(resource);
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    // A user who installs may lack permission to read it: operators have accounts of their own.
    if (isForbidden(error)) return true;
    throw error;
  }
}

async function knowsNativeSidecars(client: Client): Promise<boolean> {
  const { body } = await client.request({ method: 'GET', target: '/version', resource: NODES });
  const version = (body.type === 'payload' ? body.value() : {}) as { readonly major?: string; readonly minor?: string };
  const nodes = await client.list<Node>(NODES);
  const kubelets = nodes.items.flatMap(({ status }) => status?.nodeInfo?.kubeletVersion ?? []);
  return hasNativeSidecars({ major: version.major ?? '', minor: version.minor ?? '' }, kubelets);
}

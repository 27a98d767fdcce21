import { HOSTED_CLUSTERS } from '@capstan/hosting';
import { STATIC_CONFIGURATION } from '@capstan/crd-compatibility/manifests';
import { kubeconfigText } from '@capstan/kube';
import { MACHINE_API_NAMESPACE, MAPI_MACHINE_SETS } from '@capstan/machine-api';
import type { KubeObject } from '@capstan/meta';
import { bootstrapUserData } from '@capstan/simulation';
import { IMAGES } from '@capstan/upstream';
import { clusterNamespace, clusterObjects, clusterPrograms, CONTROL_PLANE_STATUS, controlPlaneOf } from './fleet.js';
import type { FleetCluster } from './fleet.js';
import { hostedClusterObjects } from './hosting/clusters.js';
import type { HostedFleetCluster } from './hosting/clusters.js';
import { OPERATOR_NAMESPACE, privateFromTheStart, standardOperator } from './hosting/operator.js';
import { Installer } from './install.js';
import { isUpgraded } from './migration/upgrade.js';
import type { Observer } from './observer.js';
import {
  PLATFORM_CLUSTER,
  platformClusterApiObjects,
  platformClusterApiPrograms,
  platformClusterApiStatus,
} from './platform-cluster-api.js';
import { checkerObjects, requirementDefinition, requirements } from './checker.js';
import { conversionObjects } from './conversion.js';
import { definitionsFor, otherDefinitions } from './definitions.js';
import { shimObjects } from './shim.js';
import { machineGatesFor, mirrorGuards, mirrorPrograms, reportPlatform } from './platform-mirror.js';
import { BOOTSTRAP_ACCOUNT, platformMachines, platformObjects, platformPrograms } from './standalone.js';
import { usageRole } from '../apiserver/usage.js';
import type { RunningEnvironment } from './environment.js';

const VALIDATING_WEBHOOKS = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  plural: 'validatingwebhookconfigurations',
  namespaced: false,
};
const PLATFORM_MACHINES = 2;
/** As long as the CA: machines that were stopped for long come back by it. */
const BOOTSTRAP_SECONDS = 10 * 365 * 24 * 3600;

/** What there is to be. */
export interface Wanted {
  readonly clusters: readonly FleetCluster[];
  readonly hosted: readonly HostedFleetCluster[];
  /** Whether the platform has its own Cluster API, on the standard groups. */
  readonly platformCapi: boolean;
  /** Whether hosted clusters are on private types from the start. */
  readonly privateTypes: boolean;
}

/** Installs CRDs and the controllers of clusters. Repeated on an existing cluster it changes nothing. */
export async function installPrograms(
  environment: RunningEnvironment,
  { clusters, hosted, platformCapi, privateTypes }: Wanted,
  observer: Observer,
  signal: AbortSignal,
): Promise<void> {
  const installer = new Installer(environment.client);
  // A data directory may be of a fleet that was upgraded, or was being upgraded.
  const isPrivate = privateTypes || (await isUpgraded(environment.client, signal));
  const onPrivate = isPrivate ? await privateFromTheStart(environment.hosting) : undefined;
  const machineGates = machineGatesFor(platformCapi);
  const definitions = await definitionsFor(clusters, hosted, { installed: onPrivate?.definitions, machineGates });
  await installer.apply(requirementDefinition(), signal);
  // Of a data directory: writes of CRDs are refused until the checker answers, so it comes before them.
  if (await isChecked(environment, signal)) await installer.applyAll(checkerObjects(), signal);
  const { clock } = environment.started;
  await Promise.all(definitions.map((definition) => installer.applyChecked(definition, clock, signal)));
  observer.done('kinds', `${definitions.length} installed`);
  const namespaces = clusters.map((cluster) => clusterNamespace(cluster));
  await installer.applyAll([...platformObjects(), usageRole(), ...namespaces], signal);
  await reportPlatform(machineGates, installer, clock, signal);
  const programs = [
    ...conversionObjects(),
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: OPERATOR_NAMESPACE } },
    ...(onPrivate === undefined && clusters.length > 0 ? shimObjects() : []),
    ...checkerObjects(),
    ...(onPrivate?.objects ?? standardOperator(environment.hosting)),
    ...platformPrograms(IMAGES),
    ...(platformCapi ? platformClusterApiPrograms(IMAGES) : []),
    ...mirrorPrograms(machineGates),
  ];
  observer.expectPrograms(deploymentsIn(programs));
  await installer.applyAll(programs, signal);
  for (const requirement of requirements(definitions)) await installer.applyChecked(requirement, clock, signal);
}

function deploymentsIn(objects: readonly KubeObject[]): number {
  return objects.filter(({ kind }) => kind === 'Deployment').length;
}

/** Asks for the fleet. Done again over what is there it changes nothing. */
export async function askForFleet(
  environment: RunningEnvironment,
  { clusters, hosted, platformCapi }: Wanted,
  observer: Observer,
  signal: AbortSignal,
): Promise<void> {
  const installer = new Installer(environment.client);
  // They wait for what their cluster is reached by.
  const programs = clusters.flatMap((cluster) => clusterPrograms(cluster, IMAGES));
  observer.expectPrograms(deploymentsIn(programs));
  await installer.applyAll(programs, signal);
  for (const cluster of hosted) await host(environment, cluster, installer, signal);
  const userData = bootstrapUserData(await bootstrapKubeconfig(environment, signal));
  await askForMachines(environment, userData, installer, signal);
  if (platformCapi) {
    await raisePlatform(environment, userData, installer, signal);
    await installer.applyAll(mirrorGuards(), signal);
  }
  for (const cluster of clusters) await launch(environment, cluster, installer, signal);
  observer.done('fleet', 'asked for');
}

/** The platform's own machines. A set that is there is its user's: its authoritative API may have changed. */
async function askForMachines(
  { client }: RunningEnvironment,
  userData: string,
  installer: Installer,
  signal: AbortSignal,
): Promise<void> {
  const { items } = await client.list(MAPI_MACHINE_SETS, { namespace: MACHINE_API_NAMESPACE, signal });
  const known = new Set(items.map(({ metadata }) => metadata.name));
  const wanted = platformMachines(userData, PLATFORM_MACHINES);
  await installer.applyAll(
    wanted.filter(({ kind, metadata }) => kind !== MAPI_MACHINE_SETS.kind || !known.has(metadata.name)),
    signal,
  );
}

/** Installs the kinds of every other platform, which are as many again: nothing that comes up waits for them. */
export async function installPlatforms(
  { client, started }: RunningEnvironment,
  { hosted }: Pick<Wanted, 'hosted'>,
  signal: AbortSignal,
): Promise<void> {
  const installer = new Installer(client);
  for (const definition of await otherDefinitions(hosted))
    await installer.applyChecked(definition, started.clock, signal);
}

/** Whether the checker was installed in an earlier run of this cluster. */
async function isChecked({ client }: RunningEnvironment, signal: AbortSignal): Promise<boolean> {
  const { items } = await client.list(VALIDATING_WEBHOOKS, { signal });
  return items.some(({ metadata }) => metadata.name === STATIC_CONFIGURATION);
}

/**
 * The platform's own cluster in Cluster API. It is reconciled only once its status is set: a controller that reads it
 * earlier finds no control plane, owns that status, and never reads it again.
 */
async function raisePlatform(
  { client, started }: RunningEnvironment,
  userData: string,
  installer: Installer,
  signal: AbortSignal,
): Promise<void> {
  const { name, namespace, resource } = PLATFORM_CLUSTER;
  const { items } = await client.list(resource, { namespace, signal });
  const isNew = !items.some(({ metadata }) => metadata.name === name);
  const objects = (isHeld: boolean): KubeObject[] => platformClusterApiObjects({ ...started, userData, isHeld });
  await installer.applyAll(objects(isNew), signal);
  const { clock } = started;
  for (const object of platformClusterApiStatus(clock)) await installer.insist(object, clock, signal);
  if (isNew) await installer.applyAll(objects(false), signal);
}

/** A guest cluster, and all of its objects in the management cluster. */
async function launch(
  environment: RunningEnvironment,
  cluster: FleetCluster,
  installer: Installer,
  signal: AbortSignal,
): Promise<void> {
  const { name, namespace } = cluster;
  await environment.openGuest(namespace, name);
  const guest = environment.guests.ensure(namespace, name);
  const { hostname, port } = new URL(guest.url);
  const access = {
    host: hostname,
    port: Number(port),
    kubeconfigSecret: guest.kubeconfigSecret(),
    userData: guest.userData(),
  };
  await installer.applyAll(clusterObjects(cluster, access), signal);
  const { spec: _, ...controlPlane } = controlPlaneOf(cluster);
  await installer.apply({ ...controlPlane, status: CONTROL_PLANE_STATUS }, signal, 'status');
}

/** Asks for a hosted cluster, once: what its user has made of it since is the user's. */
async function host(
  { client, hosting }: RunningEnvironment,
  cluster: HostedFleetCluster,
  installer: Installer,
  signal: AbortSignal,
): Promise<void> {
  const { name, namespace } = cluster;
  const { items } = await client.list(HOSTED_CLUSTERS, { namespace, signal });
  if (items.some(({ metadata }) => metadata.name === name)) return;
  await installer.applyAll(await hostedClusterObjects(cluster, hosting.images[0] ?? ''), signal);
}

const SERVICE_ACCOUNTS = { group: '', version: 'v1', plural: 'serviceaccounts', namespaced: true };

interface TokenRequest extends KubeObject {
  readonly status?: { readonly token: string };
}

/** With what a node of the management cluster asks for its first certificate. */
async function bootstrapKubeconfig({ client, started }: RunningEnvironment, signal: AbortSignal): Promise<string> {
  const { name, namespace } = BOOTSTRAP_ACCOUNT;
  const request: TokenRequest = {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    metadata: { namespace },
    spec: { expirationSeconds: BOOTSTRAP_SECONDS },
  };
  const { status } = await client.create(SERVICE_ACCOUNTS, request, { namespace, name, subresource: 'token', signal });
  const { caPem, url: server } = started;
  return kubeconfigText({ server, caPem, token: status?.token, name: 'management', userName: 'kubelet' });
}

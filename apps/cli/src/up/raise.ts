import { kinds as clusterApiKinds } from '@capstan/api/cluster-api';
import { kinds as configKinds } from '@capstan/api/config';
import { kinds as machineKinds } from '@capstan/api/machine';
import { crd } from '@capstan/api/model';
import { kubeconfigText } from '@capstan/kube';
import type { Client } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { bootstrapUserData, infrastructureDefinitions } from '@capstan/simulation';
import { clusterNamespace, clusterObjects, clusterPrograms } from './fleet.js';
import type { FleetCluster } from './fleet.js';
import { images } from './images.js';
import { Installer } from './install.js';
import type { Observer } from './observer.js';
import { CONVERSION, conversionObjects } from './conversion.js';
import { BOOTSTRAP_ACCOUNT, platformMachines, platformObjects, platformPrograms } from './standalone.js';
import type { RunningWorld } from './world.js';

const PLATFORM_MACHINES = 2;
const YEAR_SECONDS = 365 * 24 * 3600;

/** Installs kinds and programs, and asks for the fleet. Done again over what is there it changes nothing. */
export async function raise(
  world: RunningWorld,
  clusters: readonly FleetCluster[],
  observer: Observer,
  signal: AbortSignal,
): Promise<void> {
  const installer = new Installer(world.client);
  const definitions = allDefinitions();
  await Promise.all(definitions.map((definition) => installer.apply(definition, signal)));
  observer.done('kinds', `${definitions.length} installed`);
  const namespaces = clusters.map((cluster) => clusterNamespace(cluster));
  await installer.applyAll([...platformObjects(), ...namespaces], signal);
  const programs = [
    ...conversionObjects(),
    ...platformPrograms(images),
    ...clusters.flatMap((cluster) => clusterPrograms(cluster, images)),
  ];
  observer.expectPrograms(programs.filter(({ kind }) => kind === 'Deployment').length);
  await installer.applyAll(programs, signal);
  const userData = bootstrapUserData(await bootstrapKubeconfig(world, signal));
  await installer.applyAll(platformMachines(userData, PLATFORM_MACHINES), signal);
  for (const cluster of clusters) await launch(world, cluster, installer, signal);
  observer.done('fleet', 'asked for');
}

function allDefinitions(): KubeObject[] {
  const core = clusterApiKinds.map((kind) => crd(kind, { conversion: CONVERSION }));
  const others = [...machineKinds, ...configKinds].map((kind) => crd(kind));
  return [...core, ...others, ...infrastructureDefinitions()] as unknown as KubeObject[];
}

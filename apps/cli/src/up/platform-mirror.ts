import { FEATURE_GATE, CLUSTER_API_NAMESPACE } from '@capstan/machine-api';
import { machineApiGuards, machineApiManifests } from '@capstan/machine-api/manifests';
import type { Clock, KubeObject } from '@capstan/meta';
import { CAPSTAN_IMAGE } from '../pods/capstan-images.js';
import type { Installer } from './install.js';
import { INFRASTRUCTURE_NAME } from './standalone.js';

const CONFIG = 'config.openshift.io/v1';
const OPTIONS = { namespace: CLUSTER_API_NAMESPACE, image: CAPSTAN_IMAGE, isSingleNode: true };

/** The feature gates of Machine API that are on. */
export function machineGatesFor(hasClusterApi: boolean): readonly string[] {
  return hasClusterApi ? [FEATURE_GATE] : [];
}

/** The operator that keeps the platform's machines in both APIs; installed as `capstan install` does it. */
export function mirrorPrograms(gates: readonly string[]): readonly KubeObject[] {
  return gates.includes(FEATURE_GATE) ? machineApiManifests(OPTIONS) : [];
}

/** What OpenShift's own operators report of the cluster, by which the operator decides whether there is anything to do. */
export async function reportPlatform(
  gates: readonly string[],
  installer: Installer,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  if (gates.length === 0) return;
  const infrastructure = {
    infrastructureName: INFRASTRUCTURE_NAME,
    platform: 'AWS',
    platformStatus: { type: 'AWS', aws: { region: 'us-east-1' } },
  };
  const featureGates = [{ version: 'up', enabled: gates.map((name) => ({ name })), disabled: [] }];
  const cluster = (kind: string, status: object): KubeObject => ({
    apiVersion: CONFIG,
    kind,
    metadata: { name: 'cluster' },
    status,
  });
  for (const object of [cluster('Infrastructure', infrastructure), cluster('FeatureGate', { featureGates })])
    await installer.insist(object, clock, signal);
}

/** The policies that guard the copies. */
export function mirrorGuards(): readonly KubeObject[] {
  return machineApiGuards(OPTIONS);
}

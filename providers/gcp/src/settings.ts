import type { GCPNodePoolPlatform, GCPPlatform } from '@capstan/api/hypershift';
import { settingsOf } from '@capstan/provider';
import type { OfPlatform } from '@capstan/provider';

/** The field of `spec.platform` with the settings. */
export const KEY = 'gcp';

/** The file of a Secret with credentials. */
export const CREDENTIALS_FILE = 'application_default_credentials.json';

/** Secrets with credentials in the control plane namespace, and whose account each is of. */
export const CREDENTIALS = {
  'node-management-creds': 'nodePool',
  'control-plane-operator-creds': 'controlPlane',
  'cloud-controller-manager-creds': 'cloudController',
  'gcp-pd-cloud-credentials': 'storage',
  'image-registry-creds': 'imageRegistry',
  'cloud-network-config-controller-creds': 'network',
} as const;

/** The settings of a cluster, as its schema has admitted them. */
export function clusterSettings(of: OfPlatform): GCPPlatform {
  return settingsOf(of, { key: KEY }) as unknown as GCPPlatform;
}

/** The settings of a pool, as its schema has admitted them. */
export function poolSettings(of: OfPlatform): GCPNodePoolPlatform {
  return settingsOf(of, { key: KEY }) as unknown as GCPNodePoolPlatform;
}

/** Labels of resources: those of users, and whose they are. */
export function labelsOf(
  { infraID, name }: { readonly infraID: string; readonly name: string },
  ...given: readonly (GCPPlatform['resourceLabels'] | undefined)[]
): Record<string, string> {
  const labels = given.flatMap((each) => each ?? []).map(({ key, value }) => [key, value] as const);
  return {
    ...Object.fromEntries(labels),
    'hypershift-openshift-io-cluster': name,
    'hypershift-openshift-io-infra-id': infraID,
  };
}

import type { AWSNodePoolPlatform, AWSPlatform } from '@capstan/api/hypershift';
import { settingsOf } from '@capstan/provider';
import type { OfPlatform } from '@capstan/provider';

/** The field of `spec.platform` with the settings. */
export const KEY = 'aws';

/** Names of the Secrets with credentials in the control plane namespace, and whose role each holds. */
export const CREDENTIALS = {
  'cloud-controller-creds': 'kubeCloudControllerARN',
  'node-management-creds': 'nodePoolManagementARN',
  'control-plane-operator-creds': 'controlPlaneOperatorARN',
  'cloud-network-config-controller-creds': 'networkARN',
  'ebs-cloud-credentials': 'storageARN',
} as const;

/** The settings of a cluster, as its schema has admitted them. */
export function clusterSettings(of: OfPlatform): AWSPlatform {
  return settingsOf(of, { key: KEY }) as unknown as AWSPlatform;
}

/** The settings of a pool, as its schema has admitted them. */
export function poolSettings(of: OfPlatform): AWSNodePoolPlatform {
  return settingsOf(of, { key: KEY }) as unknown as AWSNodePoolPlatform;
}

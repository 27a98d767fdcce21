import type { PowerVSNodePoolPlatform, PowerVSPlatform } from '@capstan/api/hypershift';
import { settingsOf } from '@capstan/provider';
import type { OfPlatform } from '@capstan/provider';

/** The field of `spec.platform` with the settings. */
export const KEY = 'powervs';

/** Fields that name a Secret with credentials. */
export const CREDENTIALS = [
  'kubeCloudControllerCreds',
  'nodePoolManagementCreds',
  'ingressOperatorCloudCreds',
  'storageOperatorCloudCreds',
  'imageRegistryOperatorCloudCreds',
] as const;

/** The settings of a cluster, as its schema has admitted them. */
export function clusterSettings(of: OfPlatform): PowerVSPlatform {
  return settingsOf(of, { key: KEY }) as unknown as PowerVSPlatform;
}

/** The settings of a pool, as its schema has admitted them. */
export function poolSettings(of: OfPlatform): PowerVSNodePoolPlatform {
  return settingsOf(of, { key: KEY }) as unknown as PowerVSNodePoolPlatform;
}

import type { OpenStackNodePoolPlatform, OpenStackPlatform } from '@capstan/api/hypershift';
import { settingsOf } from '@capstan/provider';
import type { OfPlatform } from '@capstan/provider';

/** The field of `spec.platform` with the settings. */
export const KEY = 'openstack';

/** Keys of the Secret that the cluster names: how to reach the cloud, and whom to trust. */
export const CLOUDS_KEY = 'clouds.yaml';
export const CA_KEY = 'cacert';
export const CONFIG_KEY = 'cloud.conf';

/** The settings of a cluster, as its schema has admitted them. */
export function clusterSettings(of: OfPlatform): OpenStackPlatform {
  return settingsOf(of, { key: KEY }) as unknown as OpenStackPlatform;
}

/** The settings of a pool, as its schema has admitted them. */
export function poolSettings(of: OfPlatform): OpenStackNodePoolPlatform {
  return settingsOf(of, { key: KEY }) as unknown as OpenStackNodePoolPlatform;
}

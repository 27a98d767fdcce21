import type { AzureNodePoolPlatform, AzurePlatform } from '@capstan/api/hypershift';
import { settingsOf } from '@capstan/provider';
import type { OfPlatform } from '@capstan/provider';

/** The field of `spec.platform` with the settings. */
export const KEY = 'azure';

/** Where programs find the certificates of managed identities. */
export const CERTIFICATE_FOLDER = '/mnt/certs';

/** The settings of a cluster, as its schema has admitted them. */
export function clusterSettings(of: OfPlatform): AzurePlatform {
  return settingsOf(of, { key: KEY }) as unknown as AzurePlatform;
}

/** The settings of a pool, as its schema has admitted them. */
export function poolSettings(of: OfPlatform): AzureNodePoolPlatform {
  return settingsOf(of, { key: KEY }) as unknown as AzureNodePoolPlatform;
}

/** The last name of a path of the resource manager, and the resource group it is in. */
export function resourceOf(id: string): { readonly name: string; readonly resourceGroup: string } {
  const parts = id.split('/');
  return { name: parts.at(-1) ?? '', resourceGroup: parts[4] ?? '' };
}

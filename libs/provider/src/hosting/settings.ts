import type { JsonObject } from '@capstan/meta';
import type { HostingPlatform } from './platform.js';

/** An object that says `spec.platform`: HostedCluster, HostedControlPlane or NodePool. */
export interface OfPlatform {
  readonly spec?: { readonly platform?: object | undefined } | undefined;
}

/** `spec.platform.<key>` of an object; nothing is nothing. */
export function settingsOf({ spec }: OfPlatform, { key }: Pick<HostingPlatform, 'key'>): JsonObject {
  const platform = { ...spec?.platform } as JsonObject;
  const settings = Object.hasOwn(platform, key) ? platform[key] : undefined;
  return typeof settings === 'object' && settings !== null ? (settings as JsonObject) : {};
}

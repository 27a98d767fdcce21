import type { Problem } from '@capstan/hosting';
import type { JsonObject } from '@capstan/meta';
import type { HostingPlatform } from './platform.js';

/** An object with `spec.platform`: HostedCluster, HostedControlPlane or NodePool. */
export interface OfPlatform {
  readonly spec?: { readonly platform?: object | undefined } | undefined;
}

/** `spec.platform.<key>` of an object; nothing is nothing. */
export function settingsOf({ spec }: OfPlatform, { key }: Pick<HostingPlatform, 'key'>): JsonObject {
  const platform = { ...spec?.platform } as JsonObject;
  const settings = Object.hasOwn(platform, key) ? platform[key] : undefined;
  return typeof settings === 'object' && settings !== null ? (settings as JsonObject) : {};
}

/** Whether an object has settings of the platform, even if they are empty: an empty record is passed on as well. */
export function hasSettings({ spec }: OfPlatform, { key }: Pick<HostingPlatform, 'key'>): boolean {
  const settings = ({ ...spec?.platform } as JsonObject)[key];
  return typeof settings === 'object' && settings !== null;
}

/** A problem for each of these fields that the settings of an object lack: schemas let the whole block be left out. */
export function missingSettings(of: OfPlatform, key: string, fields: readonly string[]): Problem[] {
  const settings = settingsOf(of, { key });
  return fields
    .filter((field) => settings[field] === undefined)
    .map((field) => ({
      path: `spec.platform.${key}.${field}`,
      message: `${field} is missing: a ${key} platform cannot be without it`,
    }));
}

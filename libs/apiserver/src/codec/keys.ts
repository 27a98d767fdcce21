import { compareBytes } from '@capstan/meta';

/**
 * Sorts keys in place as Go prints those of a map, by their UTF-8 bytes: an object kept in that order is printed in
 * it. Keys that are in order already, as those of an object that was sorted before, cost one pass.
 */
export function sortKeys(keys: string[]): string[] {
  for (let i = 1; i < keys.length; i++) {
    if (compareBytes(keys[i - 1] as string, keys[i] as string) > 0) return keys.sort(compareBytes);
  }
  return keys;
}

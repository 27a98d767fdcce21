import { compareBytes } from '@capstan/meta';
import type { ObjectKey } from './types.js';

const slash = 0x2f;

/**
 * Orders namespaces as etcd does, where the key goes on with a slash behind the namespace: `a-b` comes before `a`,
 * because `-` is smaller than `/`.
 */
export function compareNamespaces(a: string, b: string): number {
  if (a === b) return 0;
  if (a.length < b.length ? b.startsWith(a) : a.startsWith(b)) {
    const end = Math.min(a.length, b.length);
    return (a.length > end ? a.charCodeAt(end) : slash) - (b.length > end ? b.charCodeAt(end) : slash);
  }
  return compareBytes(a, b);
}

/** The order of lists: the UTF-8 bytes of `namespace/name`. */
export function compareKeys(a: ObjectKey, b: ObjectKey): number {
  return a.namespace === b.namespace ? compareBytes(a.name, b.name) : compareNamespaces(a.namespace, b.namespace);
}

import { formatApiVersion } from '@capstan/meta';
import { RuntimeError } from '../runtime/errors.js';

/** Names a resource: what goes into a request path. */
export interface ResourceRef {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  /** Plural, lower case, as in the path. */
  readonly plural: string;
  readonly namespaced: boolean;
}

/** A resource and the kind of its objects, which owner references name. */
export interface ResourceKind extends ResourceRef {
  readonly kind: string;
}

/** What is addressed within a resource. */
export interface ResourceTarget {
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
}

/** The request path: `/api/v1/namespaces/n/pods/p/status`, `/apis/apps/v1/deployments`, … */
export function resourcePath(ref: ResourceRef, target: ResourceTarget = {}): string {
  let path = `${ref.group === '' ? '/api' : '/apis'}/${formatApiVersion(ref)}`;
  // No namespace on a namespaced resource means all of them.
  if (ref.namespaced && target.namespace !== undefined && target.namespace !== '')
    path += `/namespaces/${encoded(target.namespace)}`;
  path += `/${ref.plural}`;
  if (target.name !== undefined) {
    // An empty name would silently address the whole collection.
    if (target.name === '') throw new RuntimeError('misused', `resource name may not be empty (${ref.plural})`);
    path += `/${encoded(target.name)}`;
  }
  return target.subresource === undefined ? path : `${path}/${target.subresource}`;
}

/** Path and query; undefined, false and empty values are left out. */
export function requestTarget(
  path: string,
  query: Readonly<Record<string, string | number | boolean | undefined>>,
): string {
  let target = path;
  let separator = '?';
  for (const name of Object.keys(query)) {
    const value = query[name];
    if (value === undefined || value === false || value === '') continue;
    target += `${separator}${name}=${typeof value === 'string' ? encoded(value) : encodeURIComponent(value)}`;
    separator = '&';
  }
  return target;
}

/** Most names need no encoding, and to see that is cheaper than to encode them. */
function encoded(text: string): string {
  return /^[\w.-]*$/.test(text) ? text : encodeURIComponent(text);
}

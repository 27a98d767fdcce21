import { deepEqual, ignoreNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import type { Client } from '../client/client.js';
import type { PropagationPolicy } from '../client/options.js';
import { apply, patchFrom } from '../client/patches.js';
import type { ResourceKind } from '../client/resource.js';

/** One write. A decision is a list of them, empty when the cluster is as desired. */
export type Change =
  | { readonly verb: 'create'; readonly kind: ResourceKind; readonly object: KubeObject }
  | {
      readonly verb: 'patch';
      readonly kind: ResourceKind;
      readonly before: KubeObject;
      readonly after: KubeObject;
      readonly subresource?: 'status' | undefined;
    }
  // Whole, for what a merge patch cannot express: fields that must be there and null.
  | {
      readonly verb: 'replace';
      readonly kind: ResourceKind;
      readonly object: KubeObject;
      readonly subresource: 'status';
    }
  | { readonly verb: 'apply'; readonly kind: ResourceKind; readonly object: KubeObject; readonly fieldOwner: string }
  | {
      readonly verb: 'delete';
      readonly kind: ResourceKind;
      readonly object: KubeObject;
      readonly propagationPolicy?: PropagationPolicy | undefined;
      /** Only as it was read: any write in between makes it fail with a conflict. */
      readonly isUnchanged?: boolean | undefined;
    };

/** What {@link performChange} takes besides the change. */
export interface PerformOptions {
  readonly signal?: AbortSignal | undefined;
  /** The server checks everything and stores nothing. */
  readonly dryRun?: boolean | undefined;
}

/** The change that turns the existing object into the desired one; none when they are equal. */
export function changeTo(kind: ResourceKind, existing: KubeObject | undefined, desired: KubeObject): readonly Change[] {
  if (existing === undefined) return [{ verb: 'create', kind, object: desired }];
  return deepEqual(existing, desired) ? [] : [{ verb: 'patch', kind, before: existing, after: desired }];
}

/** `create Role hosts/reader`, for events, logs and the output of dry runs. */
export function describeChange(change: Change): string {
  const { metadata } = change.verb === 'patch' ? change.after : change.object;
  const name = metadata.namespace === undefined ? metadata.name : `${metadata.namespace}/${metadata.name ?? ''}`;
  const subresource = 'subresource' in change && change.subresource !== undefined ? `/${change.subresource}` : '';
  return `${change.verb} ${change.kind.kind}${subresource} ${name ?? metadata.generateName ?? ''}`;
}

/**
 * Performs one change; the object as the server has it afterwards, undefined when the object to delete was gone already.
 * Patches, replacements and deletions are of the very object that was read: a write in between makes them fail with a conflict, and the
 * caller reconciles again.
 */
export async function performChange(
  client: Client,
  change: Change,
  { dryRun = false, signal }: PerformOptions = {},
): Promise<KubeObject | undefined> {
  const { kind } = change;
  const options = { signal, dryRun };
  switch (change.verb) {
    case 'create':
      return client.create(kind, change.object, options);
    case 'replace':
      return client.update(kind, change.object, { subresource: change.subresource, ...options });
    case 'apply':
      return apply(client, kind, change.object, { fieldOwner: change.fieldOwner, force: true, ...options });
    case 'patch': {
      const { subresource } = change;
      return patchFrom(client, kind, change, { optimisticLock: true, subresource, ...options });
    }
    case 'delete': {
      const { name = '', namespace, resourceVersion, uid } = change.object.metadata;
      const { isUnchanged, propagationPolicy } = change;
      const revision = isUnchanged === true ? { resourceVersion } : {};
      const preconditions = uid === undefined ? undefined : { uid, ...revision };
      const deleted = client.delete(kind, name, { namespace, propagationPolicy, preconditions, ...options });
      return deleted.then(() => change.object).catch(ignoreNotFound);
    }
  }
}

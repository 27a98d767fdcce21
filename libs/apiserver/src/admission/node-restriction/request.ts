import { apiErrors } from '@capstan/meta';
import type { ApiError, KubeObject } from '@capstan/meta';
import type { AdmissionAttributes } from '../../registry/admission-chain.js';
import type { Store } from '../../store/index.js';
import type { Authorizer } from '../../auth/access.js';

/** A write of a node, and where to look at what else is stored. */
export interface NodeRequest {
  readonly node: string;
  readonly attributes: AdmissionAttributes;
  readonly store: Store;
  readonly authorize: Authorizer;
}

/** A refusal of the request, for a reason. */
export function refused({ resource, name, object }: AdmissionAttributes, reason: string): ApiError {
  const { name: own, generateName } = object?.metadata ?? {};
  return apiErrors.forbidden(resource, name || own || generateName || 'Unknown', reason);
}

/** An object the request is about; throws NotFound, in the words of the cache the plugin looks at. */
export function requireStored(store: Store, kind: CachedKind, namespace: string, name: string): KubeObject {
  const stored = store.get(kind.storage, namespace, name);
  if (stored === undefined) throw apiErrors.notFound(kind.cachedAs, name);
  return stored.object();
}

/** A resource, and what its cache calls it. */
export interface CachedKind {
  readonly storage: string;
  readonly cachedAs: { readonly group: string; readonly resource: string };
}

export const PODS: CachedKind = { storage: '/pods', cachedAs: { group: '', resource: 'pod' } };
export const NODES: CachedKind = { storage: '/nodes', cachedAs: { group: '', resource: 'node' } };
export const CLAIMS: CachedKind = {
  storage: '/persistentvolumeclaims',
  cachedAs: { group: '', resource: 'persistentvolumeclaim' },
};
export const VOLUMES: CachedKind = {
  storage: '/persistentvolumes',
  cachedAs: { group: '', resource: 'persistentvolume' },
};
export const CSI_DRIVERS: CachedKind = {
  storage: 'storage.k8s.io/csidrivers',
  cachedAs: { group: 'storage.k8s.io', resource: 'csidriver' },
};

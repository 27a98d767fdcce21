import { apiErrors } from '@capstan/meta';
import type { Core } from './core.js';
import type { Flow } from './effects.js';
import type { ServedResource } from './served-resource.js';

export const NAMESPACES = '/namespaces';
/** Deleting one of these would take the cluster with it. */
const IMMORTAL = new Set(['default', 'kube-system', 'kube-public']);
/** A namespace created a moment ago through another client may not be seen yet; the real server gives it this long. */
const MISSING_NAMESPACE_WAIT_MS = 50;

/** Refuses objects in namespaces that are not there or on their way out. */
export function* requireLivingNamespace(
  core: Core,
  served: ServedResource,
  namespace: string,
  name: string,
): Flow<void> {
  let stored = core.store.get(NAMESPACES, '', namespace);
  if (stored === undefined) {
    yield { type: 'sleep', ms: MISSING_NAMESPACE_WAIT_MS };
    stored = core.store.get(NAMESPACES, '', namespace);
  }
  if (stored === undefined) throw apiErrors.notFound({ group: '', resource: 'namespaces' }, namespace);
  const phase = stored.fact('phase', () => (stored.object()['status'] as { phase?: string } | undefined)?.phase ?? '');
  if (phase === 'Terminating' || stored.object().metadata.deletionTimestamp != null) {
    throw apiErrors.namespaceTerminating(served.groupResource, name, namespace);
  }
}

/** Refuses to delete the namespaces that every cluster needs. */
export function refuseImmortalNamespace(served: ServedResource, name: string): void {
  if (served.storage === NAMESPACES && IMMORTAL.has(name)) throw apiErrors.namespaceImmortal(name);
}

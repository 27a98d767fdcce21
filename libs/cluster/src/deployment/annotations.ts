import type { KubeObject } from '@capstan/meta';

export const REVISION = 'deployment.kubernetes.io/revision';
export const REVISION_HISTORY = 'deployment.kubernetes.io/revision-history';
export const DESIRED = 'deployment.kubernetes.io/desired-replicas';
export const MAX = 'deployment.kubernetes.io/max-replicas';

/** The number in an annotation; undefined when it holds none. */
export function intAnnotation(object: KubeObject, name: string): number | undefined {
  const text = object.metadata.annotations?.[name];
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

/** The revision of a ReplicaSet; 0 when it has none. */
export function revisionOf(object: KubeObject): number {
  return intAnnotation(object, REVISION) ?? 0;
}

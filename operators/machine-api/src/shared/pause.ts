/** The pause of Cluster API objects, which is how Machine API gets to act on what they stand for. */
import { PAUSED_ANNOTATION, PAUSED_AS_COPY } from '@capstan/convert/machine-api';
import type { KubeObject } from '@capstan/meta';

/** Whether Cluster API is to leave the object alone, because of this operator or of a user. */
export function hasPause(object: KubeObject): boolean {
  return object.metadata.annotations?.[PAUSED_ANNOTATION] !== undefined;
}

/** Whether the pause is ours: a user may pause an authoritative object for other reasons. */
export function hasOwnPause({ metadata }: KubeObject): boolean {
  return metadata.annotations?.[PAUSED_ANNOTATION] === PAUSED_AS_COPY;
}

/** The object, paused. */
export function withPause<T extends KubeObject>(object: T): T {
  if (hasPause(object)) return object;
  const annotations = { ...object.metadata.annotations, [PAUSED_ANNOTATION]: PAUSED_AS_COPY };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

/** The object without our pause. */
export function withoutOwnPause<T extends KubeObject>(object: T): T {
  if (!hasOwnPause(object)) return object;
  const { [PAUSED_ANNOTATION]: _, ...annotations } = object.metadata.annotations ?? {};
  return { ...object, metadata: { ...object.metadata, annotations } };
}

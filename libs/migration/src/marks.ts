import type { KubeObject } from '@capstan/meta';
import { COPIED_FROM_ANNOTATION, COPIED_GENERATION_ANNOTATION } from './copy.js';

/** A copy without the annotations that make it one. */
export function withoutCopyMarks(copy: KubeObject): KubeObject {
  const {
    [COPIED_FROM_ANNOTATION]: _,
    [COPIED_GENERATION_ANNOTATION]: __,
    ...annotations
  } = copy.metadata.annotations ?? {};
  return { ...copy, metadata: { ...copy.metadata, annotations } };
}

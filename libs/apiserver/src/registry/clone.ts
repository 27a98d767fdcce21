import { cloneJson } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';

/** A copy that may be changed. */
export function cloneObject(object: KubeObject): KubeObject {
  return cloneJson(object);
}

import type { KubeObject } from '@capstan/meta';
import { addDefaultTolerations } from '../builtin/index.js';
import type { ServedResource } from './served-resource.js';

/** The admission plug-ins a real server runs by default and that change objects on create. */
export function admitBuiltin(served: ServedResource, object: KubeObject): void {
  if (served.storage === '/pods') addDefaultTolerations(object);
}

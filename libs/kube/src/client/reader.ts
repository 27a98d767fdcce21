import type { KubeObject } from '@capstan/meta';
import type { GetOptions, ListOptions, ObjectList } from './options.js';
import type { ResourceRef } from './resource.js';

/** Reads objects: from a cache, or from the server itself. What comes back is frozen. */
export interface Reader {
  get<T extends KubeObject = KubeObject>(ref: ResourceRef, name: string, options?: GetOptions): Promise<T>;
  list<T extends KubeObject = KubeObject>(ref: ResourceRef, options?: ListOptions): Promise<ObjectList<T>>;
}

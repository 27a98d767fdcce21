import type { KubeObject } from '@capstan/meta';
import { COMPONENTS, withSidecar } from '@capstan/translate/sidecar';
import type { ComponentName } from '@capstan/translate/sidecar';
import type { ApiProxy } from './definition.js';

/** A workload with the API proxy, where one is given and it is of a component that uses Cluster API. */
export function withProxy(workload: KubeObject, proxy: ApiProxy | undefined): KubeObject {
  const { name = '' } = workload.metadata;
  return proxy !== undefined && usesClusterApi(name) ? withSidecar(workload, { ...proxy, component: name }) : workload;
}

/** Whether a component uses Cluster API on the management cluster. */
export function usesClusterApi(name: string): name is ComponentName {
  return Object.hasOwn(COMPONENTS, name);
}

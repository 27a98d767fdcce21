import type { KubeObject } from '@capstan/meta';

/** How a Deployment gets the proxy, and gets rid of it: of both there is one definition, outside of this operator. */
export interface SidecarInjection {
  has(deployment: KubeObject): boolean;
  /** The Deployment with the proxy as a sidecar of the containers that read Cluster API. */
  add(deployment: KubeObject): KubeObject;
  /** The Deployment as it was before, to the byte. */
  remove(deployment: KubeObject): KubeObject;
}

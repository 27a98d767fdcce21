import type { HostedCluster, HostedControlPlane, NodePool } from '@capstan/api/hypershift';
import type { JsonObject, KubeObject } from '@capstan/meta';

/** What a platform may know of a release: taken from its payload, never from a tag. */
export interface ReleaseView {
  /** `4.22.0` */
  readonly version: string;
  /** The image of a component of the payload, by its name there; undefined when the payload has none. */
  image(component: string): string | undefined;
  /** The machine images of each platform in the payload (CoreOS stream metadata). */
  readonly bootImages?: JsonObject | undefined;
}

/** The inputs of a platform for a hosted cluster. Everything was read before it is asked: platforms do no I/O. */
export interface HostedClusterInputs {
  readonly hostedCluster: HostedCluster;
  /** Absent until it has been made. */
  readonly controlPlane?: HostedControlPlane | undefined;
  readonly controlPlaneNamespace: string;
  /** Never empty: made up once by core and kept in `spec.infraID`. */
  readonly infraID: string;
  readonly release: ReleaseView;
  /** The secrets of the namespace of the HostedCluster that `secretNames` asked for, as far as they exist. */
  readonly secrets: ReadonlyMap<string, KubeObject>;
}

/** The inputs of a platform for a pool of nodes. */
export interface NodePoolInputs {
  readonly nodePool: NodePool;
  readonly hostedCluster: HostedCluster;
  readonly controlPlane?: HostedControlPlane | undefined;
  readonly controlPlaneNamespace: string;
  readonly infraID: string;
  /** That of the pool, which may differ from that of its cluster. */
  readonly release: ReleaseView;
}

/** The inputs of a platform for a control plane, where its components are made. */
export interface ControlPlaneInputs {
  readonly controlPlane: HostedControlPlane;
  readonly controlPlaneNamespace: string;
  readonly infraID: string;
}

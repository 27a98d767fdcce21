import type { Machine, MachineDeployment, MachineHealthCheck, MachineSet } from '@capstan/api/cluster-api';
import type {
  HostedCluster,
  HostedClusterSpec,
  HostedControlPlane,
  NodePool,
  NodePoolSpec,
} from '@capstan/api/hypershift';
import type { ReleaseLookup } from '@capstan/hosting';
import type { KubeObject } from '@capstan/meta';
import type { HostingPlatform } from '@capstan/provider';
import type { ConfigMap, Secret } from './resources.js';

/** A NodePool with a spec, which the schema does not require. */
export type Pool = NodePool & { readonly spec: NodePoolSpec };

/** A HostedCluster with a spec, which the schema does not require. */
export type Hosted = HostedCluster & { readonly spec: HostedClusterSpec };

/** The outcome of a release lookup. */
export type ReleaseOutcome = ReleaseLookup;

/** A ConfigMap with configuration for nodes, under the name in the spec. */
export interface ConfigSource {
  readonly name: string;
  /** Absent when there is no such ConfigMap. */
  readonly map?: ConfigMap | undefined;
  /** Its documents, or why they cannot be read. */
  readonly documents: readonly unknown[] | { readonly problem: string };
}

/** What was created for a NodePool earlier, or by Cluster API since. All in the control plane namespace. */
export interface Existing {
  /** By name, also when another client created them. */
  readonly machineDeployment?: MachineDeployment | undefined;
  readonly machineSet?: MachineSet | undefined;
  /** Those of the pool: its own, or those of its MachineDeployment. */
  readonly machineSets: readonly MachineSet[];
  readonly machines: readonly Machine[];
  readonly healthChecks: readonly MachineHealthCheck[];
  readonly templates: readonly KubeObject[];
  /** Of the kinds that templates of the platform name, whosever: pools of a cluster share them. */
  readonly companions: readonly KubeObject[];
  readonly secrets: readonly Secret[];
  readonly configMaps: readonly ConfigMap[];
}

/** Everything that is known about a NodePool when it is decided. Nothing is read after that. */
export interface Snapshot {
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
  readonly nodePool: Pool;
  /** `namespace/name` */
  readonly key: string;
  readonly hostedCluster: Hosted;
  readonly controlPlane?: HostedControlPlane | undefined;
  readonly controlPlaneNamespace: string;
  readonly platform?: HostingPlatform | undefined;
  /** Kinds of the platform that the management cluster does not serve. */
  readonly missingKinds: readonly string[];
  /** What platforms this installation has. */
  readonly platformTypes: readonly string[];
  /** The text of `.dockerconfigjson`. */
  readonly pullSecret?: string | undefined;
  readonly release: ReleaseOutcome;
  /** Release of the HostedCluster; looked up while its status has no version. */
  readonly clusterRelease?: ReleaseOutcome | undefined;
  /** How many minors nodes may be behind their control plane. */
  readonly skewWidth: number;
  /** PEM */
  readonly ignitionCa?: string | undefined;
  /** What `spec.additionalTrustBundle` of the HostedCluster names. */
  readonly trustBundle?: ConfigMap | undefined;
  /** For every node of the cluster, for those of the pool, and from the node tuning operator. */
  readonly configs: readonly ConfigSource[];
  readonly tuning: readonly ConfigSource[];
  /** A pool that refers to the same settings, and did so before; absent when there is none. */
  readonly holder?: NodePool | undefined;
  readonly existing: Existing;
  /** A random token. */
  drawToken(): string;
}

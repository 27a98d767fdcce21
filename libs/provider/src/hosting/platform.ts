import type { Problem } from '@capstan/hosting';
import type { ResourceKind } from '@capstan/kube';
import type { JsonObject, KubeObject } from '@capstan/meta';
import type { CreateOptions } from './create.js';
import type { ControlPlaneInputs, HostedClusterInputs, NodePoolInputs } from './inputs.js';

/** A line of a Role. */
export interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

/** Where an image is found: the payload first, then the environment, then an annotation; the later goes before. */
export interface ImageSource {
  /** Its name in the payload. */
  readonly payload?: string | undefined;
  /** Variable of the operator's environment. */
  readonly env?: string | undefined;
  /** Annotation of the HostedCluster. */
  readonly annotation?: string | undefined;
  /** The default. */
  readonly fallback?: string | undefined;
}

/** A container next to the manager of a provider, or that manager itself. */
export interface ProviderContainer {
  readonly name: string;
  readonly image: ImageSource;
  readonly command?: readonly string[] | undefined;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Secrets of the control plane namespace it reads as files: by path of the folder. */
  readonly secrets?: Readonly<Record<string, string>> | undefined;
  /** Folders it has in common with the other containers that name them; empty at the start. */
  readonly sharedFolders?: readonly string[] | undefined;
  /** Where it answers `/healthz` and `/readyz`. */
  readonly healthPort?: number | undefined;
}

/** The program that makes machines of a platform: the `capi-provider` Deployment. */
export interface ProviderProgram {
  readonly containers: readonly [manager: ProviderContainer, ...sidecars: ProviderContainer[]];
  /** Its permissions in the control plane namespace, apart from those of every provider. */
  readonly rules: readonly PolicyRule[];
  /** Objects besides, such as a role in another namespace; deleted with the cluster. */
  readonly objects?: readonly KubeObject[] | undefined;
}

/** The infrastructure cluster of a platform. */
export interface InfrastructureCluster {
  readonly kind: ResourceKind;
  /**
   * Whether core marks it `cluster.x-k8s.io/managed-by: external` and sets it ready: the user created the
   * infrastructure. Otherwise the platform's own controller manages it.
   */
  readonly isExternal: boolean;
  /** The name of the HostedCluster, or the infraID. */
  readonly namedBy: 'hosted-cluster' | 'infra-id';
  /** Whether core copies the endpoint of the control plane to `spec.controlPlaneEndpoint`. */
  readonly takesEndpoint: boolean;
  /** Why it cannot be made yet; undefined when it can. */
  notYet?(inputs: HostedClusterInputs): string | undefined;
  spec(inputs: HostedClusterInputs): JsonObject;
  /** Objects it names: identities and the like. Made before it. */
  companions?(inputs: HostedClusterInputs): readonly KubeObject[];
}

/** How machines of a platform are described. */
export interface MachineTemplate {
  readonly kind: ResourceKind;
  /** The kind of the machines made from it. */
  readonly machine: ResourceKind;
  /** `spec` of the template, whole; or what is wrong with the pool. */
  spec(inputs: NodePoolInputs): JsonObject | readonly Problem[];
  /** What of that spec names the template; all of it by default. A change elsewhere replaces no machines. */
  named?(spec: JsonObject): unknown;
  /** `spec.failureDomain` of its machines. */
  failureDomain?(inputs: NodePoolInputs): string | undefined;
  /** Objects in the control plane namespace that it names, such as an image. Made before it. */
  companions?(inputs: NodePoolInputs): readonly KubeObject[];
  /** Fields of `spec.platform.<key>` of a NodePool that no machine is made of, and why: `rootVolume.cacheStrategy`. */
  readonly unused?: Readonly<Record<string, string>> | undefined;
}

/** What a machine has to offer. */
export interface MachineCapacity {
  readonly cpus: number;
  readonly memoryMiB: number;
  readonly gpus?: number | undefined;
}

/** How pools of nodes differ by platform. */
export interface NodePoolRules {
  readonly architectures: readonly string[];
  /** Whether a pool may be autoscaled to no node at all. */
  readonly scalesFromZero: boolean;
  /**
   * What machines of a pool offer, as far as their type determines it: an autoscaler has no machine to look at while there is none.
   * Undefined where only the platform's own controller knows, which writes it to the status of the template.
   */
  capacity?(inputs: NodePoolInputs): MachineCapacity | undefined;
  /** How long a node may be silent before its machine is replaced. Default 8 min. */
  readonly unhealthyTimeoutSeconds?: number | undefined;
  /** Whether user data of older configurations is kept while instances may still start with it. */
  readonly keepsUserData: boolean;
  /** Whether the platform may take machines of the pool away at any time: they are replaced without regard to number. */
  isInterruptible?(inputs: NodePoolInputs): boolean;
}

/** Where a component of the control plane finds the kubeconfig of the hosted cluster. */
export const GUEST_KUBECONFIG = '/etc/kubernetes/kubeconfig/kubeconfig';

/** A container of a component of the control plane. */
export interface ComponentContainer {
  readonly name: string;
  /** Its image in the payload. */
  readonly image: string;
  readonly command: readonly string[];
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Secrets of the control plane namespace it reads as files: by path of the folder. */
  readonly secrets?: Readonly<Record<string, string>> | undefined;
  /** Folders it has in common with the other containers that name them; empty at the start. */
  readonly sharedFolders?: readonly string[] | undefined;
}

/**
 * A component of the control plane that only this platform has, in the words of the control plane operator. Its
 * containers find the kubeconfig of the hosted cluster at {@link GUEST_KUBECONFIG}.
 */
export interface PlatformComponent extends ComponentContainer {
  /** Files it reads, by path; core keeps them in a ConfigMap of the name of the component. */
  readonly files?: Readonly<Record<string, string>> | undefined;
  readonly sidecars?: readonly ComponentContainer[] | undefined;
  /** Whether it speaks to the management cluster, and so has an account there. */
  readonly needsManagementAccess?: boolean | undefined;
  readonly rules?: readonly PolicyRule[] | undefined;
}

/** Something that a field names. */
export interface NamedBy {
  readonly name: string;
  /** `spec.platform.<key>.<field>` */
  readonly path: string;
}

/** What a platform does for hosted clusters: data and pure functions. Core holds no other knowledge of it. */
export interface HostingPlatform {
  /** `spec.platform.type` */
  readonly type: string;
  /** The field of `spec.platform` with its settings, and its name on the command line. */
  readonly key: string;
  /** Whether `spec.platform.<key>` is there at all. */
  readonly hasSettings: boolean;
  /** Absent where Cluster API has nothing to do: machines are the user's own. */
  readonly cluster?: InfrastructureCluster | undefined;
  readonly machineTemplate?: MachineTemplate | undefined;
  readonly nodePools: NodePoolRules;
  /** What is wrong with the settings of a cluster, beyond what its schema refuses. */
  validate(inputs: HostedClusterInputs): readonly Problem[];
  validateNodePool(inputs: NodePoolInputs): readonly Problem[];
  /** Secrets in the namespace of the HostedCluster that must exist: their names. */
  secretNames(inputs: Pick<HostedClusterInputs, 'hostedCluster'>): readonly string[];
  /** Namespaces that must exist apart from that of the control plane, such as one where its controller has a Role. */
  namespaces?(inputs: Pick<HostedClusterInputs, 'hostedCluster'>): readonly NamedBy[];
  /** Secrets the control plane and the provider find in the control plane namespace. */
  credentials(inputs: HostedClusterInputs): readonly KubeObject[];
  /** The program that makes its machines; undefined where there is none. */
  program?(inputs: HostedClusterInputs): ProviderProgram;
  /** What the control plane gets of the platform: its `spec.platform.type`, and the fields below `<key>`. */
  controlPlane(inputs: HostedClusterInputs): { readonly type: string; readonly settings?: JsonObject | undefined };
  /** Annotations of a HostedCluster that reach its control plane on this platform, apart from those that always do. */
  readonly mirroredAnnotations?: readonly string[] | undefined;
  /** Components of the control plane that only this platform has. */
  components(inputs: ControlPlaneInputs): readonly PlatformComponent[];
  /** Whether the credentials are gone for good, so that no program can delete the machines: core then lets them go. */
  hasLostCredentials?(inputs: HostedClusterInputs): boolean;
  /** Whether its provider goes on while the Cluster is paused, so that each object has to be paused by itself. */
  readonly ignoresClusterPause?: boolean | undefined;
  /** Kinds in the control plane namespace that must be gone before the control plane goes. */
  readonly leftovers?: readonly ResourceKind[] | undefined;
  /** Kinds of its companions, of clusters and of templates: core must know how to address, watch and delete them. */
  readonly companionKinds?: readonly ResourceKind[] | undefined;
  /** `capstan create cluster <key>` and `create nodepool`. */
  readonly create: CreateOptions;
}

/** The field manager that writes `spec.platform.<key>` of a HostedControlPlane, in this process or in another. */
export function platformFieldManager({ key }: Pick<HostingPlatform, 'key'>): string {
  return `hypershift-${key}-provider`;
}

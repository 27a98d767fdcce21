/** What a platform declares of its machines, so that they can be written in either API. Left is Machine API. */
import type { Kind } from '@capstan/api/model';
import type { JsonObject } from '@capstan/meta';
import type { FieldList } from '../engine/field-list.js';
import type { ClusterFacts, NewInfrastructureCluster } from './cluster-facts.js';
import type { MachineOwners } from './owners.js';
import type { IssueCode, Rule } from '../engine/rule.js';

/** What the manager of Cluster API brings from machines to their nodes, by its flags and feature gates. */
export interface NodePropagation {
  /** Regular expressions of label keys. */
  readonly labels: readonly string[];
  /** Regular expressions of annotation keys. */
  readonly annotations: readonly string[];
  readonly taints: boolean;
}

/** What surrounds the machines of a cluster. */
export interface MachineContext {
  /** The name of the Cluster and of the infrastructure cluster: `status.infrastructureName` of the Infrastructure. */
  readonly clusterName: string;
  readonly namespaces: {
    readonly machineApi: string;
    readonly clusterApi: string;
    /**
     * Of a ControlPlaneMachineSet with machines of Cluster API. `machineApi` when absent: then it takes the place of the
     * one with machines of Machine API.
     */
    readonly controlPlane?: string | undefined;
  };
  /** The infrastructure cluster, whole; absent where nobody knows it. */
  readonly infrastructureCluster?: JsonObject | undefined;
  /** The Infrastructure `cluster` of config.openshift.io, whole; absent where nobody knows it. */
  readonly infrastructure?: JsonObject | undefined;
  /** Absent where the manager of Cluster API is not known: then what it brings to nodes by default counts. */
  readonly nodePropagation?: NodePropagation | undefined;
  /** The `authoritativeAPI` of machines that come back; it is not set when absent. */
  readonly authority?: 'MachineAPI' | 'ClusterAPI' | undefined;
  /** The owners of what is written. Absent where they are not known: then the labels of owners follow from those of the source. */
  readonly owners?: MachineOwners | undefined;
}

/** A rule about machines. */
export type MachineRule = Rule<MachineContext>;

/** A version of a kind of the platform. */
export interface PlatformKind {
  readonly kind: Kind;
  readonly version: string;
}

/** A record that carries its own type, as provider specs do. */
export interface TypedRecord {
  readonly kind: string;
  /** The first is written, all are read. */
  readonly apiVersions: readonly [string, ...string[]];
  /** All fields but `apiVersion` and `kind`, with their types. */
  readonly fields: FieldList;
}

/** What Machine API writes to labels of a machine, by its provider spec. */
export interface MachineTraits {
  readonly instanceType?: string | undefined;
  readonly region?: string | undefined;
  readonly zone?: string | undefined;
}

/** Something wrong with a field of a provider spec that no rule can see by itself. */
export interface ProviderSpecProblem {
  /** Below the provider spec: `loadBalancers[0].name`. */
  readonly path: string;
  readonly message: string;
  /** `Unsupported` when not given. */
  readonly code?: IssueCode;
}

/** How a platform names the places where machines of a control plane are spread. */
export interface FailureDomainConversion {
  /** Its field of `failureDomains` in a ControlPlaneMachineSet, and the value of `failureDomains.platform`. */
  readonly key: string;
  readonly platform: string;
  /** Set where the domain of a name is completed from the infrastructure cluster, so that it changes when that is edited. */
  readonly readsCluster?: true;
  /** The name a domain has in Cluster API; or what is wrong with it. */
  toName(domain: JsonObject, context: MachineContext): { readonly name: string } | ProviderSpecProblem;
  /** The domain of a name; or why it is not known. */
  toDomain(name: string, context: MachineContext): { readonly domain: JsonObject } | { readonly message: string };
}

/** A Secret with credentials of the cloud that Cluster API reads in its own namespace. */
export interface CredentialsCopy {
  /** In the namespace of Machine API. */
  readonly from: string;
  readonly to: string;
  /** Keys of the source by those of the copy; all as they are when absent. */
  readonly keys?: Readonly<Record<string, string>> | undefined;
}

/** Objects that stand for hosts, and name the machine they are given to in `spec.consumerRef`. */
export interface HostKind {
  readonly kind: { readonly group: string; readonly version: string; readonly plural: string; readonly kind: string };
  /** The host of a machine of Machine API; undefined before it has one. */
  of(machine: JsonObject): { readonly namespace: string; readonly name: string } | undefined;
}

/** A platform whose machines both APIs know. Data and pure functions: core holds no other knowledge of it. */
export interface MachinePlatform {
  /** `status.platformStatus.type` of the Infrastructure. */
  readonly type: string;
  readonly providerSpec: TypedRecord;
  readonly machine: PlatformKind;
  readonly template: PlatformKind;
  readonly cluster: PlatformKind;
  /** Left: the provider spec. Right: the spec of the infrastructure machine. */
  readonly infrastructure: readonly MachineRule[];
  /** Left: the provider spec. Right: `failureDomain` and `bootstrap.dataSecretName` of the Cluster API machine's spec. */
  readonly machineSpec: readonly MachineRule[];
  /** Right: fields of the infrastructure machine's spec that name one instance, and so are in no template. */
  readonly identity: readonly MachineRule[];
  /** Labels of Machine API machines; the zone is taken from the Cluster API side where the provider spec has none. */
  traits(providerSpec: JsonObject): MachineTraits;
  /** What is wrong with a provider spec beyond what rules see, on the way to Cluster API. */
  check?(
    providerSpec: JsonObject,
    about: { readonly isControlPlane: boolean; readonly context: MachineContext },
  ): readonly ProviderSpecProblem[];
  readonly failureDomains?: FailureDomainConversion | undefined;
  /** Absent where instances are no objects of the cluster. */
  readonly hosts?: HostKind | undefined;
  /** The Secrets that the infrastructure cluster names. Absent where its controllers have credentials of their own. */
  credentials?(infrastructureCluster: JsonObject): readonly CredentialsCopy[];
  /**
   * The infrastructure cluster of machines that are there, of what Machine API knows; what is missing is noted in the
   * facts. Absent where Machine API does not know enough.
   */
  newCluster?(facts: ClusterFacts): NewInfrastructureCluster;
  /** Absent where the platform's controllers report nothing that the other API has a field for. */
  readonly status?:
    | {
        readonly providerStatus: TypedRecord;
        /** Left: `status.providerStatus`. Right: `status` of the infrastructure machine. */
        readonly rules: readonly MachineRule[];
      }
    | undefined;
  /** Where a value comes back in another form that means the same, and why: in the docs, and held to by tests. */
  readonly equivalences: readonly Equivalence[];
}

/** A place where two forms mean the same, of which only one comes back. */
export interface Equivalence {
  /** `machine-api` paths start at the provider spec, `cluster-api` ones at the spec of the infrastructure machine. */
  readonly side: 'machine-api' | 'cluster-api';
  /** As a claim writes it: `tags[]`, `metadataServiceOptions.authentication`. */
  readonly path: string;
  readonly reason: string;
}

/** A platform of Machine API that Cluster API has no machines for. */
export interface RefusedPlatform {
  readonly type: string;
  readonly providerSpec: Pick<TypedRecord, 'kind' | 'apiVersions'>;
  /** Why, and what to do. */
  readonly refused: string;
}

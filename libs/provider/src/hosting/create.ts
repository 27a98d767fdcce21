import type { Problem } from '@capstan/hosting';
import type { JsonObject, KubeObject } from '@capstan/meta';

/** An option of `capstan create cluster <key>` that only this platform has. */
export interface CreateFlag {
  /** Without dashes: `region`. */
  readonly name: string;
  /** `<region>` in the help. */
  readonly value: string;
  readonly help: string;
  readonly default?: string | undefined;
  readonly isRequired?: boolean | undefined;
  /** The flag with the same meaning, where a required one may be left out for another. */
  readonly unless?: string | undefined;
  /** Whether the user names a file and the platform is given its content. */
  readonly isFile?: boolean | undefined;
}

/** What the user asked for, apart from the flags of the platform. */
export interface CreateRequest {
  /** Of the cluster, or of the pool. */
  readonly name: string;
  readonly namespace: string;
  readonly infraID: string;
  readonly baseDomain: string;
  /** What was given, and defaults; flags without either are absent. Lists are one text with commas. */
  readonly flags: Readonly<Record<string, string>>;
}

/** How the services of a control plane are reached from outside where users say nothing else. */
export interface CreatePublishing {
  readonly apiServer: 'LoadBalancer' | 'NodePort' | 'Route';
  readonly others: 'NodePort' | 'Route';
  /** Where node ports are reached. */
  readonly address?: string | undefined;
}

/** What a platform makes of a request for a cluster. */
export interface CreatedCluster {
  /** `spec.platform.<key>` of the HostedCluster. */
  readonly settings?: JsonObject | undefined;
  /** Objects it names, in the namespace of the request. The command deletes them with the cluster. */
  readonly objects: readonly KubeObject[];
  readonly publishing: CreatePublishing;
  /** Other fields of `spec` that come from the infrastructure: zones of DNS, the issuer of tokens. */
  readonly spec?: JsonObject | undefined;
  /** Where nodes have their addresses, when the user does not say. */
  readonly machineNetwork?: string | undefined;
}

/** What the command line makes of a request. Paths of problems are flags: `--region`. */
export interface CreateOptions {
  readonly clusterFlags: readonly CreateFlag[];
  readonly nodePoolFlags: readonly CreateFlag[];
  cluster(request: CreateRequest): CreatedCluster | readonly Problem[];
  /** `spec.platform.<key>` of a NodePool. `create cluster` asks with the flags of both, and the name of the cluster. */
  nodePool(request: CreateRequest): JsonObject | readonly Problem[] | undefined;
}

/** The entries of a list on the command line. */
export function listed(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

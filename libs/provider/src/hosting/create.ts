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
}

/** What the user asked for, beside the flags of the platform. */
export interface CreateRequest {
  readonly name: string;
  readonly namespace: string;
  readonly infraID: string;
  readonly baseDomain: string;
  readonly flags: Readonly<Record<string, string>>;
}

/** What the command line makes of a request. */
export interface CreateOptions {
  readonly clusterFlags: readonly CreateFlag[];
  readonly nodePoolFlags: readonly CreateFlag[];
  /** `spec.platform.<key>` of the HostedCluster, and the objects it names. */
  cluster(request: CreateRequest): {
    readonly settings?: JsonObject | undefined;
    readonly objects: readonly KubeObject[];
  };
  /** `spec.platform.<key>` of a NodePool. */
  nodePool(request: CreateRequest): JsonObject | undefined;
}

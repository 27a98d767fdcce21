import type { HostedControlPlaneSpec } from '@capstan/api/hypershift';
import type { Endpoint } from '@capstan/hosting';
import type { JsonObject } from '@capstan/meta';
import type { PolicyRule } from '@capstan/provider';
import type { AddOptions } from '@capstan/translate/sidecar';

/** All that the objects of a component are made of: plain values, read before. */
export interface ComponentInputs {
  readonly namespace: string;
  /** Of the HostedControlPlane. */
  readonly name: string;
  readonly infraID: string;
  readonly spec: HostedControlPlaneSpec;
  readonly annotations: Readonly<Record<string, string>>;
  /** `4.22.0` */
  readonly version: string;
  /** The release image of the control plane, as the user wrote it. */
  readonly releaseImage: string;
  /** The image of a component of the release; undefined when it has none. */
  readonly image: (component: string) => string | undefined;
  /** Where the API server is reached from outside; undefined until that is known. */
  readonly endpoint: Endpoint | undefined;
  /** The group of the templates that machines of its platform are made from; undefined where there are none. */
  readonly templateGroup: string | undefined;
  /** The API proxy of components that use Cluster API; undefined where it is in its standard groups. */
  readonly proxy: ApiProxy | undefined;
}

/** How the API proxy is added to pods. */
export type ApiProxy = Pick<AddOptions, 'image' | 'native'>;

/** Something a container reads as files. */
export type Volume =
  | {
      readonly secret: string | ((inputs: ComponentInputs) => string);
      /** File names by key; all keys by their own name otherwise. */
      readonly items?: Readonly<Record<string, string>>;
      readonly isOptional?: boolean;
    }
  | { readonly configMap: string; readonly isOptional?: boolean }
  | { readonly emptyDir: string }
  | { readonly claim: string };

/** A container of a component. */
export interface ContainerDefinition {
  readonly name: string;
  /** Its name in the release, or where else it comes from. */
  readonly image: string | ((inputs: ComponentInputs) => string);
  readonly command?: readonly string[];
  readonly args?: readonly string[] | ((inputs: ComponentInputs) => readonly string[]);
  readonly env?: Readonly<Record<string, string>> | ((inputs: ComponentInputs) => Readonly<Record<string, string>>);
  /** Variables from fields of the pod: `metadata.namespace`. */
  readonly fieldEnv?: Readonly<Record<string, string>>;
  readonly ports?: Readonly<Record<string, number>> | ((inputs: ComponentInputs) => Readonly<Record<string, number>>);
  /** Readiness, asked over HTTP. */
  readonly ready?: { readonly path: string; readonly port: string | number; readonly scheme: 'HTTP' | 'HTTPS' };
  /** By path of the folder. */
  readonly mounts?: Readonly<Record<string, Volume>>;
  readonly cpu: string;
  readonly memory: string;
}

/** A ConfigMap that belongs to a component. */
export interface ConfigDefinition {
  readonly name: string;
  readonly data: Readonly<Record<string, string>>;
}

/** A component of a hosted control plane: data, and pure functions of its inputs. */
export interface ComponentDefinition {
  readonly name: string;
  /** What runs it; nothing where it is files only. */
  readonly workload: 'Deployment' | 'None' | 'StatefulSet';
  readonly containers: readonly ContainerDefinition[];
  /** One, or as many as the availability policy requires. */
  readonly replicas: 'one' | 'policy';
  /** Ends before its successor starts: two of them would disturb each other. */
  readonly isRecreated?: boolean;
  /** Components it waits for besides kube-apiserver. */
  readonly dependencies?: readonly string[];
  /** Does not wait for kube-apiserver. */
  readonly isEarly?: boolean;
  /** Left out where the release has none of its images: releases gain and lose components. */
  readonly isOptional?: boolean;
  /** Whether this control plane has it at all. Default: always. */
  readonly isPartOf?: (inputs: ComponentInputs) => boolean;
  /** A ServiceAccount in the management cluster, with these permissions in its namespace. */
  readonly access?: { readonly rules: readonly PolicyRule[] | ((inputs: ComponentInputs) => readonly PolicyRule[]) };
  readonly configs?: (inputs: ComponentInputs) => readonly ConfigDefinition[];
  readonly priority?: 'api-critical' | 'etcd';
  /** Who empties nodes may end only so many of its pods at once. */
  readonly hasBudget?: boolean;
  /** Complete only when the Deployments it manages are at the version, too. */
  readonly hasOperands?: boolean;
  /** The Secret of a serving certificate for its name, made with the others. */
  readonly servingCertificate?: string;
  /** Of a StatefulSet: its headless Service, and its claims. */
  readonly stateful?: (inputs: ComponentInputs) => {
    readonly serviceName: string;
    readonly claims: readonly JsonObject[];
  };
}

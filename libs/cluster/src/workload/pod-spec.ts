import type { LabelSelectorRequirement } from '@capstan/meta';
import type { Pod } from './resources.js';

/** Amounts by resource name: `cpu`, `memory`, `pods`, … */
export type ResourceList = Readonly<Record<string, string | number>>;

export interface ContainerPort {
  readonly name?: string;
  readonly containerPort: number;
  readonly hostPort?: number;
  readonly hostIP?: string;
  readonly protocol?: string;
}

export interface HttpGetAction {
  readonly path?: string;
  readonly port: number | string;
  readonly host?: string;
  readonly scheme?: string;
  readonly httpHeaders?: readonly { readonly name: string; readonly value: string }[];
}

/** What a probe or a hook does. */
export interface Handler {
  readonly exec?: { readonly command?: readonly string[] };
  readonly httpGet?: HttpGetAction;
  readonly tcpSocket?: { readonly port: number | string; readonly host?: string };
  readonly grpc?: { readonly port: number; readonly service?: string };
  readonly sleep?: { readonly seconds: number };
}

export interface Probe extends Handler {
  readonly initialDelaySeconds?: number;
  readonly periodSeconds?: number;
  readonly timeoutSeconds?: number;
  readonly successThreshold?: number;
  readonly failureThreshold?: number;
  readonly terminationGracePeriodSeconds?: number;
}

export interface KeyRef {
  readonly name?: string;
  readonly key: string;
  readonly optional?: boolean;
}

export interface FieldRef {
  readonly fieldPath: string;
}

export interface ResourceFieldRef {
  readonly containerName?: string;
  readonly resource: string;
  readonly divisor?: string | number;
}

export interface EnvVar {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly configMapKeyRef?: KeyRef;
    readonly secretKeyRef?: KeyRef;
    readonly fieldRef?: FieldRef;
    readonly resourceFieldRef?: ResourceFieldRef;
  };
}

export interface EnvFromSource {
  readonly prefix?: string;
  readonly configMapRef?: { readonly name?: string; readonly optional?: boolean };
  readonly secretRef?: { readonly name?: string; readonly optional?: boolean };
}

export interface VolumeMount {
  readonly name: string;
  readonly mountPath: string;
  readonly subPath?: string;
  readonly readOnly?: boolean;
}

export interface Container {
  readonly name: string;
  readonly image?: string;
  readonly imagePullPolicy?: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly workingDir?: string;
  readonly ports?: readonly ContainerPort[];
  readonly env?: readonly EnvVar[];
  readonly envFrom?: readonly EnvFromSource[];
  readonly resources?: { readonly requests?: ResourceList; readonly limits?: ResourceList };
  readonly volumeMounts?: readonly VolumeMount[];
  readonly startupProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly lifecycle?: { readonly postStart?: Handler; readonly preStop?: Handler };
  readonly restartPolicy?: string;
  readonly stdin?: boolean;
  readonly tty?: boolean;
}

export interface KeyToPath {
  readonly key: string;
  readonly path: string;
}

/** One of the things a projected volume is made of; each is also a volume of its own but the token. */
export interface VolumeSource {
  readonly configMap?: { readonly name?: string; readonly items?: readonly KeyToPath[]; readonly optional?: boolean };
  readonly secret?: {
    /** In a projection. */
    readonly name?: string;
    /** In a volume. */
    readonly secretName?: string;
    readonly items?: readonly KeyToPath[];
    readonly optional?: boolean;
  };
  readonly downwardAPI?: {
    readonly items?: readonly {
      readonly path: string;
      readonly fieldRef?: FieldRef;
      readonly resourceFieldRef?: ResourceFieldRef;
    }[];
  };
  readonly serviceAccountToken?: {
    readonly path: string;
    readonly audience?: string;
    readonly expirationSeconds?: number;
  };
}

export interface Volume extends VolumeSource {
  readonly name: string;
  readonly projected?: { readonly sources?: readonly VolumeSource[] };
  readonly [other: string]: unknown;
}

export interface Toleration {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
}

export interface NodeSelectorTerm {
  readonly matchExpressions?: readonly LabelSelectorRequirement[];
  readonly matchFields?: readonly LabelSelectorRequirement[];
}

/** The part of a pod's spec that scheduler and kubelet look at. */
export interface PodSpec {
  readonly nodeName?: string;
  readonly schedulerName?: string;
  readonly schedulingGates?: readonly { readonly name: string }[];
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly affinity?: {
    readonly nodeAffinity?: {
      readonly requiredDuringSchedulingIgnoredDuringExecution?: {
        readonly nodeSelectorTerms?: readonly NodeSelectorTerm[];
      };
    };
  };
  readonly tolerations?: readonly Toleration[];
  readonly overhead?: ResourceList;
  readonly preemptionPolicy?: string;
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly ephemeralContainers?: readonly Container[];
  readonly volumes?: readonly Volume[];
  readonly restartPolicy?: string;
  readonly readinessGates?: readonly { readonly conditionType: string }[];
  readonly terminationGracePeriodSeconds?: number;
  readonly activeDeadlineSeconds?: number;
  readonly serviceAccountName?: string;
  readonly enableServiceLinks?: boolean;
  readonly hostNetwork?: boolean;
  readonly hostname?: string;
  readonly subdomain?: string;
}

/** The spec of a pod. The caller vouches for nothing: the server has validated it. */
export function specOf(pod: Pod): PodSpec {
  return (pod.spec ?? { containers: [] }) as unknown as PodSpec;
}

/** Whether an init container is a sidecar. */
export function isSidecar(container: Container): boolean {
  return container.restartPolicy === 'Always';
}

import type { JsonObject } from '@capstan/meta';

/** A list that is left out and one that is null mean the same to a server. */
export type List<T> = readonly T[] | null | undefined;

/** Anything that is found by its name. */
export interface Named extends JsonObject {
  readonly name: string;
}

export interface EnvVar extends Named {
  readonly value?: string | undefined;
}

export interface VolumeMount extends Named {
  readonly mountPath: string;
}

export interface ContainerPort extends JsonObject {
  readonly containerPort?: number;
  readonly hostPort?: number;
}

export interface Container extends Named {
  readonly args?: List<string>;
  readonly command?: List<string>;
  readonly env?: List<EnvVar>;
  readonly ports?: List<ContainerPort>;
  readonly volumeMounts?: List<VolumeMount>;
}

export interface PodSpec extends JsonObject {
  readonly automountServiceAccountToken?: boolean | null;
  readonly containers: readonly Container[];
  readonly hostNetwork?: boolean | null;
  readonly initContainers?: List<Container>;
  readonly terminationGracePeriodSeconds?: number | null;
  readonly volumes?: List<Named>;
}

type Annotations = Readonly<Record<string, string>> | null;

/** The pod of a workload, or a pod. */
export interface PodTemplate extends JsonObject {
  readonly metadata?: (JsonObject & { readonly annotations?: Annotations }) | null;
  readonly spec: PodSpec;
}

/** The annotations of a template. */
export function annotationsOf({ metadata }: PodTemplate): Readonly<Record<string, string>> {
  return metadata?.annotations ?? {};
}

/** All containers of a pod, those that run before the others first. */
export function allContainers({ containers, initContainers }: PodSpec): readonly Container[] {
  return [...(initContainers ?? []), ...containers];
}

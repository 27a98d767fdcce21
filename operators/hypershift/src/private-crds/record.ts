import type { KubeObject } from '@capstan/meta';

/** The ConfigMap in which install keeps what it has installed. */
export const PRIVATE_CRDS_CONFIG_MAP = 'private-capi-crds';
/** On every object that must not be replaced by an earlier version. */
export const VERSION_ANNOTATION = 'capstan.dev/version';

/** The fields of a private CRD that decide whether stored objects can be read. */
export interface InstalledCrd {
  readonly conversion: 'None' | 'Webhook';
  readonly versions: readonly InstalledVersion[];
}

export interface InstalledVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
}

/** Every private CRD of an installation, by its name. */
export interface InstalledCrds {
  /** Whether they are mirrors of the CRDs that come with the program; else of those of `--crds-from`. */
  readonly areShipped: boolean;
  readonly crds: ReadonlyMap<string, InstalledCrd>;
}

/** A CustomResourceDefinition, as far as it is compared here. */
export interface Crd extends KubeObject {
  readonly spec: {
    readonly conversion?: { readonly strategy?: string };
    readonly versions: readonly (InstalledVersion & { readonly [field: string]: unknown })[];
  };
}

const ARE_SHIPPED = 'are-shipped';

/** The ConfigMap of the private CRDs that are installed. */
export function recordOf(namespace: string, definitions: readonly KubeObject[], areShipped: boolean): KubeObject {
  const entries = definitions.map((each) => [each.metadata.name ?? '', JSON.stringify(installedCrd(each as Crd))]);
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: PRIVATE_CRDS_CONFIG_MAP, namespace },
    data: { [ARE_SHIPPED]: String(areShipped), ...(Object.fromEntries(entries) as Record<string, string>) },
  };
}

function installedCrd({ spec: { conversion, versions } }: Crd): InstalledCrd {
  return {
    conversion: conversion?.strategy === 'Webhook' ? 'Webhook' : 'None',
    versions: versions.map(({ name, served, storage }) => ({ name, served, storage })),
  };
}

/** What the ConfigMap contains; undefined where it is no record of an installation. */
export function readRecord(configMap: KubeObject): InstalledCrds | undefined {
  const { [ARE_SHIPPED]: areShipped, ...data } = (configMap['data'] ?? {}) as Readonly<Record<string, string>>;
  if (areShipped === undefined) return undefined;
  const crds = Object.entries(data).flatMap(([name, text]) => {
    const crd = parsed(text);
    return crd === undefined ? [] : [[name, crd] as const];
  });
  return { areShipped: areShipped === 'true', crds: new Map(crds) };
}

function parsed(text: string): InstalledCrd | undefined {
  try {
    const crd = JSON.parse(text) as Partial<InstalledCrd>;
    return Array.isArray(crd.versions) && crd.conversion !== undefined ? (crd as InstalledCrd) : undefined;
  } catch {
    return undefined;
  }
}

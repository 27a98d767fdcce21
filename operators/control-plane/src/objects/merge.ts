import { includesDesired } from '@capstan/kube';
import type { Merge } from '@capstan/kube';
import { MIGRATION_REPLICAS_ANNOTATION } from '@capstan/hosting';
import type { JsonObject, KubeObject } from '@capstan/meta';

/**
 * What others add to an object stays as long as the operator desires the same; once it desires something else, which the
 * hash in {@link DESIRED_HASH_ANNOTATION} shows, whole fields are replaced, so that no field of an earlier release is left.
 */
export const mergeOwned: Merge = (existing, marked) => {
  if (existing.metadata.deletionTimestamp != null) return existing;
  const desired = withKept(marked as unknown as KubeObject, existing);
  if (includesDesired(comparable(existing), comparable(desired), 'named')) return existing;
  const { metadata } = desired;
  return {
    ...existing,
    ...desired,
    ...(existing['status'] === undefined ? {} : { status: existing['status'] }),
    metadata: {
      ...existing.metadata,
      labels: { ...existing.metadata.labels, ...metadata.labels },
      annotations: { ...existing.metadata.annotations, ...metadata.annotations },
    },
  };
};

/** Owners cannot change, status is not ours; items of a list carry no kind. */
function comparable({ metadata, ...object }: KubeObject): JsonObject {
  const { annotations, labels } = metadata;
  const fields = Object.entries(object).filter(([key]) => !['apiVersion', 'kind', 'status'].includes(key));
  return { ...Object.fromEntries(fields), metadata: { annotations, labels } };
}

/** Keeps what the server allocated, what cannot change, and resource requests that were tuned in place. */
function withKept(desired: KubeObject, existing: KubeObject): KubeObject {
  const [spec, was] = [desired['spec'] as JsonObject | undefined, existing['spec'] as JsonObject | undefined];
  if (spec === undefined || was === undefined) return desired;
  switch (desired.kind) {
    case 'Service':
      return { ...desired, spec: { ...allocated(was), ...spec, ports: keptPorts(spec['ports'], was['ports']) } };
    case 'StatefulSet': {
      const { replicas, template } = spec;
      const kept = { replicas, ...keptReplicas(existing), template: keptResources(template, was['template']) };
      return { ...desired, spec: { ...was, ...kept } };
    }
    case 'Deployment': {
      const template = keptResources(spec['template'], was['template']);
      return { ...desired, spec: { ...spec, ...keptReplicas(existing), template } };
    }
    default:
      return desired;
  }
}

const ALLOCATED = ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy', 'healthCheckNodePort'];

function allocated(spec: JsonObject): JsonObject {
  return Object.fromEntries(ALLOCATED.filter((key) => spec[key] !== undefined).map((key) => [key, spec[key]]));
}

interface Port {
  readonly name?: string;
  readonly nodePort?: number;
}

/** Ports with their allocated node ports. */
function keptPorts(desired: unknown, existing: unknown): unknown {
  const before = new Map(((existing ?? []) as readonly Port[]).map(({ name, nodePort }) => [name, nodePort]));
  return ((desired ?? []) as readonly Port[]).map((port) => {
    const nodePort = port.nodePort ?? before.get(port.name);
    return nodePort === undefined ? port : { ...port, nodePort };
  });
}

/** The replicas of a workload that a migration has scaled down: they stay as they are until its annotation is removed. */
function keptReplicas({ metadata, spec }: KubeObject): JsonObject {
  const { replicas } = (spec ?? {}) as { readonly replicas?: number };
  const isScaledDown = metadata.annotations?.[MIGRATION_REPLICAS_ANNOTATION] !== undefined;
  return isScaledDown && replicas !== undefined ? { replicas } : {};
}

interface Template {
  readonly spec?: { readonly containers?: readonly { readonly name: string; readonly resources?: unknown }[] };
}

/** Resource requests stay as they are: a vertical autoscaler often sets them. */
function keptResources(desired: unknown, existing: unknown): unknown {
  const template = desired as Template;
  const before = new Map((existing as Template).spec?.containers?.map(({ name, resources }) => [name, resources]));
  const containers = template.spec?.containers?.map((container) => {
    const resources = before.get(container.name);
    return resources === undefined ? container : { ...container, resources };
  });
  return { ...template, spec: { ...template.spec, containers } };
}

import { canonicalHash, setControllerReference } from '@capstan/meta';
import type { JsonObject, KubeObject, OwnerReference } from '@capstan/meta';
import { CLUSTER_ANNOTATION, MANAGED_BY_LABEL } from '@capstan/provider';
import { isSubset } from './subset.js';

/** Who this program is in the label of everything it makes. */
export const MANAGER = 'control-plane-operator';
/** What an object was last wanted to be: tells that a field is no longer wanted. */
export const WANTED_ANNOTATION = 'capstan.dev/wanted';

/** For whom objects are made. */
export interface Owner {
  readonly object: KubeObject;
  /** `namespace/name` of the HostedCluster. */
  readonly cluster: string;
}

/** What is to be done about an object. */
export type WriteDecision =
  | { readonly do: 'create'; readonly object: KubeObject }
  | { readonly do: 'keep' }
  | { readonly do: 'update'; readonly object: KubeObject }
  | { readonly do: 'refuse'; readonly message: string };

/** The object as it is to be written: owned, labelled, and with a hash of itself. */
export function finished(wanted: KubeObject, { cluster, object }: Owner): KubeObject {
  const { annotations, labels } = wanted.metadata;
  const complete: KubeObject = {
    ...wanted,
    metadata: {
      ...wanted.metadata,
      namespace: object.metadata.namespace ?? '',
      labels: { ...labels, [MANAGED_BY_LABEL]: MANAGER },
      annotations: { ...annotations, [CLUSTER_ANNOTATION]: cluster },
    },
  };
  const owned = setControllerReference(complete, object);
  const hash = canonicalHash(complete).slice(0, 16);
  return {
    ...owned,
    metadata: { ...owned.metadata, annotations: { ...owned.metadata.annotations, [WANTED_ANNOTATION]: hash } },
  };
}

/** Whether an object was made by this program, and for that owner. */
export function isOurs({ metadata }: KubeObject, { object }: Owner): boolean {
  const isOwner = ({ controller, uid }: OwnerReference): boolean =>
    controller === true && uid === (object.metadata.uid ?? '');
  return metadata.labels?.[MANAGED_BY_LABEL] === MANAGER && metadata.ownerReferences?.some(isOwner) === true;
}

/** Decides how a {@link finished} object gets to be what is wanted. What is not ours is never changed. */
export function decideWrite(wanted: KubeObject, existing: KubeObject | undefined, owner: Owner): WriteDecision {
  if (existing === undefined) return { do: 'create', object: wanted };
  const { metadata } = existing;
  if (!isOurs(existing, owner)) {
    const at = `${wanted.kind} ${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
    return { do: 'refuse', message: `${at} exists and was not made for this control plane: delete or rename it` };
  }
  if (metadata.deletionTimestamp != null) return { do: 'keep' };
  const adjusted = withKept(wanted, existing);
  if (isSubset(comparable(adjusted), comparable(existing))) return { do: 'keep' };
  return { do: 'update', object: overlaid(adjusted, existing) };
}

/** Owners cannot change, status is not ours; items of a list do not say their kind. */
function comparable({ metadata, ...object }: KubeObject): JsonObject {
  const { annotations, labels } = metadata;
  const fields = Object.entries(object).filter(([key]) => !['apiVersion', 'kind', 'status'].includes(key));
  return { ...Object.fromEntries(fields), metadata: { annotations, labels } };
}

function overlaid(wanted: KubeObject, existing: KubeObject): KubeObject {
  const { metadata } = wanted;
  return {
    ...existing,
    ...wanted,
    ...(existing['status'] === undefined ? {} : { status: existing['status'] }),
    metadata: {
      ...existing.metadata,
      labels: { ...existing.metadata.labels, ...metadata.labels },
      annotations: { ...existing.metadata.annotations, ...metadata.annotations },
    },
  };
}

/** What an object has and must keep although nobody wants it: what was allocated, cannot be changed, or was tuned. */
function withKept(wanted: KubeObject, existing: KubeObject): KubeObject {
  const [spec, was] = [wanted['spec'] as JsonObject | undefined, existing['spec'] as JsonObject | undefined];
  if (spec === undefined || was === undefined) return wanted;
  switch (wanted.kind) {
    case 'Service':
      return { ...wanted, spec: { ...allocated(was), ...spec, ports: keptPorts(spec['ports'], was['ports']) } };
    case 'StatefulSet': {
      const { replicas, template } = spec;
      return { ...wanted, spec: { ...was, replicas, template: keptResources(template, was['template']) } };
    }
    case 'Deployment':
      return { ...wanted, spec: { ...spec, template: keptResources(spec['template'], was['template']) } };
    default:
      return wanted;
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

/** Ports with the node ports they were given. */
function keptPorts(wanted: unknown, existing: unknown): unknown {
  const before = new Map(((existing ?? []) as readonly Port[]).map(({ name, nodePort }) => [name, nodePort]));
  return ((wanted ?? []) as readonly Port[]).map((port) => {
    const nodePort = port.nodePort ?? before.get(port.name);
    return nodePort === undefined ? port : { ...port, nodePort };
  });
}

interface Template {
  readonly spec?: { readonly containers?: readonly { readonly name: string; readonly resources?: unknown }[] };
}

/** Requests that somebody has tuned stay: they are often set by a program that watches use. */
function keptResources(wanted: unknown, existing: unknown): unknown {
  const template = wanted as Template;
  const before = new Map((existing as Template).spec?.containers?.map(({ name, resources }) => [name, resources]));
  const containers = template.spec?.containers?.map((container) => {
    const resources = before.get(container.name);
    return resources === undefined ? container : { ...container, resources };
  });
  return { ...template, spec: { ...template.spec, containers } };
}

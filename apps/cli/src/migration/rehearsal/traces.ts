import {
  annotated,
  MIGRATION_ENDED_ANNOTATION,
  MIGRATION_FAILED_ANNOTATION,
  MIGRATION_FAILURE_ANNOTATION,
  PRIVATE_CAPI_TYPES_ANNOTATION,
  SCOPE_ANNOTATION,
} from '@capstan/hosting';
import { isForProxies } from '@capstan/hypershift';
import { parseApiVersion } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { COPIED_FROM_ANNOTATION, COPIED_GENERATION_ANNOTATION } from '@capstan/migration';
import type { GroupMapping } from '@capstan/translate';
import { SIDECAR } from './sidecar.js';

/** Of the server, not of the hosted cluster, or written while it is watched. */
const IGNORED: ReadonlySet<string> = new Set([
  'apiextensions.k8s.io/customresourcedefinitions',
  'apiregistration.k8s.io/apiservices',
  'coordination.k8s.io/leases',
  'events',
  'events.k8s.io/events',
  'namespaces',
]);
/** Conditions by which a migration reports. */
const REPORTED: ReadonlySet<string> = new Set(['PrivateCAPIMigration', 'ReconciliationActive']);

/** Fields of a status that say when something was written. */
const TIMES: ReadonlySet<string> = new Set(['lastTransitionTime', 'lastUpdated']);

interface Spec {
  readonly paused?: boolean;
}

interface Status {
  readonly conditions?: readonly { readonly type: string }[];
}

interface Rule {
  readonly apiGroups?: readonly string[];
}

/** What is not compared: identities are shared by clusters, and stay in both groups; what is for proxies comes and goes with them. */
export function ignoredIn(resource: string, object: KubeObject, mapping: GroupMapping): boolean {
  const { apiVersion, metadata } = object;
  if (IGNORED.has(resource) || isForProxies(object)) return true;
  return metadata.namespace === undefined && mapping.side(parseApiVersion(apiVersion).group) === 'private';
}

/** What an object is compared by. */
export interface TraceOptions {
  readonly mapping: GroupMapping;
  /** Kinds, `Kind.group`, on which no controller of the copy acts. */
  readonly carried: ReadonlySet<string>;
}

/** The object without what a migration that has ended leaves on it, and is meant to. */
export function withoutTraces(object: KubeObject, { carried, mapping }: TraceOptions): KubeObject {
  const { group } = parseApiVersion(object.apiVersion);
  const side = mapping.side(group);
  if (side !== undefined) {
    const bare = withoutCopyTraces(object);
    const isCarried = carried.has(`${object.kind}.${side === 'private' ? mapping.swap(group) : group}`);
    return isCarried ? bare : ({ ...bare, status: withoutRestarts(bare['status']) } as KubeObject);
  }
  if (group === 'hypershift.openshift.io') return withoutReports(object);
  if (object.kind === 'Deployment') {
    // Its status follows its spec, as its controller gets to it.
    const { status: _, ...bare } = SIDECAR.has(object) ? SIDECAR.remove(object) : object;
    return bare as KubeObject;
  }
  if (object.kind !== 'Role') return object;
  const rules = (object['rules'] ?? []) as readonly Rule[];
  const kept = rules.filter(({ apiGroups = [] }) => !apiGroups.some((each) => mapping.side(each) === 'private'));
  return { ...object, rules: kept } as unknown as KubeObject;
}

/**
 * A status without what controllers leave on it that were paused and started again: other times, and the condition that
 * they are not paused.
 */
function withoutRestarts(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((each) => !isNotPaused(each)).map(withoutRestarts);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => !TIMES.has(key));
  return Object.fromEntries(kept.map(([key, each]) => [key, withoutRestarts(each)]));
}

function isNotPaused(value: unknown): boolean {
  const { status, type } = Object(value) as { readonly status?: unknown; readonly type?: unknown };
  return type === 'Paused' && status === 'False';
}

function withoutCopyTraces(object: KubeObject): KubeObject {
  const bare = annotated(object, { [COPIED_FROM_ANNOTATION]: undefined, [COPIED_GENERATION_ANNOTATION]: undefined });
  const { paused, ...spec } = (bare['spec'] ?? {}) as Spec;
  // Not to be paused is the default.
  return paused === false ? ({ ...bare, spec } as KubeObject) : bare;
}

function withoutReports(object: KubeObject): KubeObject {
  const bare = annotated(object, {
    [PRIVATE_CAPI_TYPES_ANNOTATION]: undefined,
    [SCOPE_ANNOTATION]: undefined,
    // Removed once it is reported, which comes after the lock.
    [MIGRATION_ENDED_ANNOTATION]: undefined,
    [MIGRATION_FAILED_ANNOTATION]: undefined,
    [MIGRATION_FAILURE_ANNOTATION]: undefined,
  });
  const status = (bare['status'] ?? {}) as Status;
  const conditions = (status.conditions ?? []).filter(({ type }) => !REPORTED.has(type));
  return { ...bare, status: { ...status, conditions } } as KubeObject;
}

import { equalJson } from '@capstan/meta';
import type { JsonObject, KubeObject } from '@capstan/meta';
import type { Registration } from '../discovery/index.js';

interface Spec {
  readonly group?: string;
  readonly version?: string;
  readonly groupPriorityMinimum?: number;
  readonly versionPriority?: number;
  readonly service?: object | null;
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly lastTransitionTime?: string;
  readonly reason?: string;
  readonly message?: string;
}

const AVAILABLE = {
  type: 'Available',
  status: 'True',
  reason: 'Local',
  message: 'Local APIServices are always available',
};

function specOf(service: KubeObject): Spec {
  return (service['spec'] ?? {}) as Spec;
}

function conditionsOf(service: KubeObject | undefined): readonly Condition[] {
  const status = service?.['status'] as { readonly conditions?: readonly Condition[] | null } | undefined;
  return status?.conditions ?? [];
}

/** Whether this server itself serves the group version, and no Service does. */
export function isLocal(service: KubeObject): boolean {
  return specOf(service).service == null;
}

/** What an APIService registers. */
export function registrationOf(service: KubeObject): Registration {
  const { group = '', version = '', groupPriorityMinimum = 0, versionPriority = 0 } = specOf(service);
  return { group, version, groupPriority: groupPriorityMinimum, versionPriority };
}

/** The spec that registers a group version; the core group has no field. */
export function specFor({ group, version, groupPriority, versionPriority }: Registration): JsonObject {
  return {
    ...(group === '' ? {} : { group }),
    version,
    groupPriorityMinimum: groupPriority,
    versionPriority,
  };
}

/** Whether the spec registers exactly this, in any order of its fields. */
export function sameSpec(service: KubeObject, registration: Registration): boolean {
  return equalJson((service['spec'] ?? {}) as JsonObject, specFor(registration));
}

/** Whether the condition of a local APIService is as it should be. */
export function isAvailable(service: KubeObject): boolean {
  const known = conditionsOf(service).find(({ type }) => type === AVAILABLE.type);
  return known?.status === AVAILABLE.status && known.reason === AVAILABLE.reason && known.message === AVAILABLE.message;
}

/** The status of a local APIService, with the other conditions that it has. */
export function localStatus(now: string, service?: KubeObject): JsonObject {
  const conditions = conditionsOf(service);
  const known = conditions.find(({ type }) => type === AVAILABLE.type);
  const { type, status, reason, message } = AVAILABLE;
  const lastTransitionTime = known?.status === status ? (known.lastTransitionTime ?? now) : now;
  const next = { type, status, lastTransitionTime, reason, message };
  const all = known === undefined ? [...conditions, next] : conditions.map((each) => (each === known ? next : each));
  return { conditions: all as unknown as JsonObject[] };
}

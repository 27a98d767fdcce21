/** What is there already of a Cluster that is to be created. */
import type { JsonObject, KubeObject } from '@capstan/meta';
import { recordAt } from '../shared/model.js';

/** On what the command creates: it knows its own objects by it. */
export const OURS_LABEL = 'app.kubernetes.io/managed-by';
/** On an infrastructure cluster that the controllers of the platform leave alone. */
export const EXTERNALLY_MANAGED = 'cluster.x-k8s.io/managed-by';
export const OURS = 'capstan';

/** What to do about an object that is to be there; or why nothing may be done. */
export function creationOf(live: KubeObject | undefined): 'create' | 'keep' | { readonly problem: string } {
  if (live === undefined) return 'create';
  const { annotations, deletionTimestamp, labels } = live.metadata;
  if (deletionTimestamp !== undefined) return { problem: 'is being deleted' };
  if (labels?.[OURS_LABEL] === OURS) return 'keep';
  const manager = annotations?.[EXTERNALLY_MANAGED] ?? labels?.[OURS_LABEL];
  return { problem: manager === undefined ? 'was created by others' : `is managed by ${manager}` };
}

/**
 * The status of an infrastructure cluster that nobody fills: by the contract of its version machines can be created.
 * Undefined when it is so already.
 */
export function readyStatus(live: KubeObject, statusFields: JsonObject): JsonObject | undefined {
  const { initialization, ready } = recordAt(live, 'status');
  const isProvisioned = (initialization as JsonObject | undefined)?.['provisioned'] === true;
  const status = {
    ...('ready' in statusFields && ready !== true ? { ready: true } : {}),
    ...('initialization' in statusFields && !isProvisioned ? { initialization: { provisioned: true } } : {}),
  };
  return Object.keys(status).length === 0 ? undefined : status;
}

/** The first place where an object is not as it would be created; undefined when there is none. */
export function firstDifference(desired: unknown, live: unknown, at = 'spec'): string | undefined {
  if (typeof desired !== 'object' || desired === null) return desired === live ? undefined : at;
  if (typeof live !== 'object' || live === null) return at;
  for (const [name, value] of Object.entries(desired)) {
    if (value === undefined) continue;
    const found = firstDifference(value, (live as JsonObject)[name], `${at}.${name}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The two copies of a resource, as far as the controllers read them. */
import type { JsonObject, KubeObject } from '@capstan/meta';

/** An API that can be authoritative. */
export type Authority = 'MachineAPI' | 'ClusterAPI';

/** A condition of Machine API: with a severity, and with optional reason and message. */
export interface MachineCondition {
  readonly type: string;
  readonly status: string;
  readonly severity?: string;
  readonly lastTransitionTime: string;
  readonly reason?: string;
  readonly message?: string;
}

/** An object of Machine API that has an authority. */
export interface Authored extends KubeObject {
  readonly spec?: { readonly authoritativeAPI?: string; readonly [field: string]: unknown };
  readonly status?: AuthoredStatus | undefined;
}

/** What of the status this operator knows. */
export interface AuthoredStatus {
  readonly authoritativeAPI?: string;
  readonly synchronizedGeneration?: number;
  readonly synchronizedAPI?: string;
  readonly conditions?: readonly MachineCondition[];
  readonly [field: string]: unknown;
}

/** The other API. */
export function otherThan(authority: Authority): Authority {
  return authority === 'MachineAPI' ? 'ClusterAPI' : 'MachineAPI';
}

/** The authority that the user asks for; absent means Machine API. */
export function wantedAuthority({ spec }: Authored): Authority {
  return spec?.authoritativeAPI === 'ClusterAPI' ? 'ClusterAPI' : 'MachineAPI';
}

/**
 * Whose spec counts: the authoritative API, and while authority moves the one it moves from. That is the last stable
 * authority, so that a change of mind on the way is no change of direction; undefined when no authority is set yet.
 */
export function sourceOf(object: Authored): Authority | undefined {
  const { authoritativeAPI: current = '', synchronizedAPI: stable } = object.status ?? {};
  if (current === 'MachineAPI' || current === 'ClusterAPI') return current;
  if (current !== 'Migrating') return undefined;
  if (stable === 'MachineAPI' || stable === 'ClusterAPI') return stable;
  return otherThan(wantedAuthority(object));
}

/** Whether the object has been deleted, and waits for its finalizers. */
export function isDeleting(object: KubeObject | undefined): boolean {
  return object?.metadata.deletionTimestamp != null;
}

/** Whether the object is there and stays. */
export function isLiving(object: KubeObject | undefined): boolean {
  return object !== undefined && !isDeleting(object);
}

/** The object if it is there and stays. */
export function living<T extends KubeObject>(object: T | undefined): T | undefined {
  return isLiving(object) ? object : undefined;
}

/** A record at a path of names; an empty one where there is none. */
export function recordAt(object: JsonObject | undefined, ...path: readonly string[]): JsonObject {
  let at: unknown = object;
  for (const name of path) at = (at as JsonObject | undefined | null)?.[name];
  return typeof at === 'object' && at !== null && !Array.isArray(at) ? (at as JsonObject) : {};
}

import type { Condition } from '@capstan/meta';

/** The version condition of operators from before `status.controlPlaneVersion`: removed where it is found. */
export const LEGACY_VERSION_CONDITION = 'ControlPlaneUpToDate';

/** The conditions of any object, whose own types may narrow statuses and reasons. */
export function conditionsOf(
  object: { readonly status?: { readonly conditions?: unknown } | undefined } | undefined,
): readonly Condition[] | undefined {
  return object?.status?.conditions as readonly Condition[] | undefined;
}

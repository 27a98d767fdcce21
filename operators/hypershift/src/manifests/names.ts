import { LEGACY_OPERATOR_NAME, OPERATOR_NAME } from '../names.js';

/** Which Cluster API groups an operator reconciles, and for which of the hosted clusters. */
export type OperatorMode = 'standard' | 'private' | 'legacy';

/** The policy that refuses standard Cluster API objects in those namespaces. */
export const GUARD_NAME = 'hypershift-private-capi-types';

/** What the operator of a mode is called; that of a scope is a shard on standard types. */
export function operatorName(mode: OperatorMode, scope?: string): string {
  if (scope !== undefined) return `${OPERATOR_NAME}-${scope}`;
  return mode === 'legacy' ? LEGACY_OPERATOR_NAME : OPERATOR_NAME;
}

/** The Secret of the serving certificate of an operator. */
export function servingSecretOf(mode: OperatorMode, scope?: string): string {
  return `${operatorName(mode, scope)}-serving-cert`;
}

const NODE_POOL_WEBHOOK = 'nodepools.hypershift.openshift.io';

/** The configuration of the webhook by which an operator of a mode validates NodePools. */
export function webhookNameOf(mode: OperatorMode, scope?: string): string {
  if (scope !== undefined) return `${scope}-${NODE_POOL_WEBHOOK}`;
  return mode === 'legacy' ? `legacy-${NODE_POOL_WEBHOOK}` : NODE_POOL_WEBHOOK;
}

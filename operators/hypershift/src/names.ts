/** The Deployment, ServiceAccount and Service of the operator; on private types that of the new one. */
export const OPERATOR_NAME = 'operator';
/** Those of the operator for clusters that are still on standard types. */
export const LEGACY_OPERATOR_NAME = 'operator-legacy';
/** On pods of an operator that knows both types: pods without it are from before the upgrade. */
export const CAPI_TYPES_LABEL = 'hypershift.openshift.io/capi-types';
/** `true` on the namespaces of control planes whose Cluster API objects are in the private groups. */
export const PRIVATE_NAMESPACE_LABEL = 'hypershift.openshift.io/private-capi-types';
/** The Lease of every HyperShift operator on standard types, also of those from before private types. */
export const LEASE = 'hypershift-operator-leader-elect';
/** That of the operator on private types: it runs next to one on standard types. */
export const PRIVATE_LEASE = 'hypershift-private-operator-leader-elect';

/** The Lease of a shard. */
export function shardLease(scope: string): string {
  return `${LEASE}-${scope}`;
}

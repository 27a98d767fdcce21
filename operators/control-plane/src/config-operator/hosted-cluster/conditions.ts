import { errorText } from '@capstan/kube';
import type { ConditionUpdate } from '@capstan/meta';

/** HyperShift misspells the reason of success, and clients match it. */
export function succeeded(failure: unknown): ConditionUpdate {
  const type = 'ConfigOperatorReconciliationSucceeded';
  if (failure === undefined)
    return { type, status: 'True', reason: 'ReconciliatonSucceeded', message: 'Reconciliation completed successfully' };
  return { type, status: 'False', reason: 'ReconciliationError', message: errorText(failure) };
}

/** Whether the cloud resources of the hosted cluster are deleted, by the names of those that remain. */
export function cloudResourcesDestroyed(remaining: readonly string[]): ConditionUpdate {
  const type = 'CloudResourcesDestroyed';
  if (remaining.length === 0)
    return {
      type,
      status: 'True',
      reason: 'CloudResourcesDestroyed',
      message: 'All cloud resources have been removed',
    };
  return {
    type,
    status: 'False',
    reason: 'RemainingCloudResources',
    message: `Remaining resources: ${remaining.join(', ')}`,
  };
}

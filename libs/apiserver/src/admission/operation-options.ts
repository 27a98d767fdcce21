import type { DeleteOptions } from '../request/delete-options.js';

const API_VERSION = 'meta.k8s.io/v1';

/** The options of a create or update as admission shows them; a patch is an update, or a create where there is nothing yet. */
export function writeOptionFields(operation: 'CREATE' | 'UPDATE', query: URLSearchParams): object {
  const dryRun = query.getAll('dryRun');
  const fieldManager = query.get('fieldManager') ?? '';
  const fieldValidation = query.get('fieldValidation') ?? '';
  return {
    kind: operation === 'CREATE' ? 'CreateOptions' : 'UpdateOptions',
    apiVersion: API_VERSION,
    ...(dryRun.length === 0 ? {} : { dryRun }),
    ...(fieldManager === '' ? {} : { fieldManager }),
    ...(fieldValidation === '' ? {} : { fieldValidation }),
  };
}

/** The options of a delete as admission shows them; where the kind knows grace, with what it comes to. */
export function deleteOptionFields(options: DeleteOptions, grace: number | undefined): object {
  const { preconditions, orphanDependents, propagationPolicy, dryRun } = options;
  const gracePeriodSeconds = grace ?? options.gracePeriodSeconds;
  const isConditional = preconditions.uid !== undefined || preconditions.resourceVersion !== undefined;
  return {
    kind: 'DeleteOptions',
    apiVersion: API_VERSION,
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(isConditional ? { preconditions } : {}),
    ...(orphanDependents === undefined ? {} : { orphanDependents }),
    // The two exclude each other; one is worked out from the other.
    ...(propagationPolicy === undefined || orphanDependents !== undefined ? {} : { propagationPolicy }),
    ...(dryRun ? { dryRun: ['All'] } : {}),
  };
}

/** Reports on ClusterOperator/machine-api, which the operator of Machine API owns: one condition of it is ours. */
import { errorText, performChange, sleep, timestamp } from '@capstan/kube';
import type { Client, Logger, ResourceKind, Runnable } from '@capstan/kube';
import { ignoreNotFound, setCondition } from '@capstan/meta';
import type { Clock, Condition, KubeObject } from '@capstan/meta';
import { findCondition } from '../shared/conditions.js';
import type { Authored } from '../shared/model.js';
import { OPERATOR_CONDITION } from './decide.js';

const CLUSTER_OPERATORS: ResourceKind = {
  group: 'config.openshift.io',
  version: 'v1',
  plural: 'clusteroperators',
  namespaced: false,
  kind: 'ClusterOperator',
};
const NAME = 'machine-api';
/** Not at each event: what it reports of has lasted for minutes. */
const EVERY_MS = 60_000;

type Report = Omit<Condition, 'lastTransitionTime'>;

interface ClusterOperator extends KubeObject {
  readonly status?: { readonly conditions?: readonly Condition[] };
}

export interface ReporterOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly report: () => Report;
  /** Whether a condition is added where there is none; else one that is there is corrected. Default true. */
  readonly isAdding?: boolean | undefined;
}

/** Looks once a minute, and writes what has changed. */
export function clusterOperatorReporter(options: ReporterOptions): Runnable {
  const { clock, logger } = options;
  return {
    name: 'cluster-operator',
    run: async (signal) => {
      while (!signal.aborted) {
        await write(options, signal).catch((error: unknown) => {
          if (!signal.aborted) logger.warn('cannot report on ClusterOperator machine-api', { error: errorText(error) });
        });
        await sleep(clock, EVERY_MS, signal);
      }
    },
  };
}

/** Nothing where there is no such object, as on other clusters than OpenShift. */
async function write({ client, clock, isAdding = true, report }: ReporterOptions, signal: AbortSignal): Promise<void> {
  const before = await client.get<ClusterOperator>(CLUSTER_OPERATORS, NAME, { signal }).catch(ignoreNotFound);
  if (before === undefined) return;
  if (!isAdding && findCondition(before as Authored, OPERATOR_CONDITION) === undefined) return;
  const conditions = before.status?.conditions ?? [];
  const updated = setCondition(conditions, report(), timestamp(clock));
  if (updated === conditions) return;
  const after = { ...before, status: { ...before.status, conditions: updated } };
  const change = { verb: 'patch', kind: CLUSTER_OPERATORS, before, after, subresource: 'status' } as const;
  await performChange(client, change, { signal });
}

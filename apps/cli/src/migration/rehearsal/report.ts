import type { RehearsalOutcome } from '@capstan/simulation';
import type { PassResult } from '../../rehearsal/plan.js';
import { MOST_PROBLEMS, quoted, summaryOf } from '../../rehearsal/summary.js';
import type { FailedRehearsal } from '../../rehearsal/summary.js';
import type { ClusterCopy } from './cluster-copy.js';

/** What a rehearsal found out about one cluster. */
export interface ClusterReport {
  /** NAMESPACE/NAME. */
  readonly cluster: string;
  readonly verdict: 'would-migrate' | 'would-not-migrate' | 'not-eligible' | 'migrated-already';
  /** Cluster API objects that would be copied. */
  readonly objects: number;
  /** Of a migration in which nothing goes wrong. */
  readonly expectedSeconds?: number | undefined;
  /** What blocks it, and what to do. */
  readonly blockedBy?: { readonly reason: string; readonly message: string; readonly remedy: string } | undefined;
  /** What is not as it was before, after a migration in which nothing goes wrong and after its rollback. */
  readonly differs: readonly string[];
  readonly rehearsals: {
    readonly run: number;
    readonly migrated: number;
    readonly rolledBack: number;
    readonly failed: readonly FailedRehearsal[];
  };
  /** What the copy lacks. */
  readonly leftOut: readonly string[];
}

const REMEDIES: Readonly<Record<string, string>> = {
  'acknowledge-timeout': 'see that both operators run, and that NodePools of the cluster are not stuck',
  'deletion-timeout': 'wait until the objects are deleted, or find out why the garbage collector does not finish',
  'missing-private-crd': "run 'capstan crds mirror --from-cluster --apply', or rehearse with --mirror",
  'cpo-unsupported': 'upgrade the hosted cluster to a release whose control plane operator supports the proxy',
  'resource-conversion-failed': 'change the object so that its private CRD accepts it, or fix that CRD',
  'deployment-timeout': 'repair the Deployment first: it has to be available before and after',
  'health-check-timeout': 'repair the cluster first: what gets worse is rolled back',
  'proxy-unreachable': 'let the API server reach the health port of proxies in the control plane namespace',
};
const OTHER_REMEDY = 'see the message; the rehearsal of this cluster can be repeated with --cluster';

/** Sums the rehearsals of a cluster up; `command` is what was typed but for clusters and passes. */
export function reportOf(copy: ClusterCopy, results: readonly PassResult[], command: string): ClusterReport {
  if (copy.ineligible !== undefined) return unrehearsed(copy, copy.ineligible);
  const { id: cluster, leftOut, moved: objects } = copy;
  const { calm, done, failed, run, undone } = summaryOf(results, `${command} --cluster ${quoted(cluster)}`);
  const { differences = [], notes = [] } = calm ?? {};
  const blockedBy = calm === undefined || calm.result === 'done' ? undefined : blockerOf(calm);
  return {
    cluster,
    objects,
    leftOut: [...leftOut, ...notes],
    verdict: blockedBy !== undefined || failed.length > 0 ? 'would-not-migrate' : 'would-migrate',
    ...(calm?.result === 'done' ? { expectedSeconds: Math.round(calm.durationMs / 1000) } : {}),
    ...(blockedBy === undefined ? {} : { blockedBy }),
    differs: differences.slice(0, MOST_PROBLEMS),
    rehearsals: { run, migrated: done, rolledBack: undone, failed },
  };
}

/** A cluster that the migration does not begin with. */
function unrehearsed({ id: cluster, leftOut, moved: objects }: ClusterCopy, reason: string): ClusterReport {
  const rehearsals = { run: 0, migrated: 0, rolledBack: 0, failed: [] };
  const base = { cluster, objects, leftOut, differs: [], rehearsals };
  if (reason === 'it is migrated') return { ...base, verdict: 'migrated-already' };
  const remedy = 'change that, then rehearse it again';
  return { ...base, verdict: 'not-eligible', blockedBy: { reason: 'not-eligible', message: reason, remedy } };
}

function blockerOf({ message = '', reason = '', result }: RehearsalOutcome): NonNullable<ClusterReport['blockedBy']> {
  const named = result === 'stuck' ? `stuck at step ${reason}` : reason;
  return { reason: named, message, remedy: REMEDIES[reason] ?? OTHER_REMEDY };
}

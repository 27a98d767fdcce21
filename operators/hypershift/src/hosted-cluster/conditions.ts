import type { HostedCluster } from '@capstan/api/hypershift';
import { conditionsOf, INVALID_PAUSE_REASON, LEGACY_VERSION_CONDITION } from '@capstan/hosting';
import type { Complaint } from '@capstan/hosting';
import { errorText } from '@capstan/kube';
import { cutText, extended, setCondition } from '@capstan/meta';
import type { Condition } from '@capstan/meta';
import type { Failure, Finding } from './state.js';
import { available, degraded, ignitionAvailable, NAMESPACE_TERMINATING, progressing } from './status/availability.js';
import type { StatusInputs } from './status/availability.js';
import { mirroredFindings } from './status/mirrored.js';

/** The reason of ReconciliationActive while the objects that decide which operator reconciles a cluster cannot be read. */
export const UNREADABLE_REASON = 'ClusterAPIObjectsUnreadable';
const BAD_PAUSES: ReadonlySet<string> = new Set([INVALID_PAUSE_REASON, UNREADABLE_REASON]);

/** Conditions that are a warning event when they get worse: the user has to fix something. */
export const COMPLAINTS: readonly Complaint[] = [
  ...[
    'SupportedHostedCluster',
    'ValidConfiguration',
    'PlatformCredentialsFound',
    'ValidReleaseImage',
    'ValidReleaseInfo',
  ].map((type) => ({ type, isBad: ({ status }: Condition) => status === 'False' })),
  { type: 'Available', isBad: ({ reason, status }) => status === 'False' && reason === NAMESPACE_TERMINATING },
  { type: 'ReconciliationActive', isBad: ({ reason }) => BAD_PAUSES.has(reason) },
];

/** All conditions: those of the HostedControlPlane, then those found here, which win. */
export function allFindings(view: StatusInputs): readonly Finding[] {
  const progress = progressing(view);
  const byType = new Map(mirroredFindings(view.controlPlane).map((finding) => [finding.type, finding]));
  const own = [available(view), ...(progress === undefined ? [] : [progress]), ignitionAvailable(view)];
  const stuck = degraded(view);
  if (stuck !== undefined && byType.get(stuck.type)?.status !== 'True') byType.set(stuck.type, stuck);
  for (const finding of [...own, ...view.findings.values()]) {
    const reported = byType.get(finding.type);
    // Both check some things: the one that found a problem wins.
    if (reported?.status === 'False' && finding.status === 'True') continue;
    byType.set(finding.type, finding);
  }
  return [...byType.values()];
}

/** The conditions of the cluster with new findings. */
export function conditionsWith(cluster: HostedCluster, findings: Iterable<Finding>, now: string): readonly Condition[] {
  const observedGeneration = cluster.metadata.generation ?? 0;
  let conditions: readonly Condition[] = (conditionsOf(cluster) ?? []).filter(
    ({ type }) => type !== LEGACY_VERSION_CONDITION,
  );
  for (const finding of findings) conditions = setCondition(conditions, extended(finding, { observedGeneration }), now);
  return conditions;
}

/** Whether all steps could be taken. The good reason is spelt as clients of HyperShift expect it. */
export function succeeded(failure: Failure | undefined, incomplete?: string): Finding {
  const type = 'ReconciliationSucceeded';
  if (failure !== undefined)
    return { type, status: 'False', reason: 'ReconciliationError', message: errorText(failure.error) };
  if (incomplete !== undefined) return { type, status: 'False', reason: 'Blocked', message: cutText(incomplete) };
  return { type, status: 'True', reason: 'ReconciliatonSucceeded', message: 'Reconciliation completed successfully' };
}

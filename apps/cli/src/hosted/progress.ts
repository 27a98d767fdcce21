import type { KubeObject } from '@capstan/meta';
import { fieldAt } from '@capstan/provider';

interface Condition {
  readonly type?: string;
  readonly status?: string;
  readonly reason?: string;
  readonly message?: string;
}

function conditionsOf(object: KubeObject): readonly Condition[] {
  const found = fieldAt(object, 'status', 'conditions');
  return Array.isArray(found) ? (found as readonly Condition[]) : [];
}

function condition(object: KubeObject, type: string): Condition | undefined {
  return conditionsOf(object).find((each) => each.type === type);
}

/** Whether a cluster is available and its first release is rolled out; without nodes a release never completes. */
export function isAvailable(cluster: KubeObject, hasNodes: boolean): boolean {
  const history = fieldAt(cluster, 'status', 'version', 'history');
  const isRolledOut = Array.isArray(history) && history.some((each) => fieldAt(each, 'state') === 'Completed');
  return (isRolledOut || !hasNodes) && condition(cluster, 'Available')?.status === 'True';
}

/** Conditions that explain why a cluster is not available yet, the most important first: invalid input before waiting. */
const BLOCKING_CONDITIONS = [
  'ValidConfiguration',
  'SupportedHostedCluster',
  'ValidReleaseImage',
  'PlatformCredentialsFound',
  'ReconciliationSucceeded',
  'Available',
];

function firstLine(message: string): string {
  return message.split('\n')[0] ?? '';
}

/** Progress of the creation of a cluster, in one line. */
export function progressOf(cluster: KubeObject): string {
  const bad = BLOCKING_CONDITIONS.map((type) => condition(cluster, type)).find((each) => each?.status === 'False');
  if (bad === undefined) {
    if (condition(cluster, 'Available')?.status !== 'True') return 'waiting for the operator to reconcile it';
    const { message = '' } = condition(cluster, 'ClusterVersionProgressing') ?? {};
    return `available, rolling out its release${message === '' ? '' : `: ${firstLine(message)}`}`;
  }
  const message = firstLine(bad.message ?? '');
  return `${bad.type ?? ''} is ${bad.status ?? ''}, ${bad.reason ?? ''}${message === '' ? '' : `: ${message}`}`;
}

/** Progress of the deletion of a cluster, in one line. */
export function endOf(cluster: KubeObject, pools: number): string {
  const { message = '', reason = '' } = condition(cluster, 'HostedClusterDestroyed') ?? {};
  const parts = [
    pools === 0 ? undefined : `${pools} node pool${pools === 1 ? '' : 's'} left`,
    reason === '' ? undefined : `${reason}${message === '' ? '' : `: ${firstLine(message)}`}`,
  ].filter((each) => each !== undefined);
  return parts.length === 0 ? 'waiting for the operator to remove its finalizer' : parts.join(', ');
}

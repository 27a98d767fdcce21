import { deepEqual, formatTime, getCondition } from '@capstan/meta';
import { endpointText, HOSTED_CLUSTERS, publishedEndpoint, publishingOf, routedEndpoint } from '@capstan/provider';
import type { HostedCluster, HostedClusterStatus } from '@capstan/api/hypershift';
import { conditionsOf } from '../scope.js';
import type { Finding, HostedClusterParts, Scope } from '../scope.js';
import { NAMESPACE_GOING } from '../status/availability.js';
import { statusOf } from '../status/status.js';
import { namespaceGoing } from '../validation.js';
import { IGNITION_SERVICE } from './gather.js';

/** Conditions that somebody has to do something about when they are false. */
const COMPLAINTS = [
  'SupportedHostedCluster',
  'ValidConfiguration',
  'PlatformCredentialsFound',
  'ValidReleaseImage',
  'ValidReleaseInfo',
] as const;

/** Writes the status at the end of a reconcile, when it has become another. */
export async function writeStatus(scope: Scope): Promise<void> {
  const { access, blocked, controlPlane, findings, guestRelease, hostedCluster, namespace, nowMs, release, seen } =
    scope;
  const status = statusOf({
    access,
    blocked,
    components: seen.components,
    controlPlane,
    findings,
    guestRelease,
    hostedCluster,
    ignitionEndpoint: ignitionEndpoint(scope),
    namespaceGoing: namespaceGoing({ namespace, seen }),
    now: formatTime(nowMs),
    release,
  });
  await replaceStatus(scope, hostedCluster, status);
}

/** Writes a status, and tells of what is newly wrong. */
export async function replaceStatus(
  { parts, signal }: { readonly parts: HostedClusterParts; readonly signal: AbortSignal },
  before: HostedCluster,
  status: HostedClusterStatus,
): Promise<void> {
  if (deepEqual(before.status ?? {}, status)) return;
  const after = { ...before, status };
  // No merge patch: versions have fields that must be there and null.
  await parts.client.update(HOSTED_CLUSTERS, after, { subresource: 'status', signal });
  for (const { message, reason } of newComplaints(before, after)) {
    const { name = '', namespace, uid = '' } = before.metadata;
    const { apiVersion, kind } = before;
    parts.recorder.record({ apiVersion, kind, name, namespace, uid }, { type: 'Warning', reason, message });
  }
}

/** What is wrong now, and was not, or not in the same way. */
export function newComplaints(
  before: HostedCluster,
  after: HostedCluster,
): readonly Pick<Finding, 'message' | 'reason'>[] {
  const complaint = (cluster: HostedCluster, type: string): Pick<Finding, 'message' | 'reason'> | undefined => {
    const { message, reason, status } = getCondition(conditionsOf(cluster), type) ?? {};
    const isInvalidPause = reason === 'InvalidPausedUntilValue';
    return message !== undefined && reason !== undefined && (status === 'False' || isInvalidPause)
      ? { message, reason }
      : undefined;
  };
  const types = [
    ...COMPLAINTS,
    ...(complaint(after, 'Available')?.reason === NAMESPACE_GOING ? ['Available'] : []),
    ...(complaint(after, 'ReconciliationActive')?.reason === 'InvalidPausedUntilValue' ? ['ReconciliationActive'] : []),
  ];
  return types.flatMap((type) => {
    const now = complaint(after, type);
    return now === undefined || deepEqual(now, complaint(before, type)) ? [] : [now];
  });
}

/** Where nodes fetch their configuration; undefined while that is not known. */
function ignitionEndpoint({ hostedCluster, seen }: Scope): string | undefined {
  const { ignitionService, routes } = seen;
  // Where there are routes, the name inside of the management cluster is of no use to nodes.
  const published =
    routes === undefined
      ? publishedEndpoint(publishingOf(hostedCluster.spec?.services, 'Ignition'), ignitionService)
      : routedEndpoint(
          IGNITION_SERVICE,
          routes.find(({ metadata }) => metadata.name === IGNITION_SERVICE),
        );
  return 'endpoint' in published ? endpointText(published.endpoint) : undefined;
}

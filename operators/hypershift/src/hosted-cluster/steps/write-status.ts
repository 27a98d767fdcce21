import { deepEqual, formatTime } from '@capstan/meta';
import type { Condition } from '@capstan/meta';
import type { HostedCluster, HostedClusterStatus } from '@capstan/api/hypershift';
import {
  conditionsOf,
  endpointText,
  HOSTED_CLUSTERS,
  INVALID_PAUSE_REASON,
  newComplaints,
  publishedEndpoint,
  publishingOf,
  routedEndpoint,
} from '@capstan/hosting';
import type { Complaint } from '@capstan/hosting';
import type { HostedClusterParts, Scope } from '../scope.js';
import { NAMESPACE_GOING } from '../status/availability.js';
import { statusOf } from '../status/status.js';
import { namespaceGoing } from '../validation.js';
import { IGNITION_SERVICE } from './gather.js';

/** Conditions that are a warning event when they get worse: the user has to fix something. */
const COMPLAINTS: readonly Complaint[] = [
  ...[
    'SupportedHostedCluster',
    'ValidConfiguration',
    'PlatformCredentialsFound',
    'ValidReleaseImage',
    'ValidReleaseInfo',
  ].map((type) => ({ type, isBad: ({ status }: Condition) => status === 'False' })),
  { type: 'Available', isBad: ({ reason, status }) => status === 'False' && reason === NAMESPACE_GOING },
  { type: 'ReconciliationActive', isBad: ({ reason }) => reason === INVALID_PAUSE_REASON },
];

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
  for (const { message, reason } of newComplaints(COMPLAINTS, conditionsOf(before), conditionsOf(after))) {
    const { name = '', namespace, uid = '' } = before.metadata;
    const { apiVersion, kind } = before;
    parts.recorder.record({ apiVersion, kind, name, namespace, uid }, { type: 'Warning', reason, message });
  }
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

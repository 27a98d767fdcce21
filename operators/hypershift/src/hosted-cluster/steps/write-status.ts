import { Converger } from '@capstan/kube';
import { deepEqual, formatTime } from '@capstan/meta';
import type { HostedCluster, HostedClusterStatus } from '@capstan/api/hypershift';
import {
  conditionsOf,
  endpointText,
  HOSTED_CLUSTERS,
  newComplaints,
  publishedEndpoint,
  publishingOf,
  routedEndpoint,
} from '@capstan/hosting';
import type { HostedClusterDependencies, State } from '../state.js';
import { COMPLAINTS } from '../conditions.js';
import { statusOf } from '../status.js';
import { namespaceTermination } from '../decide.js';
import { IGNITION_SERVICE } from '../gather.js';

/** Writes the status at the end of a reconcile, if it has changed. */
export async function writeStatus(state: State): Promise<void> {
  const { access, blocked, controlPlane, findings, guestRelease, hostedCluster, namespace, nowMs, release, snapshot } =
    state;
  const status = statusOf({
    access,
    blocked,
    components: snapshot.components,
    controlPlane,
    findings,
    guestRelease,
    hostedCluster,
    ignitionEndpoint: ignitionEndpoint(state),
    namespaceTermination: namespaceTermination({ namespace, snapshot }),
    now: formatTime(nowMs),
    release,
  });
  await replaceStatus(state, hostedCluster, status);
}

/** Writes a status, and emits warning events for new complaints. */
export async function replaceStatus(
  { dependencies, signal }: { readonly dependencies: HostedClusterDependencies; readonly signal: AbortSignal },
  before: HostedCluster,
  status: HostedClusterStatus,
): Promise<void> {
  if (deepEqual(before.status ?? {}, status)) return;
  const after = { ...before, status };
  // No merge patch: versions have fields that must be there and null.
  await new Converger({ client: dependencies.client, signal }).replaceStatus(HOSTED_CLUSTERS, after);
  for (const { message, reason } of newComplaints(COMPLAINTS, conditionsOf(before), conditionsOf(after))) {
    const { name = '', namespace, uid = '' } = before.metadata;
    const { apiVersion, kind } = before;
    dependencies.recorder.record({ apiVersion, kind, name, namespace, uid }, { type: 'Warning', reason, message });
  }
}

/** Where nodes fetch their configuration; undefined while that is not known. */
function ignitionEndpoint({ hostedCluster, snapshot }: State): string | undefined {
  const { ignitionService, routes } = snapshot;
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

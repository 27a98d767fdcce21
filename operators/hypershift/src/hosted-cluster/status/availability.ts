import type { ControlPlaneComponent, HostedCluster, HostedControlPlane } from '@capstan/api/hypershift';
import { getCondition, isConditionTrue } from '@capstan/meta';
import type { ReleasePayload } from '@capstan/release';
import { HAS_BEEN_AVAILABLE_ANNOTATION } from '../annotations.js';
import { conditionsOf } from '../scope.js';
import type { Finding } from '../scope.js';

/** Components named in a message; more are counted. */
const MAX_NAMED = 5;

/** What the conditions of a cluster are made from. */
export interface StatusView {
  readonly hostedCluster: HostedCluster;
  readonly controlPlane: HostedControlPlane | undefined;
  readonly components: readonly ControlPlaneComponent[];
  readonly release: ReleasePayload | undefined;
  /** Why nothing may be changed. */
  readonly blocked: string | undefined;
  /** What is to be said while its namespace goes; undefined when that stays. */
  readonly namespaceGoing?: string | undefined;
}

/** Why a cluster is not available whose control plane namespace somebody deletes. */
export const NAMESPACE_GOING = 'ControlPlaneNamespaceTerminating';

/** Whether the cluster can be used. The first time that takes every component; from then on, what its control plane says. */
export function available(view: StatusView): Finding {
  const { blocked, components, controlPlane, hostedCluster, namespaceGoing } = view;
  const type = 'Available';
  // Whatever the control plane has said: what answers now does not for long.
  if (namespaceGoing !== undefined) return { type, status: 'False', reason: NAMESPACE_GOING, message: namespaceGoing };
  const said = getCondition(conditionsOf(controlPlane), 'Available');
  if (said === undefined) {
    const message = blocked ?? 'Waiting for the hosted control plane to be healthy';
    return { type, status: 'False', reason: 'WaitingForAvailable', message };
  }
  if (said.status !== 'True') return { type, status: said.status, reason: said.reason, message: said.message };
  const waitsFor = hasBeenAvailable(hostedCluster) ? [] : unavailable(components);
  if (waitsFor.length > 0)
    return { type, status: 'False', reason: 'ComponentsNotAvailable', message: listText(waitsFor) };
  return { type, status: 'True', reason: 'AsExpected', message: 'The hosted control plane is available' };
}

function hasBeenAvailable(cluster: HostedCluster): boolean {
  const { annotations = {} } = cluster.metadata;
  return (
    Object.hasOwn(annotations, HAS_BEEN_AVAILABLE_ANNOTATION) || isConditionTrue(conditionsOf(cluster), 'Available')
  );
}

function unavailable(components: readonly ControlPlaneComponent[]): readonly string[] {
  return components
    .filter((component) => !isConditionTrue(conditionsOf(component), 'Available'))
    .map(({ metadata }) => metadata.name ?? '')
    .toSorted();
}

function listText(names: readonly string[]): string {
  const more = names.length - MAX_NAMED;
  return `Waiting for components: ${names.slice(0, MAX_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Whether the cluster is on its way to what was asked for; undefined while nobody can tell. */
export function progressing(view: StatusView): Finding | undefined {
  const type = 'Progressing';
  const { blocked } = view;
  if (blocked !== undefined) return { type, status: 'False', reason: 'Blocked', message: blocked };
  const there = isThere(view);
  if (there === undefined) return undefined;
  if (there) return { type, status: 'False', reason: 'AsExpected', message: 'The cluster is at the wanted release' };
  const message = 'The cluster is being deployed, upgraded or reconfigured';
  return { type, status: 'True', reason: 'Progressing', message };
}

/** Whether the cluster has come to the wanted release; undefined while nobody can tell. */
function isThere({ controlPlane, hostedCluster, release }: StatusView): boolean | undefined {
  const version = controlPlane?.status?.versionStatus;
  if (version === undefined) return false;
  const wanted = hostedCluster.spec?.release.image;
  const { image } = version.desired;
  // It may be known to the cluster by its digest, which nobody can tell now.
  if (image !== wanted && release === undefined) return undefined;
  return (image === wanted || image === release?.pullSpec) && version.history?.[0]?.state === 'Completed';
}

/** Whether nodes can fetch their configuration. */
export function ignitionAvailable({ components }: StatusView): Finding {
  const type = 'IgnitionEndpointAvailable';
  const server = components.find(({ metadata }) => metadata.name === 'ignition-server');
  if (server === undefined)
    return { type, status: 'False', reason: 'NotFound', message: 'There is no ignition server yet' };
  if (isConditionTrue(conditionsOf(server), 'Available'))
    return { type, status: 'True', reason: 'AsExpected', message: 'The ignition server is available' };
  return { type, status: 'False', reason: 'WaitingForAvailable', message: 'The ignition server is not available yet' };
}

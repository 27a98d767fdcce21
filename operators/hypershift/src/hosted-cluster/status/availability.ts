import type { ControlPlaneComponent, HostedCluster, HostedControlPlane } from '@capstan/api/hypershift';
import { conditionsOf, HAS_BEEN_AVAILABLE_ANNOTATION, ROLLOUT_STUCK_REASON } from '@capstan/hosting';
import { cutList, cutText, getCondition, isConditionTrue, MAX_CONDITION_MESSAGE } from '@capstan/meta';
import type { ReleasePayload } from '@capstan/release';
import { OWN_COMPONENTS } from '../desired/own-components.js';
import type { Access, Finding } from '../state.js';
import { isAtReleases } from './version.js';

/** What the conditions of a cluster are made from. */
export interface ConditionInputs {
  readonly hostedCluster: HostedCluster;
  readonly controlPlane: HostedControlPlane | undefined;
  readonly components: readonly ControlPlaneComponent[];
  /** Of the control plane; undefined when it cannot be looked up now. */
  readonly release: ReleasePayload | undefined;
  /** Of the guest; the same one unless `spec.controlPlaneRelease` names another for the control plane. */
  readonly guestRelease: ReleasePayload | undefined;
  /** Why nothing may be changed. */
  readonly blocked: string | undefined;
  /** The message while its namespace is deleted; undefined while it is not. */
  readonly namespaceTermination?: string | undefined;
}

/** What the whole status is derived from. */
export interface StatusInputs extends ConditionInputs {
  readonly findings: ReadonlyMap<string, Finding>;
  /** Of the ignition server, without a scheme; undefined while it is not known. */
  readonly ignitionEndpoint: string | undefined;
  /** Undefined where access was not checked: then it stays as it was. */
  readonly access: Access | undefined;
  readonly now: string;
}

/** The reason of Available while the control plane namespace is deleted. */
export const NAMESPACE_TERMINATING = 'ControlPlaneNamespaceTerminating';

const WAITING = 'Waiting for hosted control plane to be healthy';

/** Available. The first time every component must be available; from then on the HostedControlPlane decides. */
export function available(view: ConditionInputs): Finding {
  const { blocked, components, controlPlane, hostedCluster, namespaceTermination } = view;
  const type = 'Available';
  // Whatever the HostedControlPlane reports: an API server that answers now is deleted soon.
  if (namespaceTermination !== undefined)
    return { type, status: 'False', reason: NAMESPACE_TERMINATING, message: namespaceTermination };
  const reported = getCondition(conditionsOf(controlPlane), 'Available');
  if (reported === undefined) {
    const message = blocked === undefined ? WAITING : cutText(blocked);
    return { type, status: 'False', reason: 'WaitingForAvailable', message };
  }
  if (reported.status !== 'True') {
    const { message, reason, status } = reported;
    return { type, status, reason, message: cutText(message) };
  }
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
  const what = 'Waiting for components to be available: ';
  return `${what}${cutList(names, MAX_CONDITION_MESSAGE - what.length)}`;
}

/** Whether components that this operator deploys itself are stuck; undefined when none is: the control plane reports the rest. */
export function degraded({ components }: Pick<ConditionInputs, 'components'>): Finding | undefined {
  const own: ReadonlySet<string> = new Set(OWN_COMPONENTS);
  for (const { metadata, status } of components) {
    const { name = '' } = metadata;
    const rollout = getCondition(conditionsOf({ status }), 'RolloutComplete');
    if (!own.has(name) || rollout?.reason !== ROLLOUT_STUCK_REASON) continue;
    return {
      type: 'Degraded',
      status: 'True',
      reason: rollout.reason,
      message: cutText(`${name}: ${rollout.message}`),
    };
  }
  return undefined;
}

/** Progressing: whether the cluster is not yet at its releases; undefined while that is not known. */
export function progressing(view: ConditionInputs): Finding | undefined {
  const type = 'Progressing';
  const { blocked } = view;
  if (blocked !== undefined) return { type, status: 'False', reason: 'Blocked', message: cutText(blocked) };
  const there = isAtReleases(view);
  if (there === undefined) return undefined;
  if (there) return { type, status: 'False', reason: 'AsExpected', message: 'HostedCluster is at expected version' };
  const message = 'HostedCluster is deploying, upgrading, or reconfiguring';
  return { type, status: 'True', reason: 'Progressing', message };
}

/** Whether nodes can fetch their configuration. */
export function ignitionAvailable({ components }: ConditionInputs): Finding {
  const type = 'IgnitionEndpointAvailable';
  const server = components.find(({ metadata }) => metadata.name === 'ignition-server');
  if (server === undefined)
    return { type, status: 'False', reason: 'NotFound', message: 'There is no ignition server yet' };
  if (isConditionTrue(conditionsOf(server), 'Available'))
    return { type, status: 'True', reason: 'AsExpected', message: 'The ignition server is available' };
  return { type, status: 'False', reason: 'WaitingForAvailable', message: 'The ignition server is not available yet' };
}

import type { HostedControlPlane } from '@capstan/api/hypershift';
import { conditionsOf, LEGACY_VERSION_CONDITION } from '@capstan/hosting';
import { getCondition } from '@capstan/meta';
import type { ConditionStatus } from '@capstan/meta';
import type { Finding } from '../state.js';

/** Conditions every cluster has, also before its control plane has said anything. */
const ALWAYS = [
  'Degraded',
  'InfrastructureReady',
  'KubeAPIServerAvailable',
  'EtcdAvailable',
  'ValidHostedControlPlaneConfiguration',
  'ClusterVersionSucceeding',
  'ClusterVersionProgressing',
  'ClusterVersionReleaseAccepted',
  'ClusterVersionUpgradeable',
  'ClusterVersionAvailable',
] as const;
/** Of these the cluster says something of its own, or nothing. */
const OWN: ReadonlySet<string> = new Set([
  'Available',
  'Progressing',
  'ClusterVersionFailing',
  'ReconciliationActive',
  LEGACY_VERSION_CONDITION,
]);

const INVERTED: Readonly<Record<ConditionStatus, ConditionStatus>> = {
  True: 'False',
  False: 'True',
  Unknown: 'Unknown',
};

/** What a control plane says of itself, and where it says nothing, that it does not. */
export function mirroredFindings(controlPlane: HostedControlPlane | undefined): readonly Finding[] {
  const conditions = conditionsOf(controlPlane) ?? [];
  const said = conditions
    .filter(({ type }) => !OWN.has(type))
    .map(({ message, reason, status, type }): Finding => ({ type, status, reason, message }));
  const failing = getCondition(conditions, 'ClusterVersionFailing');
  if (failing !== undefined) {
    const { message, reason, status } = failing;
    said.push({ type: 'ClusterVersionSucceeding', status: INVERTED[status], reason, message });
  }
  const message =
    controlPlane === undefined
      ? 'There is no hosted control plane yet'
      : 'The hosted control plane has not said anything about it yet';
  const known = new Set(said.map(({ type }) => type));
  const unknown = ALWAYS.filter((type) => !known.has(type)).map((type): Finding => ({
    type,
    status: 'Unknown',
    reason: 'StatusUnknown',
    message,
  }));
  return [...said, ...unknown];
}

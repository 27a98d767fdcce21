import type { HostedControlPlane } from '@capstan/api/hypershift';
import { conditionsOf, LEGACY_VERSION_CONDITION } from '@capstan/hosting';
import { getCondition } from '@capstan/meta';
import type { ConditionStatus } from '@capstan/meta';
import type { Finding } from '../state.js';

/** Conditions that every cluster has, also before its control plane reports them. */
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
/** Conditions that are not copied: the cluster has its own, or none. */
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

/** The conditions of the HostedControlPlane; unknown where it has none, in the words of HyperShift. */
export function mirroredFindings(controlPlane: HostedControlPlane | undefined): readonly Finding[] {
  const conditions = conditionsOf(controlPlane) ?? [];
  const reported = conditions
    .filter(({ type }) => !OWN.has(type))
    .map(({ message, reason, status, type }): Finding => ({ type, status, reason, message }));
  const failing = getCondition(conditions, 'ClusterVersionFailing');
  if (failing !== undefined) {
    const { message, reason, status } = failing;
    reported.push({ type: 'ClusterVersionSucceeding', status: INVERTED[status], reason, message });
  }
  const known = new Set(reported.map(({ type }) => type));
  const unknown = ALWAYS.filter((type) => !known.has(type)).map((type): Finding => ({
    type,
    status: 'Unknown',
    reason: 'StatusUnknown',
    message: unknownMessage(type, controlPlane),
  }));
  return [...reported, ...unknown];
}

function unknownMessage(type: string, controlPlane: HostedControlPlane | undefined): string {
  if (type.startsWith('ClusterVersion')) return 'Condition not found in the CVO.';
  return controlPlane === undefined ? 'The hosted control plane is not found' : 'Condition not found in the HCP';
}

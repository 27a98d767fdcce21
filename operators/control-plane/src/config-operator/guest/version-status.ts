import type { ClusterVersion } from '@capstan/api/config';
import type { HostedControlPlaneStatus } from '@capstan/api/hypershift';
import type { ConditionUpdate } from '@capstan/meta';

type VersionStatus = NonNullable<HostedControlPlaneStatus['versionStatus']>;

/** The version status of the hosted cluster, in the form of the control plane's. */
export function versionStatusOf({ status }: ClusterVersion): VersionStatus | undefined {
  if (status?.desired === undefined) return undefined;
  const { availableUpdates, conditionalUpdates, desired, history, observedGeneration } = status;
  return {
    availableUpdates: availableUpdates ?? null,
    ...(conditionalUpdates === undefined ? {} : { conditionalUpdates }),
    desired,
    ...(history === undefined ? {} : { history }),
    observedGeneration: observedGeneration ?? 0,
  } as VersionStatus;
}

/** Conditions of a ClusterVersion, and by what name the control plane has them. */
const CONDITIONS: Readonly<Record<string, string>> = {
  Available: 'ClusterVersionAvailable',
  Failing: 'ClusterVersionFailing',
  Progressing: 'ClusterVersionProgressing',
  ReleaseAccepted: 'ClusterVersionReleaseAccepted',
  RetrievedUpdates: 'ClusterVersionRetrievedUpdates',
};
const INVERSE = { True: 'False', False: 'True', Unknown: 'Unknown' } as const;
const FROM_VERSION = 'FromClusterVersion';

/** The conditions that say how the version of the hosted cluster fares. */
export function versionConditions(version: ClusterVersion | undefined): readonly ConditionUpdate[] {
  const found = (type: string): Omit<ConditionUpdate, 'type'> => {
    const condition = version?.status?.conditions?.find((each) => each.type === type);
    if (condition === undefined)
      return { status: 'Unknown', reason: 'StatusUnknown', message: 'Condition not found in the CVO.' };
    const { message = '', reason = '', status } = condition;
    return { status: statusText(status), reason: reason === '' ? FROM_VERSION : reason, message };
  };
  const failing = found('Failing');
  const upgradeable = found('Upgradeable');
  return [
    ...Object.entries(CONDITIONS).map(([type, as]) => ({ type: as, ...found(type) })),
    { type: 'ClusterVersionSucceeding', ...failing, status: INVERSE[failing.status] },
    // Only an obstacle to an upgrade is reported.
    {
      type: 'ClusterVersionUpgradeable',
      ...(upgradeable.status === 'Unknown' ? { status: 'True', reason: FROM_VERSION, message: '' } : upgradeable),
    },
  ];
}

function statusText(status: string): 'False' | 'True' | 'Unknown' {
  return status === 'True' || status === 'False' ? status : 'Unknown';
}

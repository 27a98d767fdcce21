import type { ControlPlaneVersionStatus, HostedControlPlane, HostedControlPlaneStatus } from '@capstan/api/hypershift';
import { acknowledgedLock, acknowledgement, endpointText, LEGACY_VERSION_CONDITION } from '@capstan/hosting';
import type { Endpoint, PublishedServiceName } from '@capstan/hosting';
import { extended, isConditionTrue, setCondition } from '@capstan/meta';
import type { Condition } from '@capstan/meta';
import { unlistedVersion } from '../control-plane-version/compute.js';
import { within } from '../control-plane-version/plausible.js';
import { CUSTOM_KUBECONFIG } from '../pki/kubeconfigs.js';
import { active, conditionsOf } from './conditions.js';
import type { Findings } from './conditions.js';

/** What the status of a HostedControlPlane is made of. */
export interface StatusFindings extends Findings {
  readonly endpoints: Readonly<Partial<Record<PublishedServiceName, Endpoint>>>;
  /** The version of the release of the control plane; undefined when it is unknown. */
  readonly version: string | undefined;
  readonly releaseImage: string;
  readonly hasCustomKubeconfig: boolean;
  /** The versions of its components; undefined when they are unknown. */
  readonly controlPlaneVersion: ControlPlaneVersionStatus | undefined;
}

function withConditions(
  hcp: HostedControlPlane,
  updates: ReturnType<typeof conditionsOf>,
  now: string,
): readonly Condition[] {
  const { generation: observedGeneration = 0 } = hcp.metadata;
  return updates.reduce<readonly Condition[]>(
    (conditions, update) => setCondition(conditions, extended(update, { observedGeneration }), now),
    (hcp.status?.conditions ?? []).filter(({ type }) => type !== LEGACY_VERSION_CONDITION),
  );
}

/** The status of a control plane that is left alone: how far its components are, and all else as it was. */
export function pausedStatus(
  hcp: HostedControlPlane,
  findings: Pick<StatusFindings, 'controlPlaneVersion' | 'pause' | 'spec'>,
  now: string,
): HostedControlPlaneStatus {
  const conditions = [...withConditions(hcp, [active(findings)], now)];
  return { initialized: false, ready: false, ...hcp.status, ...versionOf(findings), conditions };
}

/** The status of a control plane that a migration has locked: the lock is acknowledged once, and all else is as it was. */
export function lockedStatus(hcp: HostedControlPlane, lock: string, now: string): HostedControlPlaneStatus | undefined {
  if (acknowledgedLock(hcp.status?.conditions) === lock) return undefined;
  const { generation: observedGeneration = 0 } = hcp.metadata;
  const update = extended(acknowledgement(lock), { observedGeneration });
  const conditions = [...setCondition(hcp.status?.conditions, update, now)];
  return { initialized: false, ready: false, ...hcp.status, conditions };
}

/** The status of a control plane whose parts could not be listed: which generation was looked at, and nothing new. */
export function unlistedStatus({ metadata, status }: HostedControlPlane): HostedControlPlaneStatus | undefined {
  if (status === undefined) return undefined;
  const controlPlaneVersion = unlistedVersion(status.controlPlaneVersion, metadata.generation ?? 1);
  return { ...status, ...versionOf({ controlPlaneVersion }) };
}

function versionOf({
  controlPlaneVersion,
}: Pick<StatusFindings, 'controlPlaneVersion'>): Partial<HostedControlPlaneStatus> {
  return controlPlaneVersion === undefined ? {} : { controlPlaneVersion };
}

/** The status of a control plane. What belongs to others, such as the version of its nodes, stays. */
export function statusOf(hcp: HostedControlPlane, findings: StatusFindings, now: string): HostedControlPlaneStatus {
  const { customKubeconfig: _, ...before } = hcp.status ?? { initialized: false, ready: false };
  const conditions = withConditions(hcp, conditionsOf(findings), now);
  const ready = isConditionTrue(conditions, 'Available');
  const { APIServer: endpoint, OAuthServer: oauth } = findings.endpoints;
  return {
    ...before,
    conditions: [...conditions],
    externalManagedControlPlane: true,
    ready,
    // Cluster API reads it once: a control plane that was there does not become one that was never there.
    initialized: ready || before.initialized === true,
    ...(endpoint === undefined ? {} : { controlPlaneEndpoint: { ...endpoint } }),
    ...(findings.hasKubeconfig
      ? {
          kubeConfig: { name: 'admin-kubeconfig', key: 'kubeconfig' },
          kubeadminPassword: { name: 'kubeadmin-password' },
        }
      : {}),
    ...(findings.hasCustomKubeconfig ? { customKubeconfig: { name: CUSTOM_KUBECONFIG, key: 'kubeconfig' } } : {}),
    ...(oauth === undefined
      ? {}
      : { oauthCallbackURLTemplate: `https://${endpointText(oauth)}/oauth2callback/[identity-provider-name]` }),
    ...releaseOf(hcp, findings, now),
    ...versionOf(findings),
  };
}

/** The fields of old, which say what is wanted rather than what is there. */
function releaseOf(
  { metadata, status: before }: HostedControlPlane,
  { releaseImage, version }: StatusFindings,
  now: string,
): Partial<HostedControlPlaneStatus> {
  if (version === undefined) return {};
  const isSame = before?.version === version && before.releaseImage === releaseImage;
  const since = isSame ? (before.lastReleaseImageTransitionTime ?? now) : now;
  return {
    version,
    releaseImage,
    lastReleaseImageTransitionTime: within(since, metadata.creationTimestamp ?? since, now),
  };
}

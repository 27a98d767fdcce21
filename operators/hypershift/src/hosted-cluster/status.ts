import type { HostedClusterStatus } from '@capstan/api/hypershift';
import { payloadArch, releaseImages } from '@capstan/hosting';
import { allFindings, conditionsWith } from './conditions.js';
import type { StatusInputs } from './status/availability.js';
import { combinedVersion } from './status/version.js';

type VersionStatus = NonNullable<HostedClusterStatus['version']>;

/** The version of the cluster: as hosted cluster and control plane report it, and before they do, the desired one. */
export function versionOf(view: StatusInputs): VersionStatus {
  const { controlPlane, guestRelease, hostedCluster, now } = view;
  const guest = controlPlane?.status?.versionStatus;
  if (guest !== undefined) return combinedVersion(guest, view);
  const before = hostedCluster.status?.version;
  const image = releaseImages(hostedCluster).cluster;
  const version = guestRelease?.version ?? '';
  if (before !== undefined && before.desired.image === image) return before;
  const entry = { state: 'Partial', image, version, startedTime: now, completionTime: null, verified: false };
  const status: unknown = {
    desired: { image, version },
    history: [entry, ...(before?.history ?? [])],
    observedGeneration: hostedCluster.metadata.generation ?? 0,
    availableUpdates: null,
  };
  return status as VersionStatus;
}

/** The version of the control plane as it reports it; when it is deleted, as it was reported last. */
function controlPlaneVersionOf({
  controlPlane,
  hostedCluster,
}: StatusInputs): HostedClusterStatus['controlPlaneVersion'] {
  return (controlPlane ?? hostedCluster).status?.controlPlaneVersion;
}

/** Fields that are copied from the status of the control plane; when it is deleted, they stay. */
const COPIED: ReadonlySet<string> = new Set([
  'autoNode',
  'configuration',
  'oauthCallbackURLTemplate',
  'platform',
  'secretEncryption',
]);

function copied({ status = {} }: { readonly status?: object | undefined }): object {
  return Object.fromEntries(Object.entries(status).filter(([key]) => COPIED.has(key)));
}

/** The status of a cluster. What is not known any more stays as it was. */
export function statusOf(view: StatusInputs): HostedClusterStatus {
  const { access, controlPlane, hostedCluster, ignitionEndpoint, now, release } = view;
  const endpoint = controlPlane?.status?.controlPlaneEndpoint;
  const {
    controlPlaneVersion: _copied,
    customKubeconfig,
    kubeadminPassword,
    kubeconfig,
    ...rest
  } = hostedCluster.status ?? {};
  const before = Object.fromEntries(Object.entries(rest).filter(([key]) => !COPIED.has(key)));
  const arch = release === undefined ? undefined : payloadArch(release);
  const status = {
    ...before,
    ...(access ?? defined({ customKubeconfig, kubeadminPassword, kubeconfig })),
    ...copied(controlPlane ?? hostedCluster),
    ...defined({ controlPlaneVersion: controlPlaneVersionOf(view) }),
    ...defined({ ignitionEndpoint, payloadArch: arch }),
    ...defined({ controlPlaneEndpoint: endpoint?.host === '' ? undefined : endpoint }),
    version: versionOf(view),
    conditions: conditionsWith(hostedCluster, allFindings(view), now),
  };
  return status as unknown as HostedClusterStatus;
}

function defined(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

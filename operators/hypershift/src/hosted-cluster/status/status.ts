import type { HostedCluster, HostedClusterStatus } from '@capstan/api/hypershift';
import { conditionsOf, LEGACY_VERSION_CONDITION, payloadArch, releaseImages } from '@capstan/hosting';
import { extended, setCondition } from '@capstan/meta';
import type { Condition } from '@capstan/meta';
import type { Access, Finding } from '../scope.js';
import { available, degraded, ignitionAvailable, progressing } from './availability.js';
import type { StatusView } from './availability.js';
import { combinedVersion } from './both-sides.js';
import { mirroredFindings } from './mirrored.js';

/** What the whole status is made from. */
export interface WholeView extends StatusView {
  readonly findings: ReadonlyMap<string, Finding>;
  /** Of the ignition server, without a scheme; undefined while nobody can tell. */
  readonly ignitionEndpoint: string | undefined;
  /** Undefined where nobody looked: then it stays. */
  readonly access: Access | undefined;
  readonly now: string;
}

/** All conditions: what the control plane says, then what was found here, which goes before it. */
export function allFindings(view: WholeView): readonly Finding[] {
  const progress = progressing(view);
  const byType = new Map(mirroredFindings(view.controlPlane).map((finding) => [finding.type, finding]));
  const own = [available(view), ...(progress === undefined ? [] : [progress]), ignitionAvailable(view)];
  const stuck = degraded(view);
  if (stuck !== undefined && byType.get(stuck.type)?.status !== 'True') byType.set(stuck.type, stuck);
  for (const finding of [...own, ...view.findings.values()]) {
    const said = byType.get(finding.type);
    // Two look at some things: whoever has something to complain about is heard.
    if (said?.status === 'False' && finding.status === 'True') continue;
    byType.set(finding.type, finding);
  }
  return [...byType.values()];
}

/** Conditions as they are written. */
export function conditionsWith(cluster: HostedCluster, findings: Iterable<Finding>, now: string): readonly Condition[] {
  const observedGeneration = cluster.metadata.generation ?? 0;
  let conditions: readonly Condition[] = (conditionsOf(cluster) ?? []).filter(
    ({ type }) => type !== LEGACY_VERSION_CONDITION,
  );
  for (const finding of findings) conditions = setCondition(conditions, extended(finding, { observedGeneration }), now);
  return conditions;
}

type VersionStatus = NonNullable<HostedClusterStatus['version']>;

/** The releases of the cluster: as guest and control plane report them, and before they do, what it is to become. */
export function versionOf(view: WholeView): VersionStatus {
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

/** The version of the control plane as that tells it, and as it told it last when it is gone. */
function controlPlaneVersionOf({ controlPlane, hostedCluster }: WholeView): HostedClusterStatus['controlPlaneVersion'] {
  return (controlPlane ?? hostedCluster).status?.controlPlaneVersion;
}

/** What a cluster says as its control plane does, and as that did last when it is gone. */
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
export function statusOf(view: WholeView): HostedClusterStatus {
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

import type { HostedCluster, HostedControlPlane } from '@capstan/api/hypershift';
import {
  DISABLE_AUTOSCALER_ANNOTATION,
  MIRRORED_ANNOTATIONS,
  MIRRORED_PREFIXES,
  PASSED_RESTART_ANNOTATION,
  RESTART_ANNOTATION,
} from '@capstan/hosting';
import { exactly } from '@capstan/kube';
import type { Desired } from '@capstan/kube';

/** Fields of the spec that are copied to the HostedControlPlane unchanged. */
const MIRRORED_FIELDS = [
  'auditWebhook',
  'autoNode',
  'autoscaling',
  'capabilities',
  'channel',
  'clusterID',
  'configuration',
  'controllerAvailabilityPolicy',
  'etcd',
  'fips',
  'imageContentSources',
  'infraID',
  'infrastructureAvailabilityPolicy',
  'issuerURL',
  'kubeAPIServerDNSName',
  'labels',
  'monitoring',
  'networking',
  'nodeSelector',
  'olmCatalogPlacement',
  'operatorConfiguration',
  'pausedUntil',
  'secretEncryption',
  'serviceAccountSigningKey',
  'services',
  'tolerations',
  'updateService',
] as const;
/** Labels of a HostedCluster that its control plane has too. */
const MIRRORED_LABELS = 'api.openshift.com/';

/** What a control plane is made from. */
export interface ControlPlaneView {
  readonly hostedCluster: HostedCluster;
  readonly namespace: string;
  /** What there is of it. */
  readonly existing: HostedControlPlane | undefined;
  /** `spec.platform.type` of the HostedControlPlane. */
  readonly platformType: string;
  /** Annotations that its platform alone passes on. */
  readonly platformAnnotations: readonly string[];
  readonly isAutoscaled: boolean;
}

/**
 * The HostedControlPlane of a cluster. Of `spec.platform` only the type: the settings below belong to the platform, which
 * owns them as a field manager of its own.
 */
export function hostedControlPlane(view: ControlPlaneView): Desired {
  const { existing, hostedCluster, namespace, platformType } = view;
  const spec = (hostedCluster.spec ?? {}) as Readonly<Record<string, unknown>> & HostedCluster['spec'];
  const mirrored = Object.fromEntries(MIRRORED_FIELDS.map((field) => [field, exactly(spec?.[field])]));
  return {
    metadata: {
      name: hostedCluster.metadata.name ?? '',
      namespace,
      annotations: mirroredAnnotations(view),
      labels: mirroredLabels(hostedCluster, existing),
    },
    spec: {
      ...mirrored,
      dns: exactly(spec?.dns ?? { baseDomain: '' }),
      releaseImage: spec?.release.image,
      controlPlaneReleaseImage: spec?.controlPlaneRelease?.image,
      pullSecret: { name: 'pull-secret' },
      sshKey: { name: isNamed(spec?.sshKey) ? 'ssh-key' : '' },
      additionalTrustBundle: isNamed(spec?.additionalTrustBundle) ? { name: 'user-ca-bundle' } : undefined,
      platform: { type: platformType },
    },
  };
}

function isNamed(reference: { readonly name?: string | undefined } | undefined): boolean {
  return (reference?.name ?? '') !== '';
}

type Texts = Record<string, string | undefined>;

/** What of the annotations is passed on; what is listed and no longer set is removed again. */
function mirroredAnnotations({ existing, hostedCluster, isAutoscaled, platformAnnotations }: ControlPlaneView): Texts {
  const own = hostedCluster.metadata.annotations ?? {};
  const there = existing?.metadata.annotations ?? {};
  const passed: Texts = {};
  for (const key of [...MIRRORED_ANNOTATIONS, ...platformAnnotations]) passed[key] = own[key];
  for (const key of Object.keys({ ...there, ...own }))
    if (MIRRORED_PREFIXES.some((prefix) => key.startsWith(prefix))) passed[key] = own[key];
  passed[DISABLE_AUTOSCALER_ANNOTATION] = isAutoscaled ? undefined : 'true';
  const restart = own[RESTART_ANNOTATION];
  if (restart !== undefined && there[PASSED_RESTART_ANNOTATION] !== restart) {
    passed[RESTART_ANNOTATION] = restart;
    passed[PASSED_RESTART_ANNOTATION] = restart;
  }
  return passed;
}

function mirroredLabels({ metadata }: HostedCluster, existing: HostedControlPlane | undefined): Texts {
  const labels: Texts = {};
  for (const key of Object.keys({ ...existing?.metadata.labels, ...metadata.labels }))
    if (key.startsWith(MIRRORED_LABELS)) labels[key] = metadata.labels?.[key];
  return labels;
}

import {
  API_PRIORITY_CLASS_ANNOTATION,
  CLEANUP_ANNOTATION,
  CLUSTER_AUTOSCALER_IMAGE_ANNOTATION,
  DEBUG_DEPLOYMENTS_ANNOTATION,
  DISABLE_MACHINES_ANNOTATION,
  ETCD_PRIORITY_CLASS_ANNOTATION,
  MACHINE_APPROVER_IMAGE_ANNOTATION,
  PRIORITY_CLASS_ANNOTATION,
} from './shared.js';

/** Which of several operators reconciles a HostedCluster. */
export const SCOPE_ANNOTATION: string = 'hypershift.openshift.io/scope';
/** How long a HostedCluster is kept after everything created for it is deleted: `10m`. */
export const DESTROY_GRACE_ANNOTATION: string = 'hypershift.openshift.io/destroy-grace-period';
export const KEEP_NAMESPACE_ANNOTATION: string = 'hypershift.openshift.io/skip-delete-hosted-controlplane-namespace';
/** Releases are not compared with the versions that are supported. */
export const SKIP_RELEASE_VALIDATION_ANNOTATION: string = 'hypershift.openshift.io/skip-release-image-validation';
/** The release image that an upgrade may go to although the cluster reports that it cannot be upgraded. */
export const FORCE_UPGRADE_ANNOTATION: string = 'hypershift.openshift.io/force-upgrade-to';
export const POD_SECURITY_ANNOTATION: string = 'hypershift.openshift.io/pod-security-admission-label-override';
/** All components have been available once; from then on the HostedControlPlane alone decides whether the cluster is. */
export const HAS_BEEN_AVAILABLE_ANNOTATION: string = 'hypershift.openshift.io/HasBeenAvailable';
/** The restart date that was copied last: what other clients set on the HostedControlPlane since then is kept. */
export const PASSED_RESTART_ANNOTATION: string = 'hypershift.openshift.io/previous-restart-date';

/** Annotations of a HostedCluster that are copied to its HostedControlPlane on every platform. */
export const MIRRORED_ANNOTATIONS: readonly string[] = [
  'hypershift.openshift.io/disable-pki-reconciliation',
  'oauth.hypershift.openshift.io/login-url-override',
  'hypershift.openshift.io/konnectivity-agent-image',
  'hypershift.openshift.io/konnectivity-server-image',
  CLUSTER_AUTOSCALER_IMAGE_ANNOTATION,
  MACHINE_APPROVER_IMAGE_ANNOTATION,
  'hypershift.openshift.io/portieris-image',
  DEBUG_DEPLOYMENTS_ANNOTATION,
  'hypershift.openshift.io/disable-profiling',
  'hypershift.openshift.io/private-ingress-controller',
  'hypershift.openshift.io/ingress-controller-load-balancer-scope',
  CLEANUP_ANNOTATION,
  PRIORITY_CLASS_ANNOTATION,
  API_PRIORITY_CLASS_ANNOTATION,
  ETCD_PRIORITY_CLASS_ANNOTATION,
  'hypershift.openshift.io/ensureexists-pullsecret-reconcile',
  'hypershift.openshift.io/topology',
  DISABLE_MACHINES_ANNOTATION,
  'hypershift.openshift.io/certified-operators-catalog-image',
  'hypershift.openshift.io/community-operators-catalog-image',
  'hypershift.openshift.io/redhat-marketplace-catalog-image',
  'hypershift.openshift.io/redhat-operators-catalog-image',
  'hypershift.openshift.io/olm-catalogs-is-registry-overrides',
  'hypershift.openshift.io/kube-apiserver-gogc',
  'hypershift.openshift.io/kube-apiserver-gomemlimit',
  'hypershift.openshift.io/kube-apiserver-verbosity-level',
  'hypershift.openshift.io/kube-apiserver-max-requests-inflight',
  'hypershift.openshift.io/kube-apiserver-max-mutating-requests-inflight',
  'hypershift.openshift.io/kube-apiserver-goaway-chance',
  'hypershift.openshift.io/kube-apiserver-service-account-token-max-expiration',
  'hypershift.openshift.io/request-serving-node-additional-selector',
  'hypershift.openshift.io/shared-load-balancer-health-probe-path',
  'hypershift.openshift.io/shared-load-balancer-health-probe-port',
  'hypershift.openshift.io/management-platform',
  'hypershift.openshift.io/disable-ignition-server',
  'hypershift.openshift.io/restored-from-backup',
  'hypershift.openshift.io/swift-pod-network-instance',
  'hypershift.openshift.io/enable-metrics-forwarding',
];

/** Prefixes of annotations that are copied as well. */
export const MIRRORED_PREFIXES: readonly string[] = [
  'idpoverrides.hypershift.openshift.io/',
  'resource-request-override.hypershift.openshift.io',
];

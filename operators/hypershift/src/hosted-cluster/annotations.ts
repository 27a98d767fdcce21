import { DISABLE_MACHINES_ANNOTATION } from '@capstan/provider';

const PREFIX = 'hypershift.openshift.io';

/** Which of several operators looks after a HostedCluster. */
export const SCOPE_ANNOTATION: string = `${PREFIX}/scope`;
/** `true`: the cluster is to delete what it made in the cloud before it goes. */
export const CLEANUP_ANNOTATION: string = `${PREFIX}/cleanup-cloud-resources`;
/** How long a HostedCluster stays after everything of it is gone: `10m`. */
export const DESTROY_GRACE_ANNOTATION: string = `${PREFIX}/destroy-grace-period`;
export const KEEP_NAMESPACE_ANNOTATION: string = `${PREFIX}/skip-delete-hosted-controlplane-namespace`;
export const SKIP_RELEASE_VALIDATION_ANNOTATION: string = `${PREFIX}/skip-release-image-validation`;
/** The release image that may be gone to although the cluster says it cannot be upgraded. */
export const FORCE_UPGRADE_ANNOTATION: string = `${PREFIX}/force-upgrade-to`;
export const POD_SECURITY_ANNOTATION: string = `${PREFIX}/pod-security-admission-label-override`;
export const CONTROL_PLANE_OPERATOR_IMAGE_ANNOTATION: string = `${PREFIX}/control-plane-operator-image`;
export const CLUSTER_API_IMAGE_ANNOTATION: string = `${PREFIX}/capi-manager-image`;
/** Deployments that are to have no pods, separated by commas. */
export const DEBUG_DEPLOYMENTS_ANNOTATION: string = `${PREFIX}/debug-deployments`;
export const PRIORITY_CLASS_ANNOTATION: string = `${PREFIX}/control-plane-priority-class`;
/** The first time all components were available is over; from then on the control plane alone decides. */
export const HAS_BEEN_AVAILABLE_ANNOTATION: string = `${PREFIX}/HasBeenAvailable`;
/** The restart date that was passed on last: what others set on the HostedControlPlane since stays. */
export const PASSED_RESTART_ANNOTATION: string = `${PREFIX}/previous-restart-date`;

/** Annotations of a HostedCluster that reach its control plane on every platform; all others stay where they are. */
export const MIRRORED_ANNOTATIONS: readonly string[] = [
  `${PREFIX}/disable-pki-reconciliation`,
  'oauth.hypershift.openshift.io/login-url-override',
  `${PREFIX}/konnectivity-agent-image`,
  `${PREFIX}/konnectivity-server-image`,
  `${PREFIX}/cluster-autoscaler-image`,
  `${PREFIX}/machine-approver-image`,
  `${PREFIX}/portieris-image`,
  DEBUG_DEPLOYMENTS_ANNOTATION,
  `${PREFIX}/disable-profiling`,
  `${PREFIX}/private-ingress-controller`,
  `${PREFIX}/ingress-controller-load-balancer-scope`,
  CLEANUP_ANNOTATION,
  PRIORITY_CLASS_ANNOTATION,
  `${PREFIX}/api-critical-priority-class`,
  `${PREFIX}/etcd-priority-class`,
  `${PREFIX}/ensureexists-pullsecret-reconcile`,
  `${PREFIX}/topology`,
  DISABLE_MACHINES_ANNOTATION,
  `${PREFIX}/certified-operators-catalog-image`,
  `${PREFIX}/community-operators-catalog-image`,
  `${PREFIX}/redhat-marketplace-catalog-image`,
  `${PREFIX}/redhat-operators-catalog-image`,
  `${PREFIX}/olm-catalogs-is-registry-overrides`,
  `${PREFIX}/kube-apiserver-gogc`,
  `${PREFIX}/kube-apiserver-gomemlimit`,
  `${PREFIX}/kube-apiserver-verbosity-level`,
  `${PREFIX}/kube-apiserver-max-requests-inflight`,
  `${PREFIX}/kube-apiserver-max-mutating-requests-inflight`,
  `${PREFIX}/kube-apiserver-goaway-chance`,
  `${PREFIX}/kube-apiserver-service-account-token-max-expiration`,
  `${PREFIX}/request-serving-node-additional-selector`,
  `${PREFIX}/shared-load-balancer-health-probe-path`,
  `${PREFIX}/shared-load-balancer-health-probe-port`,
  `${PREFIX}/management-platform`,
  `${PREFIX}/disable-ignition-server`,
  `${PREFIX}/restored-from-backup`,
  `${PREFIX}/swift-pod-network-instance`,
  `${PREFIX}/enable-metrics-forwarding`,
];

/** Whole families of annotations that do. */
export const MIRRORED_PREFIXES: readonly string[] = [
  'idpoverrides.hypershift.openshift.io/',
  'resource-request-override.hypershift.openshift.io',
];

import { structOf } from '@capstan/api/kubernetes';

/** Kinds in versions nobody serves any more, or not yet: the real server still reads them before it refuses them. */
const UNSERVED: Readonly<Record<string, string>> = {
  'admissionregistration.k8s.io/v1alpha1':
    'ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding MutatingAdmissionPolicy MutatingAdmissionPolicyBinding',
  'admissionregistration.k8s.io/v1beta1':
    'ValidatingWebhookConfiguration MutatingWebhookConfiguration ValidatingAdmissionPolicy ' +
    'ValidatingAdmissionPolicyBinding MutatingAdmissionPolicy MutatingAdmissionPolicyBinding',
  'apps/v1beta1': 'Deployment DeploymentRollback Scale StatefulSet ControllerRevision',
  'apps/v1beta2': 'Deployment Scale StatefulSet DaemonSet ReplicaSet ControllerRevision',
  'authentication.k8s.io/v1alpha1': 'SelfSubjectReview',
  'authentication.k8s.io/v1beta1': 'SelfSubjectReview TokenReview',
  'authorization.k8s.io/v1beta1':
    'SelfSubjectRulesReview SelfSubjectAccessReview SubjectAccessReview LocalSubjectAccessReview',
  'batch/v1beta1': 'CronJob',
  'certificates.k8s.io/v1beta1': 'CertificateSigningRequest ClusterTrustBundle PodCertificateRequest',
  'coordination.k8s.io/v1beta1': 'Lease LeaseCandidate',
  'discovery.k8s.io/v1beta1': 'EndpointSlice',
  'events.k8s.io/v1beta1': 'Event',
  'extensions/v1beta1': 'Deployment DeploymentRollback Scale DaemonSet Ingress ReplicaSet NetworkPolicy',
  'networking.k8s.io/v1beta1': 'Ingress IngressClass IPAddress ServiceCIDR',
  'node.k8s.io/v1alpha1': 'RuntimeClass',
  'node.k8s.io/v1beta1': 'RuntimeClass',
  'policy/v1beta1': 'PodDisruptionBudget Eviction',
  'rbac.authorization.k8s.io/v1alpha1': 'Role RoleBinding ClusterRole ClusterRoleBinding',
  'rbac.authorization.k8s.io/v1beta1': 'Role RoleBinding ClusterRole ClusterRoleBinding',
  'scheduling.k8s.io/v1beta1': 'PriorityClass',
  'storage.k8s.io/v1alpha1': 'VolumeAttachment CSIStorageCapacity VolumeAttributesClass',
  'storage.k8s.io/v1beta1': 'StorageClass VolumeAttachment CSIDriver CSINode CSIStorageCapacity VolumeAttributesClass',
};

/** Groups that kinds moved out of: they are the same kinds under another name. */
const MOVED: Readonly<Record<string, readonly string[]>> = {
  extensions: ['apps', 'networking.k8s.io'],
  'events.k8s.io': [''],
  '': ['events.k8s.io'],
};

/** How a body that names another version of a kind, or another kind, stands to the one that was expected. */
export type Relation = 'other version' | 'other kind' | 'unknown';

/** Compares the kind that a body names with the kind of the collection it was sent to. */
export function relationOf(
  body: { readonly group: string; readonly version: string; readonly kind: string },
  expected: { readonly group: string; readonly kind: string },
): Relation {
  const { group, version, kind } = body;
  const unserved = UNSERVED[`${group}/${version}`]?.split(' ') ?? [];
  if (!unserved.includes(kind) && structOf(group, version, kind) === undefined) return 'unknown';
  const sameGroup = group === expected.group || MOVED[group]?.includes(expected.group) === true;
  return kind === expected.kind && sameGroup ? 'other version' : 'other kind';
}

/** Which labels, annotations and finalizers belong to Kubernetes, OpenShift and the controllers of machines. */

/** Prefixes of Kubernetes, its special interest groups and OpenShift; finalizers may have no slash. */
export const RESERVED_KEY = String.raw`(^|\.)(kubernetes\.io|k8s\.io|x-k8s\.io|openshift\.io)(/|$)`;
/** Written by kubectl for its own use, on any object. */
export const KUBECTL_PREFIX = 'kubectl.kubernetes.io/';
/** The label of Cluster API's MachineDeployments, which has no prefix. */
export const TEMPLATE_HASH = 'machine-template-hash';

/** Annotations that mark a machine as the first to be deleted when its set is scaled down. */
export const DELETION_MARKS: readonly string[] = [
  'machine.openshift.io/delete-machine',
  'machine.openshift.io/cluster-api-delete-machine',
  'cluster.x-k8s.io/delete-machine',
  'cluster.k8s.io/delete-machine',
];

const RESERVED = new RegExp(RESERVED_KEY, 'u');

/** Whether users may set the key on a copy; the policies decide the same in CEL. */
export function isReserved(key: string): boolean {
  return key === TEMPLATE_HASH || (RESERVED.test(key) && !key.startsWith(KUBECTL_PREFIX));
}

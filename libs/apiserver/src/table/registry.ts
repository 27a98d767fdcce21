import type { ResourceDefinition } from '@capstan/api/kubernetes';
import { horizontalPodAutoscalers } from './autoscalers.js';
import type { ColumnDefinition } from './columns.js';
import { cronJobs, jobs } from './jobs.js';
import * as core from './core.js';
import * as networking from './networking.js';
import { pods, podTemplates } from './pods.js';
import * as policy from './policy.js';
import { printer, type TablePrinter, type View } from './printer.js';
import * as storage from './storage.js';
import * as workloads from './workloads.js';

/** The two columns of everything that has no printer of its own. */
export const defaultPrinter: TablePrinter = {
  ...printer<View>(
    `Name
     Created At | date | When the object was created.`,
    ({ metadata }) => [metadata.name ?? '', metadata.creationTimestamp ?? '0001-01-01T00:00:00Z'],
  ),
  emptyRows: null,
};

/** By group and kind: the tables do not change with the version. */
const printers: ReadonlyMap<string, TablePrinter> = new Map([
  ['/ComponentStatus', core.componentStatuses],
  ['/ConfigMap', core.configMaps],
  ['/Endpoints', networking.endpoints],
  ['/Event', core.events],
  ['/Namespace', core.namespaces],
  ['/Node', core.nodes],
  ['/PersistentVolume', storage.persistentVolumes],
  ['/PersistentVolumeClaim', storage.persistentVolumeClaims],
  ['/Pod', pods],
  ['/PodTemplate', podTemplates],
  ['/ReplicationController', workloads.replicationControllers],
  ['/ResourceQuota', core.resourceQuotas],
  ['/Secret', core.secrets],
  ['/Service', networking.services],
  ['/ServiceAccount', core.serviceAccounts],
  ['admissionregistration.k8s.io/MutatingWebhookConfiguration', policy.webhookConfigurations],
  ['admissionregistration.k8s.io/ValidatingAdmissionPolicy', policy.validatingAdmissionPolicies],
  ['admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding', policy.validatingAdmissionPolicyBindings],
  ['admissionregistration.k8s.io/ValidatingWebhookConfiguration', policy.webhookConfigurations],
  ['apiregistration.k8s.io/APIService', policy.apiServices],
  ['apps/ControllerRevision', workloads.controllerRevisions],
  ['apps/DaemonSet', workloads.daemonSets],
  ['apps/Deployment', workloads.deployments],
  ['apps/ReplicaSet', workloads.replicaSets],
  ['apps/StatefulSet', workloads.statefulSets],
  ['autoscaling/HorizontalPodAutoscaler', horizontalPodAutoscalers],
  ['autoscaling/Scale', workloads.scales],
  ['batch/CronJob', cronJobs],
  ['batch/Job', jobs],
  ['certificates.k8s.io/CertificateSigningRequest', policy.certificateSigningRequests],
  ['coordination.k8s.io/Lease', core.leases],
  ['discovery.k8s.io/EndpointSlice', networking.endpointSlices],
  ['events.k8s.io/Event', core.events],
  ['networking.k8s.io/IPAddress', networking.ipAddresses],
  ['networking.k8s.io/Ingress', networking.ingresses],
  ['networking.k8s.io/IngressClass', networking.ingressClasses],
  ['networking.k8s.io/NetworkPolicy', networking.networkPolicies],
  ['networking.k8s.io/ServiceCIDR', networking.serviceCidrs],
  ['node.k8s.io/RuntimeClass', policy.runtimeClasses],
  ['policy/PodDisruptionBudget', workloads.podDisruptionBudgets],
  ['rbac.authorization.k8s.io/ClusterRoleBinding', policy.roleBindings],
  ['rbac.authorization.k8s.io/RoleBinding', policy.roleBindings],
  ['scheduling.k8s.io/PriorityClass', policy.priorityClasses],
  ['storage.k8s.io/CSIDriver', storage.csiDrivers],
  ['storage.k8s.io/CSINode', storage.csiNodes],
  ['storage.k8s.io/StorageClass', storage.storageClasses],
  ['storage.k8s.io/VolumeAttachment', storage.volumeAttachments],
]);

/** The printer of a built-in kind, or the default one. Custom resources bring their own: `customPrinter`. */
export function printerFor(group: string, kind: string): TablePrinter {
  return printers.get(`${group}/${kind}`) ?? defaultPrinter;
}

/** The columns of a built-in resource. */
export function tableColumns(resource: Pick<ResourceDefinition, 'group' | 'kind'>): readonly ColumnDefinition[] {
  return printerFor(resource.group, resource.kind).columns;
}

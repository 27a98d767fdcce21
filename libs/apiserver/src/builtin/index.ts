/** Strategies of the built-in resources, by group and plural name. */
import {
  mutatingBindingStrategy,
  mutatingPolicyStrategy,
  validatingBindingStrategy,
  validatingPolicyStrategy,
} from './admissionregistration/policies.js';
import { mutatingWebhookStrategy, validatingWebhookStrategy } from './admissionregistration/webhooks.js';
import { customResourceDefinitionStrategy } from './apiextensions/custom-resource-definition.js';
import { apiServiceStrategy } from './api-service.js';
import { controllerRevisionStrategy, daemonSetStrategy } from './apps/daemon-set.js';
import { deploymentStrategy, replicaSetStrategy } from './apps/deployment.js';
import { statefulSetStrategy } from './apps/stateful-set.js';
import { horizontalPodAutoscalerStrategy } from './autoscaling/horizontal-pod-autoscaler.js';
import { specAndStatus } from './base.js';
import { cronJobStrategy } from './batch/cron-job.js';
import { jobStrategy } from './batch/job.js';
import { certificateSigningRequestStrategy } from './certificates/certificate-signing-request.js';
import { leaseStrategy } from './lease.js';
import { configMapStrategy, secretStrategy, serviceAccountStrategy } from './core/config.js';
import { endpointsStrategy } from './core/endpoints.js';
import { eventStrategy, eventsGroupStrategy } from './core/event.js';
import { namespaceStrategy } from './core/namespace.js';
import { nodeStrategy } from './core/node.js';
import { podStrategy } from './core/pod.js';
import { limitRangeStrategy, resourceQuotaStrategy } from './core/quota.js';
import { serviceStrategy } from './core/service.js';
import { podTemplateStrategy, replicationControllerStrategy } from './core/templates.js';
import { persistentVolumeClaimStrategy } from './core/volume-claim.js';
import { persistentVolumeStrategy } from './core/volumes-persistent.js';
import { endpointSliceStrategy } from './endpoint-slice.js';
import { ingressClassStrategy, ingressStrategy } from './networking/ingress.js';
import { networkPolicyStrategy } from './networking/network-policy.js';
import { ipAddressStrategy, serviceCidrStrategy } from './networking/service-addresses.js';
import { runtimeClassStrategy } from './runtime-class.js';
import { podDisruptionBudgetStrategy } from './pod-disruption-budget.js';
import { clusterRoleBindingStrategy, clusterRoleStrategy, roleBindingStrategy, roleStrategy } from './rbac.js';
import { priorityClassStrategy } from './priority-class.js';
import {
  csiDriverStrategy,
  csiNodeStrategy,
  csiStorageCapacityStrategy,
  storageClassStrategy,
  volumeAttributesClassStrategy,
} from './storage/storage.js';
import { volumeAttachmentStrategy } from './storage/volume-attachment.js';
import type { ResourceStrategy } from './strategy.js';

export { definitionStrategyOf } from './apiextensions/custom-resource-definition.js';
export { convertAutoscaler } from './autoscaling/conversion.js';
export { convertEvent } from './core/event.js';
export { addDefaultTolerations, addNotReadyTaint, addProtectionFinalizer, keepPriority } from './core/admission.js';
export { validateBinding } from './core/pod.js';
export type {
  NameValidator,
  ResourceStrategy,
  ScaleMapping,
  ServiceAllocator,
  StrategyContext,
  UpdateStrategy,
} from './strategy.js';

const STRATEGIES: ReadonlyMap<string, ResourceStrategy> = new Map([
  ['/namespaces', namespaceStrategy],
  ['/configmaps', configMapStrategy],
  ['/secrets', secretStrategy],
  ['/serviceaccounts', serviceAccountStrategy],
  ['/services', serviceStrategy],
  ['/endpoints', endpointsStrategy],
  ['/events', eventStrategy],
  ['/pods', podStrategy],
  ['/podtemplates', podTemplateStrategy],
  ['/replicationcontrollers', replicationControllerStrategy],
  ['/nodes', nodeStrategy],
  ['/persistentvolumes', persistentVolumeStrategy],
  ['/persistentvolumeclaims', persistentVolumeClaimStrategy],
  ['/limitranges', limitRangeStrategy],
  ['/resourcequotas', resourceQuotaStrategy],
  ['apps/deployments', deploymentStrategy],
  ['apps/replicasets', replicaSetStrategy],
  ['apps/statefulsets', statefulSetStrategy],
  ['apps/daemonsets', daemonSetStrategy],
  ['apps/controllerrevisions', controllerRevisionStrategy],
  ['batch/jobs', jobStrategy],
  ['batch/cronjobs', cronJobStrategy],
  ['policy/poddisruptionbudgets', podDisruptionBudgetStrategy],
  ['autoscaling/horizontalpodautoscalers', horizontalPodAutoscalerStrategy],
  ['rbac.authorization.k8s.io/roles', roleStrategy],
  ['rbac.authorization.k8s.io/clusterroles', clusterRoleStrategy],
  ['rbac.authorization.k8s.io/rolebindings', roleBindingStrategy],
  ['rbac.authorization.k8s.io/clusterrolebindings', clusterRoleBindingStrategy],
  ['coordination.k8s.io/leases', leaseStrategy],
  ['discovery.k8s.io/endpointslices', endpointSliceStrategy],
  ['events.k8s.io/events', eventsGroupStrategy],
  ['networking.k8s.io/networkpolicies', networkPolicyStrategy],
  ['networking.k8s.io/ingresses', ingressStrategy],
  ['networking.k8s.io/ingressclasses', ingressClassStrategy],
  ['networking.k8s.io/ipaddresses', ipAddressStrategy],
  ['networking.k8s.io/servicecidrs', serviceCidrStrategy],
  ['storage.k8s.io/storageclasses', storageClassStrategy],
  ['storage.k8s.io/volumeattachments', volumeAttachmentStrategy],
  ['storage.k8s.io/volumeattributesclasses', volumeAttributesClassStrategy],
  ['storage.k8s.io/csidrivers', csiDriverStrategy],
  ['storage.k8s.io/csinodes', csiNodeStrategy],
  ['storage.k8s.io/csistoragecapacities', csiStorageCapacityStrategy],
  ['scheduling.k8s.io/priorityclasses', priorityClassStrategy],
  ['node.k8s.io/runtimeclasses', runtimeClassStrategy],
  ['admissionregistration.k8s.io/validatingwebhookconfigurations', validatingWebhookStrategy],
  ['admissionregistration.k8s.io/mutatingwebhookconfigurations', mutatingWebhookStrategy],
  ['admissionregistration.k8s.io/validatingadmissionpolicies', validatingPolicyStrategy],
  ['admissionregistration.k8s.io/validatingadmissionpolicybindings', validatingBindingStrategy],
  ['admissionregistration.k8s.io/mutatingadmissionpolicies', mutatingPolicyStrategy],
  ['admissionregistration.k8s.io/mutatingadmissionpolicybindings', mutatingBindingStrategy],
  ['apiextensions.k8s.io/customresourcedefinitions', customResourceDefinitionStrategy],
  ['apiregistration.k8s.io/apiservices', apiServiceStrategy],
  ['certificates.k8s.io/certificatesigningrequests', certificateSigningRequestStrategy],
]);

const UNLISTED = specAndStatus({}, {});

/** The strategy of a built-in resource (`group` is empty for core); plain spec-and-status for resources not listed. */
export function strategyOf(group: string, resource: string): ResourceStrategy {
  return STRATEGIES.get(`${group}/${resource}`) ?? UNLISTED;
}

import type { ResourceDefinition } from '../resource.js';
import { resourceTable } from './table.js';

/** Every generally available resource a server of the 1.33 line serves by default, in the order discovery lists them. */
export const builtinResources: readonly ResourceDefinition[] = resourceTable(`
  /v1:
    bindings               Binding               ns      create
    componentstatuses      ComponentStatus       cluster get,list cs
    configmaps             ConfigMap             ns      * cm
    endpoints              Endpoints             ns      * ep
    events                 Event                 ns      * ev
    limitranges            LimitRange            ns      * limits
    namespaces             Namespace             cluster create,delete,get,list,patch,update,watch ns - finalize:update status:rw
    nodes                  Node                  cluster * no - proxy:proxy:NodeProxyOptions status:rw
    persistentvolumeclaims PersistentVolumeClaim ns      * pvc - status:rw
    persistentvolumes      PersistentVolume      cluster * pv - status:rw
    pods                   Pod                   ns      * po all attach:stream:PodAttachOptions binding:create:Binding ephemeralcontainers:rw eviction:create:Eviction.v1.policy exec:stream:PodExecOptions log:get portforward:stream:PodPortForwardOptions proxy:proxy:PodProxyOptions resize:rw status:rw
    podtemplates           PodTemplate           ns      *
    replicationcontrollers ReplicationController ns      * rc all scale:rw:Scale.v1.autoscaling status:rw
    resourcequotas         ResourceQuota         ns      * quota - status:rw
    secrets                Secret                ns      *
    serviceaccounts        ServiceAccount        ns      * sa - token:create:TokenRequest.v1.authentication.k8s.io
    services               Service               ns      * svc all proxy:proxy:ServiceProxyOptions status:rw
  apiregistration.k8s.io/v1:
    apiservices APIService cluster * - api-extensions status:rw
  apps/v1:
    controllerrevisions ControllerRevision ns *
    daemonsets          DaemonSet          ns * ds     all status:rw
    deployments         Deployment         ns * deploy all scale:rw:Scale.v1.autoscaling status:rw
    replicasets         ReplicaSet         ns * rs     all scale:rw:Scale.v1.autoscaling status:rw
    statefulsets        StatefulSet        ns * sts    all scale:rw:Scale.v1.autoscaling status:rw
  events.k8s.io/v1:
    events Event ns * ev
  authentication.k8s.io/v1:
    selfsubjectreviews SelfSubjectReview cluster create
    tokenreviews       TokenReview       cluster create
  authorization.k8s.io/v1:
    localsubjectaccessreviews LocalSubjectAccessReview ns      create
    selfsubjectaccessreviews  SelfSubjectAccessReview  cluster create
    selfsubjectrulesreviews   SelfSubjectRulesReview   cluster create
    subjectaccessreviews      SubjectAccessReview      cluster create
  autoscaling/v2:
    horizontalpodautoscalers HorizontalPodAutoscaler ns * hpa all status:rw
  autoscaling/v1:
    horizontalpodautoscalers HorizontalPodAutoscaler ns * hpa all status:rw
  batch/v1:
    cronjobs CronJob ns * cj all status:rw
    jobs     Job     ns * -  all status:rw
  certificates.k8s.io/v1:
    certificatesigningrequests CertificateSigningRequest cluster * csr - approval:rw status:rw
  networking.k8s.io/v1:
    ingressclasses  IngressClass  cluster *
    ingresses       Ingress       ns      * ing    - status:rw
    ipaddresses     IPAddress     cluster * ip
    networkpolicies NetworkPolicy ns      * netpol
    servicecidrs    ServiceCIDR   cluster * -      - status:rw
  policy/v1:
    poddisruptionbudgets PodDisruptionBudget ns * pdb - status:rw
  rbac.authorization.k8s.io/v1:
    clusterrolebindings ClusterRoleBinding cluster *
    clusterroles        ClusterRole        cluster *
    rolebindings        RoleBinding        ns      *
    roles               Role               ns      *
  storage.k8s.io/v1:
    csidrivers           CSIDriver          cluster *
    csinodes             CSINode            cluster *
    csistoragecapacities CSIStorageCapacity ns      *
    storageclasses       StorageClass       cluster * sc
    volumeattachments    VolumeAttachment   cluster * - - status:rw
  admissionregistration.k8s.io/v1:
    mutatingwebhookconfigurations     MutatingWebhookConfiguration     cluster * - api-extensions
    validatingadmissionpolicies       ValidatingAdmissionPolicy        cluster * - api-extensions status:rw
    validatingadmissionpolicybindings ValidatingAdmissionPolicyBinding cluster * - api-extensions
    validatingwebhookconfigurations   ValidatingWebhookConfiguration   cluster * - api-extensions
  apiextensions.k8s.io/v1:
    customresourcedefinitions CustomResourceDefinition cluster * crd,crds api-extensions status:rw
  scheduling.k8s.io/v1:
    priorityclasses PriorityClass cluster * pc
  coordination.k8s.io/v1:
    leases Lease ns *
  node.k8s.io/v1:
    runtimeclasses RuntimeClass cluster *
  discovery.k8s.io/v1:
    endpointslices EndpointSlice ns *
`);

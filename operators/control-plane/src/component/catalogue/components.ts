import type { ComponentDefinition } from '../definition.js';
import { catalogOperator } from './catalog-operator.js';
import { clusterAutoscaler } from './cluster-autoscaler.js';
import { clusterImageRegistryOperator } from './cluster-image-registry-operator.js';
import { clusterNetworkOperator } from './cluster-network-operator.js';
import { clusterNodeTuningOperator } from './cluster-node-tuning-operator.js';
import { clusterPolicyController } from './cluster-policy-controller.js';
import { clusterStorageOperator } from './cluster-storage-operator.js';
import { clusterVersionOperator } from './cluster-version-operator.js';
import { controlPlanePkiOperator } from './control-plane-pki-operator.js';
import { csiSnapshotControllerOperator } from './csi-snapshot-controller-operator.js';
import { dnsOperator } from './dns-operator.js';
import { endpointResolver } from './endpoint-resolver.js';
import { etcd } from './etcd.js';
import { featuregateGenerator } from './featuregate-generator.js';
import { hostedClusterConfigOperator } from './hosted-cluster-config-operator.js';
import { ignitionServer } from './ignition-server.js';
import { ignitionServerProxy } from './ignition-server-proxy.js';
import { ingressOperator } from './ingress-operator.js';
import { konnectivityAgent } from './konnectivity-agent.js';
import { kubeApiserver } from './kube-apiserver.js';
import { kubeControllerManager } from './kube-controller-manager.js';
import { kubeScheduler } from './kube-scheduler.js';
import { kubeStorageVersionMigrator } from './kube-storage-version-migrator.js';
import { machineApprover } from './machine-approver.js';
import { metricsProxy } from './metrics-proxy.js';
import { oauthOpenshift } from './oauth-openshift.js';
import { olmOperator } from './olm-operator.js';
import { openshiftApiserver } from './openshift-apiserver.js';
import { openshiftControllerManager } from './openshift-controller-manager.js';
import { openshiftOauthApiserver } from './openshift-oauth-apiserver.js';
import { openshiftRouteControllerManager } from './openshift-route-controller-manager.js';
import { operatorCatalogs } from './operator-catalogs.js';
import { packageserver } from './packageserver.js';
import { router } from './router.js';

/** Every component that a control plane may have, in the order in which they are reconciled; platforms add their own. */
export const COMPONENTS: readonly ComponentDefinition[] = [
  etcd,
  kubeApiserver,
  kubeControllerManager,
  kubeScheduler,
  openshiftApiserver,
  openshiftOauthApiserver,
  oauthOpenshift,
  openshiftControllerManager,
  openshiftRouteControllerManager,
  clusterPolicyController,
  clusterVersionOperator,
  clusterNetworkOperator,
  clusterStorageOperator,
  clusterNodeTuningOperator,
  clusterImageRegistryOperator,
  csiSnapshotControllerOperator,
  dnsOperator,
  ingressOperator,
  kubeStorageVersionMigrator,
  olmOperator,
  catalogOperator,
  packageserver,
  ...operatorCatalogs,
  clusterAutoscaler,
  machineApprover,
  hostedClusterConfigOperator,
  ignitionServer,
  ignitionServerProxy,
  router,
  featuregateGenerator,
  controlPlanePkiOperator,
  konnectivityAgent,
  endpointResolver,
  metricsProxy,
];

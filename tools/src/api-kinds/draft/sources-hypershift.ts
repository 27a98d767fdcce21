import type { JsonSchema } from '@capstan/api/model';

import type { Addition, DraftGroup } from './sources.js';

/** Holds the definitions of the operator and of every provider it installs. */
export const hypershiftModule = 'github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac';

/** Where the module keeps the definitions of its own kinds. */
export function hypershiftFile(name: string): string {
  return `cmd/install/assets/crds/hypershift-operator/zz_generated.crd-manifests/${name}.crd.yaml`;
}

const text: JsonSchema = { type: 'string' };
const moment: JsonSchema = { type: 'string', format: 'date-time' };

/** A release, as in ClusterVersion. */
const release: JsonSchema = {
  type: 'object',
  required: ['image', 'version'],
  properties: {
    channels: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
    image: text,
    url: text,
    version: text,
  },
};

const controlPlaneVersion: Addition = {
  path: 'v1beta1.status.controlPlaneVersion',
  replaces: true,
  schema: {
    type: 'object',
    required: ['desired', 'observedGeneration'],
    properties: {
      desired: release,
      history: {
        type: 'array',
        maxItems: 50,
        'x-kubernetes-list-type': 'atomic',
        items: {
          type: 'object',
          required: ['image', 'startedTime', 'state', 'version'],
          properties: {
            acceptedRisks: text,
            completionTime: { ...moment, nullable: true },
            image: text,
            startedTime: moment,
            state: { type: 'string', enum: ['Completed', 'Partial'] },
            verified: { type: 'boolean' },
            version: text,
          },
        },
      },
      observedGeneration: { type: 'integer', format: 'int64' },
    },
  },
  reason: 'fifty entries that end with null while they run, and a generation that is always set; theirs keep 100',
};

/** The object that holds what is otherwise embedded. */
function platformReference(path: string): Addition {
  const part = (maxLength: number): JsonSchema => ({ type: 'string', minLength: 1, maxLength });
  return {
    path,
    schema: {
      type: 'object',
      required: ['apiVersion', 'kind', 'name'],
      properties: { apiVersion: part(317), kind: part(63), name: part(253) },
    },
    reason:
      'platforms are kinds of their own, which a provider serves; the embedded fields stay for those that have none',
  };
}

const featureSets = (name: string) => ({
  file: hypershiftFile(`${name}-Default`),
  gates: { TechPreviewNoUpgrade: hypershiftFile(`${name}-TechPreviewNoUpgrade`) },
});

/** HostedCluster and what is made of it. */
export const hypershiftGroup: DraftGroup = {
  folder: 'hypershift',
  module: hypershiftModule,
  names: {
    'HostedCluster.spec.platform.infrastructureRef': 'PlatformReference',
    'HostedCluster.spec.platform.aws': 'AWSPlatform',
    'HostedCluster.spec.platform.aws.cloudProviderConfig.subnet': 'AWSResourceReference',
    'HostedCluster.spec.platform.aws.cloudProviderConfig.subnet.filters': 'AWSFilter',
    'HostedCluster.spec.platform.azure': 'AzurePlatform',
    'HostedCluster.spec.platform.azure.azureAuthenticationConfig.managedIdentities.controlPlane.disk':
      'ManagedIdentity',
    'HostedCluster.spec.platform.gcp': 'GCPPlatform',
    'HostedCluster.spec.platform.gcp.resourceLabels': 'GCPResourceLabel',
    'HostedCluster.spec.platform.kubevirt': 'KubevirtPlatform',
    'HostedCluster.spec.platform.kubevirt.credentials': 'KubevirtCredentials',
    'HostedCluster.spec.platform.openstack': 'OpenStackPlatform',
    'HostedCluster.spec.platform.openstack.network': 'OpenStackNetwork',
    'HostedCluster.spec.platform.powervs': 'PowerVSPlatform',
    'HostedCluster.spec.platform.powervs.subnet': 'PowerVSResourceReference',
    'HostedCluster.spec.autoscaling': 'ClusterAutoscaling',
    'HostedCluster.spec.capabilities': 'Capabilities',
    'HostedCluster.spec.configuration': 'ClusterConfiguration',
    'HostedCluster.spec.configuration.authentication.oidcProviders.userValidationRules': 'TokenRule',
    'HostedCluster.spec.configuration.network.networkDiagnostics.sourcePlacement': 'DiagnosticsPlacement',
    'HostedCluster.spec.dns': 'DNSSpec',
    'HostedCluster.spec.etcd.managed': 'ManagedEtcd',
    'HostedCluster.spec.etcd.managed.scheduling': 'EtcdScheduling',
    'HostedCluster.spec.etcd.managed.shards.resources': 'EtcdShardResource',
    'HostedCluster.spec.etcd.unmanaged': 'UnmanagedEtcd',
    'HostedCluster.spec.etcd': 'EtcdSpec',
    'HostedCluster.spec.imageContentSources': 'ImageContentSource',
    'HostedCluster.spec.monitoring': 'MonitoringSpec',
    'HostedCluster.spec.networking': 'ClusterNetworking',
    'HostedCluster.spec.networking.apiServer': 'APIServerNetworking',
    'HostedCluster.spec.networking.clusterNetwork': 'ClusterNetworkEntry',
    'HostedCluster.spec.operatorConfiguration': 'OperatorConfiguration',
    'HostedCluster.spec.secretEncryption': 'SecretEncryption',
    'HostedCluster.spec.secretEncryption.kms.azure.activeKey': 'AzureKMSKey',
    'HostedCluster.spec.secretEncryption.kms.ibmcloud.keyList': 'IBMCloudKMSKey',
    'HostedCluster.spec.services': 'ServicePublishing',
    'HostedCluster.spec.tolerations': 'Toleration',
    'HostedCluster.status.autoNode': 'AutoNodeStatus',
    'HostedCluster.status.configuration': 'ConfigurationStatus',
    'HostedCluster.status.controlPlaneEndpoint': 'APIEndpoint',
    'HostedCluster.status.controlPlaneVersion': 'ControlPlaneVersionStatus',
    'HostedCluster.status.controlPlaneVersion.history': 'ControlPlaneUpdateHistory',
    'HostedCluster.status.secretEncryption': 'SecretEncryptionStatus',
    'HostedCluster.status.secretEncryption.activeKey': 'EncryptionKey',
    'HostedCluster.status.secretEncryption.history.from': 'EncryptionKeyFingerprint',
    'HostedCluster.status.version': 'ClusterVersionStatus',
    'HostedCluster.status.version.desired': 'Release',
    'HostedCluster.status.version.history': 'UpdateHistory',
    'HostedCluster.status.version.conditionalUpdates': 'ConditionalUpdate',
    'HostedControlPlane.status.kubeConfig': 'KubeconfigReference',
    'NodePool.spec.management': 'NodePoolManagement',
    'NodePool.spec.autoScaling': 'NodePoolAutoscaling',
    'NodePool.spec.platform': 'NodePoolPlatform',
    'NodePool.spec.platform.aws': 'AWSNodePoolPlatform',
    'NodePool.spec.platform.azure': 'AzureNodePoolPlatform',
    'NodePool.spec.platform.gcp': 'GCPNodePoolPlatform',
    'NodePool.spec.platform.kubevirt': 'KubevirtNodePoolPlatform',
    'NodePool.spec.platform.openstack': 'OpenStackNodePoolPlatform',
    'NodePool.spec.platform.powervs': 'PowerVSNodePoolPlatform',
    'NodePool.status.conditions': 'NodePoolCondition',
  },
  kinds: [
    {
      ...featureSets('hostedclusters-Hypershift'),
      additions: [controlPlaneVersion, platformReference('v1beta1.spec.platform.infrastructureRef')],
    },
    {
      ...featureSets('hostedcontrolplanes-Hypershift'),
      additions: [controlPlaneVersion],
      // Upstream has none.
      columns: [
        {
          name: 'Version',
          type: 'string',
          jsonPath: '.status.controlPlaneVersion.history[?(@.state=="Completed")].version',
        },
        { name: 'Progress', type: 'string', jsonPath: '.status.controlPlaneVersion.history[0].state' },
        { name: 'Available', type: 'string', jsonPath: '.status.conditions[?(@.type=="Available")].status' },
        { name: 'Degraded', type: 'string', jsonPath: '.status.conditions[?(@.type=="Degraded")].status' },
        { name: 'Message', type: 'string', jsonPath: '.status.conditions[?(@.type=="Available")].message' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
      // The kind is the control plane of a Cluster.
      labels: { 'cluster.x-k8s.io/v1beta1': 'v1beta1' },
    },
    {
      ...featureSets('nodepools'),
      additions: [platformReference('v1beta1.spec.platform.nodePoolRef')],
      rules: [
        {
          path: 'v1beta1.spec',
          message: 'Setting Arch to arm64 is only supported for AWS, Azure, Agent, GCP and None',
          becomes: "self.arch != 'arm64' || self.platform.type in ['AWS', 'Azure', 'Agent', 'GCP', 'None']",
          reason: 'a pool whose platform is referred to has no embedded block to look for',
        },
        {
          path: 'v1beta1.spec',
          message: 's390x is only supported on KubeVirt platform',
          becomes: "self.arch != 's390x' || self.platform.type == 'KubeVirt'",
          reason: 'a pool whose platform is referred to has no embedded block to look for',
        },
      ],
    },
    { file: hypershiftFile('controlplanecomponents') },
  ],
};

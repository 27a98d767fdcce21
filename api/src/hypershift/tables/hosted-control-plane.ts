// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../model/index.js';
import {
  array,
  boolean,
  condition,
  gated,
  integer,
  kind,
  map,
  named,
  object,
  optional,
  string,
  time,
} from '../../model/index.js';
import { meanings } from '../meanings.table.js';
import {
  apiEndpoint,
  apiServerNetworking,
  autoNodeStatus,
  awsPlatform,
  azurePlatform,
  capabilities,
  clusterAutoscaling,
  clusterConfiguration,
  clusterNetworkEntry,
  clusterVersionStatus,
  configurationStatus,
  controlPlaneVersionStatus,
  dnsSpec,
  gcpPlatform,
  imageContentSource,
  kubevirtPlatform,
  managedEtcd,
  monitoringSpec,
  openStackPlatform,
  operatorConfiguration,
  powerVsPlatform,
  secretEncryption,
  secretEncryptionStatus,
  servicePublishing,
  toleration,
  unmanagedEtcd,
} from './shared.js';

const kubeconfigReferenceShape = object({ key: string({ maxLength: 255 }), name: string({ maxLength: 255 }) });

/** A value of the shape KubeconfigReference. */
export interface KubeconfigReference extends Infer<typeof kubeconfigReferenceShape> {}

/** The shape KubeconfigReference. */
export const kubeconfigReference: Schema<KubeconfigReference> = named('KubeconfigReference', kubeconfigReferenceShape);

const hostedControlPlaneStatusShape = object({
  autoNode: optional(autoNodeStatus),
  conditions: optional(array(condition, { maxItems: 100, listMapKeys: ['type'], listType: 'map' })),
  configuration: optional(configurationStatus),
  controlPlaneEndpoint: optional(apiEndpoint),
  controlPlaneVersion: optional(controlPlaneVersionStatus),
  customKubeconfig: optional(kubeconfigReference),
  externalManagedControlPlane: optional(boolean({ default: true })),
  initialized: boolean({ default: false }),
  kubeConfig: optional(kubeconfigReference),
  kubeadminPassword: optional(object({ name: optional(string({ default: '' })) }, { mapType: 'atomic' })),
  lastReleaseImageTransitionTime: optional(time()),
  nodeCount: optional(integer()),
  oauthCallbackURLTemplate: optional(string({ maxLength: 255 })),
  platform: optional(object({ aws: optional(object({ defaultWorkerSecurityGroupID: optional(string({ maxLength: 255 })) })) })),
  ready: boolean({ default: false }),
  releaseImage: optional(string({ maxLength: 255 })),
  secretEncryption: optional(secretEncryptionStatus),
  version: optional(string({ maxLength: 255 })),
  versionStatus: optional(clusterVersionStatus),
});

/** A value of the shape HostedControlPlaneStatus. */
export interface HostedControlPlaneStatus extends Infer<typeof hostedControlPlaneStatusShape> {}

/** The shape HostedControlPlaneStatus. */
export const hostedControlPlaneStatus: Schema<HostedControlPlaneStatus> = named('HostedControlPlaneStatus', hostedControlPlaneStatusShape);

const hostedControlPlaneSpecShape = object(
  {
    additionalTrustBundle: optional(object({ name: optional(string({ default: '' })) }, { mapType: 'atomic' })),
    auditWebhook: optional(object({ name: optional(string({ default: '' })) }, { mapType: 'atomic' })),
    autoNode: optional(object({
      provisionerConfig: object(
        {
          karpenter: optional(object(
            {
              aws: optional(object({
                roleARN: string({
                  maxLength: 2048,
                  rules: [
                    {
                      message: 'roleARN must be a valid AWS IAM role ARN (e.g. arn:aws:iam::123456789012:role/MyRole)',
                      rule: "self.matches('^arn:(aws|aws-cn|aws-us-gov):iam::[0-9]{12}:role/.+$')",
                    },
                  ],
                }),
              })),
              platform: string({ enum: ['AWS'], maxLength: 100 }),
            },
            {
              rules: [
                {
                  message: 'aws is required when platform is AWS, and forbidden otherwise',
                  rule: "self.platform == 'AWS' ? has(self.aws) : !has(self.aws)",
                },
              ],
            },
          )),
          name: string({ enum: ['Karpenter'] }),
        },
        {
          rules: [
            {
              message: 'karpenter is required when name is Karpenter, and forbidden otherwise',
              rule: "self.name == 'Karpenter' ? has(self.karpenter) : !has(self.karpenter)",
            },
          ],
        },
      ),
    })),
    autoscaling: optional(clusterAutoscaling),
    capabilities: optional(capabilities),
    channel: optional(string({ maxLength: 255 })),
    clusterID: optional(string({ maxLength: 255 })),
    configuration: optional(clusterConfiguration),
    controlPlaneReleaseImage: optional(string({ maxLength: 255 })),
    controllerAvailabilityPolicy: optional(string({
      default: 'HighlyAvailable',
      enum: ['HighlyAvailable', 'SingleReplica'],
      rules: [{ message: 'ControllerAvailabilityPolicy is immutable', rule: 'self == oldSelf' }],
    })),
    dns: dnsSpec,
    etcd: object(
      {
        managed: optional(managedEtcd),
        managementType: string({
          enum: ['Managed', 'Unmanaged'],
          rules: [{ message: 'managementType is immutable', rule: 'self == oldSelf' }],
        }),
        unmanaged: optional(unmanagedEtcd),
      },
      {
        rules: [
          {
            message: 'Only managed configuration must be set when managementType is Managed',
            rule: "self.managementType == 'Managed' ? has(self.managed) : !has(self.managed)",
          },
          {
            message: 'Only unmanaged configuration must be set when managementType is Unmanaged',
            rule: "self.managementType == 'Unmanaged' ? has(self.unmanaged) : !has(self.unmanaged)",
          },
        ],
      },
    ),
    fips: optional(boolean()),
    imageContentSources: optional(array(imageContentSource, { maxItems: 255 })),
    infraID: string({ maxLength: 255 }),
    infrastructureAvailabilityPolicy: optional(string({ default: 'SingleReplica', enum: ['HighlyAvailable', 'SingleReplica'] })),
    issuerURL: string({ maxLength: 255 }),
    kubeAPIServerDNSName: optional(string({
      maxLength: 253,
      rules: [
        {
          message: 'kubeAPIServerDNSName must be a valid URL name (e.g., api.example.com)',
          rule: 'self == "" || self.matches(\'^(?:(?:[a-zA-Z0-9-]+\\\\.)+[a-zA-Z]{2,}|[a-zA-Z0-9-]+)$\')',
        },
      ],
    })),
    kubeconfig: optional(kubeconfigReference),
    labels: optional(map(string(), { maxProperties: 20 })),
    monitoring: optional(monitoringSpec),
    networking: optional(object(
      {
        allocateNodeCIDRs: optional(string({
          enum: ['Enabled', 'Disabled'],
          rules: [
            { message: 'allocateNodeCIDRs is immutable and cannot be modified once set.', rule: 'self == oldSelf' },
          ],
        })),
        apiServer: optional(apiServerNetworking),
        clusterNetwork: optional(array(
          clusterNetworkEntry,
          {
            default: [{ cidr: '10.132.0.0/14' }],
            maxItems: 2,
            minItems: 1,
            rules: [
              { message: 'clusterNetwork is immutable and cannot be modified once set.', rule: 'self == oldSelf' },
            ],
          },
        )),
        machineNetwork: optional(array(
          object({
            cidr: string({
              maxLength: 43,
              rules: [
                {
                  message: 'cidr must be a valid IPv4 or IPv6 CIDR notation (e.g., 192.168.1.0/24 or 2001:db8::/64)',
                  rule: "self.matches('^((\\\\d{1,3}\\\\.){3}\\\\d{1,3}/\\\\d{1,2})$') || self.matches('^([0-9a-fA-F]{0,4}:){2,7}([0-9a-fA-F]{0,4})?/[0-9]{1,3}$')",
                },
              ],
            }),
          }),
          {
            maxItems: 2,
            minItems: 1,
            rules: [
              { message: 'machineNetwork is immutable and cannot be modified once set.', rule: 'self == oldSelf' },
            ],
          },
        )),
        networkType: optional(string({ default: 'OVNKubernetes', enum: ['OpenShiftSDN', 'Calico', 'OVNKubernetes', 'Other'] })),
        serviceNetwork: optional(array(
          object({
            cidr: string({
              maxLength: 43,
              rules: [
                {
                  message: 'cidr must be a valid IPv4 or IPv6 CIDR notation (e.g., 192.168.1.0/24 or 2001:db8::/64)',
                  rule: "self.matches('^((\\\\d{1,3}\\\\.){3}\\\\d{1,3}/\\\\d{1,2})$') || self.matches('^([0-9a-fA-F]{0,4}:){2,7}([0-9a-fA-F]{0,4})?/[0-9]{1,3}$')",
                },
              ],
            }),
          }),
          {
            default: [{ cidr: '172.31.0.0/16' }],
            maxItems: 2,
            minItems: 1,
            rules: [
              { message: 'serviceNetwork is immutable and cannot be modified once set.', rule: 'self == oldSelf' },
            ],
          },
        )),
      },
      {
        rules: [
          {
            message: 'CIDR ranges in machineNetwork, clusterNetwork, and serviceNetwork must be unique and non-overlapping',
            rule: '(!has(self.machineNetwork) && self.clusterNetwork.all(c, self.serviceNetwork.all(s, c.cidr != s.cidr)) || (has(self.machineNetwork) && (self.machineNetwork.all(m, self.clusterNetwork.all(c, m.cidr != c.cidr)) && self.machineNetwork.all(m, self.serviceNetwork.all(s, m.cidr != s.cidr)) && self.clusterNetwork.all(c, self.serviceNetwork.all(s, c.cidr != s.cidr)))))',
          },
          {
            message: "allocateNodeCIDRs can only be set to Enabled when networkType is 'Other'",
            rule: "has(self.allocateNodeCIDRs) && self.allocateNodeCIDRs == 'Enabled' ? self.networkType == 'Other' : true",
          },
        ],
      },
    )),
    nodeSelector: optional(map(string())),
    olmCatalogPlacement: optional(string({ default: 'management', enum: ['management', 'guest'] })),
    operatorConfiguration: optional(operatorConfiguration),
    pausedUntil: optional(string({ maxLength: 255 })),
    platform: object({
      agent: optional(object({ agentNamespace: string({ maxLength: 63 }) })),
      aws: optional(awsPlatform),
      azure: optional(azurePlatform),
      gcp: gated('TechPreviewNoUpgrade', optional(gcpPlatform)),
      ibmcloud: optional(object({ providerType: optional(string()) })),
      kubevirt: optional(kubevirtPlatform),
      openstack: gated('TechPreviewNoUpgrade', optional(openStackPlatform)),
      powervs: optional(powerVsPlatform),
      type: string({
        enum: ['AWS', 'Azure', 'IBMCloud', 'KubeVirt', 'Agent', 'PowerVS', 'None'],
        maxLength: 100,
        rules: [{ message: 'Type is immutable', rule: 'self == oldSelf' }],
        gated: {
          TechPreviewNoUpgrade: {
            enum: ['AWS', 'Azure', 'IBMCloud', 'KubeVirt', 'Agent', 'PowerVS', 'None', 'OpenStack', 'GCP'],
          },
        },
      }),
    }),
    pullSecret: object({ name: optional(string({ default: '' })) }, { mapType: 'atomic' }),
    releaseImage: string({ maxLength: 255 }),
    secretEncryption: optional(secretEncryption),
    serviceAccountSigningKey: optional(object({ name: optional(string({ default: '' })) }, { mapType: 'atomic' })),
    services: array(servicePublishing, { maxItems: 6 }),
    sshKey: object({ name: optional(string({ default: '' })) }, { mapType: 'atomic' }),
    tolerations: optional(array(toleration, { maxItems: 25 })),
    updateService: optional(string()),
  },
  {
    rules: [
      {
        message: 'spec.services in body should have at least 4 items or 3 for IBMCloud',
        rule: "self.platform.type == 'IBMCloud' ? size(self.services) >= 3 : size(self.services) >= 4",
      },
      {
        message: "disableMultiNetwork can only be set to true when networkType is 'Other'",
        rule: "!has(self.operatorConfiguration) || !has(self.operatorConfiguration.clusterNetworkOperator) || !has(self.operatorConfiguration.clusterNetworkOperator.disableMultiNetwork) || !self.operatorConfiguration.clusterNetworkOperator.disableMultiNetwork || self.networking.networkType == 'Other'",
      },
      {
        message: 'secretEncryption cannot be removed once configured',
        rule: '!has(oldSelf.secretEncryption) || has(self.secretEncryption)',
      },
    ],
  },
);

/** A value of the shape HostedControlPlaneSpec. */
export interface HostedControlPlaneSpec extends Infer<typeof hostedControlPlaneSpecShape> {}

/** The shape HostedControlPlaneSpec. */
export const hostedControlPlaneSpec: Schema<HostedControlPlaneSpec> = named('HostedControlPlaneSpec', hostedControlPlaneSpecShape);

/** The kind HostedControlPlane. */
export const hostedControlPlane = kind({
  group: 'hypershift.openshift.io',
  kind: 'HostedControlPlane',
  plural: 'hostedcontrolplanes',
  shortNames: ['hcp', 'hcps'],
  categories: ['cluster-api'],
  scope: 'Namespaced',
  labels: { 'cluster.x-k8s.io/v1beta1': 'v1beta1' },
  meanings: meanings,
  versions: [
    {
      name: 'v1beta1',
      storage: true,
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
      subresources: { status: true },
      schema: object({ spec: optional(hostedControlPlaneSpec), status: optional(hostedControlPlaneStatus) }),
    },
  ],
});

/** HostedControlPlane in `hypershift.openshift.io/v1beta1`. */
export type HostedControlPlane = KindOf<typeof hostedControlPlane, 'v1beta1'>;

// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../model/index.js';
import { array, boolean, condition, gated, kind, map, named, object, optional, string } from '../../model/index.js';
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
  platformReference,
  powerVsPlatform,
  secretEncryption,
  secretEncryptionStatus,
  servicePublishing,
  toleration,
  unmanagedEtcd,
} from './shared.js';

const clusterNetworkingShape = object(
  {
    allocateNodeCIDRs: optional(string({
      enum: ['Enabled', 'Disabled'],
      rules: [{ message: 'allocateNodeCIDRs is immutable and cannot be modified once set.', rule: 'self == oldSelf' }],
    })),
    apiServer: optional(apiServerNetworking),
    clusterNetwork: optional(array(
      clusterNetworkEntry,
      {
        default: [{ cidr: '10.132.0.0/14' }],
        maxItems: 2,
        minItems: 1,
        rules: [{ message: 'clusterNetwork is immutable and cannot be modified once set.', rule: 'self == oldSelf' }],
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
        rules: [{ message: 'machineNetwork is immutable and cannot be modified once set.', rule: 'self == oldSelf' }],
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
        rules: [{ message: 'serviceNetwork is immutable and cannot be modified once set.', rule: 'self == oldSelf' }],
      },
    )),
  },
  {
    default: {
      clusterNetwork: [{ cidr: '10.132.0.0/14' }],
      networkType: 'OVNKubernetes',
      serviceNetwork: [{ cidr: '172.31.0.0/16' }],
    },
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
);

/** A value of the shape ClusterNetworking. */
export interface ClusterNetworking extends Infer<typeof clusterNetworkingShape> {}

/** The shape ClusterNetworking. */
export const clusterNetworking: Schema<ClusterNetworking> = named('ClusterNetworking', clusterNetworkingShape);

const etcdSpecShape = object(
  {
    managed: optional(managedEtcd),
    managementType: string({
      enum: ['Managed', 'Unmanaged'],
      rules: [{ message: 'managementType is immutable', rule: 'self == oldSelf' }],
    }),
    unmanaged: optional(unmanagedEtcd),
  },
  {
    default: {
      managed: { storage: { persistentVolume: { size: '8Gi' }, type: 'PersistentVolume' } },
      managementType: 'Managed',
    },
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
);

/** A value of the shape EtcdSpec. */
export interface EtcdSpec extends Infer<typeof etcdSpecShape> {}

/** The shape EtcdSpec. */
export const etcdSpec: Schema<EtcdSpec> = named('EtcdSpec', etcdSpecShape);

const hostedClusterStatusShape = object({
  autoNode: optional(autoNodeStatus),
  conditions: optional(array(condition, { maxItems: 100, listMapKeys: ['type'], listType: 'map' })),
  configuration: optional(configurationStatus),
  controlPlaneEndpoint: optional(apiEndpoint),
  controlPlaneVersion: optional(controlPlaneVersionStatus),
  customKubeconfig: optional(object({ name: optional(string({ default: '' })) }, { mapType: 'atomic' })),
  ignitionEndpoint: optional(string({ maxLength: 1024 })),
  kubeadminPassword: optional(object({ name: optional(string({ default: '' })) }, { mapType: 'atomic' })),
  kubeconfig: optional(object({ name: optional(string({ default: '' })) }, { mapType: 'atomic' })),
  lastSuccessfulEtcdBackupURL: gated(
    'TechPreviewNoUpgrade',
    optional(string({
      maxLength: 2048,
      minLength: 1,
      rules: [
        {
          message: 'lastSuccessfulEtcdBackupURL must be a valid URL with scheme https or s3',
          rule: "self.matches('^(https|s3)://.*')",
        },
      ],
    })),
  ),
  oauthCallbackURLTemplate: optional(string({ maxLength: 1024 })),
  payloadArch: optional(string({ enum: ['Multi', 'ARM64', 'AMD64', 'PPC64LE', 'S390X'] })),
  platform: optional(object({ aws: optional(object({ defaultWorkerSecurityGroupID: optional(string({ maxLength: 255 })) })) })),
  secretEncryption: optional(secretEncryptionStatus),
  version: optional(clusterVersionStatus),
});

/** A value of the shape HostedClusterStatus. */
export interface HostedClusterStatus extends Infer<typeof hostedClusterStatusShape> {}

/** The shape HostedClusterStatus. */
export const hostedClusterStatus: Schema<HostedClusterStatus> = named('HostedClusterStatus', hostedClusterStatusShape);

const hostedClusterSpecShape = object(
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
    channel: optional(string({ maxLength: 100, minLength: 1 })),
    clusterID: optional(string({
      maxLength: 36,
      minLength: 36,
      rules: [
        {
          message: 'clusterID must be an RFC4122 UUID value (xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx in hexadecimal digits)',
          rule: "self.matches('[a-fA-F0-9]{8}-[a-fA-F0-9]{4}-[a-fA-F0-9]{4}-[a-fA-F0-9]{4}-[a-fA-F0-9]{12}')",
        },
        { message: 'clusterID is immutable', rule: 'oldSelf == "" || self == oldSelf' },
      ],
    })),
    configuration: optional(clusterConfiguration),
    controlPlaneRelease: optional(object({
      image: string({
        maxLength: 253,
        minLength: 1,
        rules: [
          {
            message: 'Image must start with a word character (letters, digits, or underscores) and contain no white spaces',
            rule: "self.matches('^(\\\\w+\\\\S+)$')",
          },
        ],
      }),
    })),
    controllerAvailabilityPolicy: optional(string({
      default: 'HighlyAvailable',
      enum: ['HighlyAvailable', 'SingleReplica'],
      rules: [{ message: 'ControllerAvailabilityPolicy is immutable', rule: 'self == oldSelf' }],
    })),
    dns: optional(dnsSpec),
    etcd: etcdSpec,
    fips: optional(boolean({ rules: [{ message: 'fips is immutable', rule: 'self == oldSelf' }] })),
    imageContentSources: optional(array(imageContentSource, { maxItems: 255 })),
    infraID: optional(string({
      maxLength: 253,
      minLength: 1,
      rules: [
        {
          message: "infraID must consist of lowercase alphanumeric characters or '-', start and end with an alphanumeric character, and be between 1 and 253 characters",
          rule: "self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')",
        },
        { message: 'infraID is immutable', rule: 'oldSelf == "" || self == oldSelf' },
      ],
    })),
    infrastructureAvailabilityPolicy: optional(string({ default: 'SingleReplica', enum: ['HighlyAvailable', 'SingleReplica'] })),
    issuerURL: optional(string({
      default: 'https://kubernetes.default.svc',
      maxLength: 255,
      rules: [
        { message: 'issuerURL is immutable', rule: 'self == oldSelf' },
        { message: 'issuerURL must be a valid absolute URL', rule: 'isURL(self)' },
      ],
    })),
    kubeAPIServerDNSName: optional(string({
      maxLength: 253,
      rules: [
        {
          message: 'kubeAPIServerDNSName must be a valid URL name (e.g., api.example.com)',
          rule: 'self == "" || self.matches(\'^(?:(?:[a-zA-Z0-9-]+\\\\.)+[a-zA-Z]{2,}|[a-zA-Z0-9-]+)$\')',
        },
      ],
    })),
    labels: optional(map(string(), { maxProperties: 20 })),
    monitoring: optional(monitoringSpec),
    networking: clusterNetworking,
    nodeSelector: optional(map(
      string(),
      { rules: [{ message: 'nodeSelector map can have at most 20 entries', rule: 'size(self) <= 20' }] },
    )),
    olmCatalogPlacement: optional(string({
      default: 'management',
      enum: ['management', 'guest'],
      rules: [{ message: 'OLMCatalogPlacement is immutable', rule: 'self == oldSelf' }],
    })),
    operatorConfiguration: optional(operatorConfiguration),
    pausedUntil: optional(string({
      maxLength: 35,
      minLength: 4,
      rules: [
        {
          message: "PausedUntil must be a date in RFC3339 format or 'True', 'true', 'False' or 'false'",
          rule: "self.matches('^\\\\d{4}-\\\\d{2}-\\\\d{2}T\\\\d{2}:\\\\d{2}:\\\\d{2}.*$') || self in ['true', 'false', 'True', 'False']",
        },
      ],
    })),
    platform: object({
      agent: optional(object({ agentNamespace: string({ maxLength: 63 }) })),
      aws: optional(awsPlatform),
      azure: optional(azurePlatform),
      gcp: gated('TechPreviewNoUpgrade', optional(gcpPlatform)),
      ibmcloud: optional(object({ providerType: optional(string()) })),
      infrastructureRef: optional(platformReference),
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
    release: object({
      image: string({
        maxLength: 253,
        minLength: 1,
        rules: [
          {
            message: 'Image must start with a word character (letters, digits, or underscores) and contain no white spaces',
            rule: "self.matches('^(\\\\w+\\\\S+)$')",
          },
        ],
      }),
    }),
    secretEncryption: optional(secretEncryption),
    serviceAccountSigningKey: optional(object({ name: optional(string({ default: '' })) }, { mapType: 'atomic' })),
    services: array(servicePublishing, { maxItems: 6 }),
    sshKey: optional(object({ name: optional(string({ default: '' })) }, { mapType: 'atomic' })),
    tolerations: optional(array(toleration, { maxItems: 25 })),
    updateService: optional(string({ rules: [{ message: 'updateService must be a valid absolute URL', rule: 'isURL(self)' }] })),
  },
  {
    rules: [
      {
        message: 'spec.services in body should have at least 4 items or 3 for IBMCloud',
        rule: "self.platform.type == 'IBMCloud' ? size(self.services) >= 3 : size(self.services) >= 4",
      },
      {
        message: 'Services is immutable. Changes might result in unpredictable and disruptive behavior.',
        rule: 'self.platform.type != "IBMCloud" ? self.services == oldSelf.services : true',
      },
      {
        message: 'Azure managed platform (ARO HCP) requires OAuthServer to use Route',
        rule: 'self.platform.type != "Azure" || self.platform.?azure.azureAuthenticationConfig.azureAuthenticationConfigType.orValue("") == "WorkloadIdentities" || self.services.exists(s, s.service == "OAuthServer" && s.servicePublishingStrategy.type == "Route")',
      },
      {
        message: 'Self-managed Azure requires OAuthServer to use Route or LoadBalancer',
        rule: 'self.platform.type != "Azure" || self.platform.?azure.azureAuthenticationConfig.azureAuthenticationConfigType.orValue("") != "WorkloadIdentities" || self.services.exists(s, s.service == "OAuthServer" && (s.servicePublishingStrategy.type == "Route" || s.servicePublishingStrategy.type == "LoadBalancer"))',
      },
      {
        message: 'Azure platform requires Konnectivity to use Route service publishing strategy',
        rule: 'self.platform.type == "Azure" ? self.services.exists(s, s.service == "Konnectivity" && s.servicePublishingStrategy.type == "Route") : true',
      },
      {
        message: 'Azure platform requires Ignition to use Route service publishing strategy',
        rule: 'self.platform.type == "Azure" ? self.services.exists(s, s.service == "Ignition" && s.servicePublishingStrategy.type == "Route") : true',
      },
      {
        message: 'If serviceAccountSigningKey is set, issuerURL must be set',
        rule: 'has(self.issuerURL) || !has(self.serviceAccountSigningKey)',
      },
      {
        message: 'APIServer loadBalancer hostname cannot be in ClusterConfiguration.apiserver.servingCerts.namedCertificates[]',
        rule: '!self.services.exists(s, s.service == \'APIServer\' && has(s.servicePublishingStrategy.loadBalancer) && s.servicePublishingStrategy.loadBalancer.hostname != "" && has(self.configuration) && has(self.configuration.apiServer) && has(self.configuration.apiServer.servingCerts) && has(self.configuration.apiServer.servingCerts.namedCertificates) && self.configuration.apiServer.servingCerts.namedCertificates.exists(cert, has(cert.names) && cert.names.exists(n, n == s.servicePublishingStrategy.loadBalancer.hostname)))',
      },
      {
        message: "disableMultiNetwork can only be set to true when networkType is 'Other'",
        rule: "!has(self.operatorConfiguration) || !has(self.operatorConfiguration.clusterNetworkOperator) || !has(self.operatorConfiguration.clusterNetworkOperator.disableMultiNetwork) || !self.operatorConfiguration.clusterNetworkOperator.disableMultiNetwork || self.networking.networkType == 'Other'",
      },
      {
        message: 'ovnKubernetesConfig is forbidden when networkType is not OVNKubernetes',
        rule: "self.networking.networkType == 'OVNKubernetes' || !has(self.operatorConfiguration) || !has(self.operatorConfiguration.clusterNetworkOperator) || !has(self.operatorConfiguration.clusterNetworkOperator.ovnKubernetesConfig)",
      },
      {
        message: 'secretEncryption cannot be removed once configured',
        rule: '!has(oldSelf.secretEncryption) || has(self.secretEncryption)',
      },
    ],
  },
);

/** A value of the shape HostedClusterSpec. */
export interface HostedClusterSpec extends Infer<typeof hostedClusterSpecShape> {}

/** The shape HostedClusterSpec. */
export const hostedClusterSpec: Schema<HostedClusterSpec> = named('HostedClusterSpec', hostedClusterSpecShape);

/** The kind HostedCluster. */
export const hostedCluster = kind({
  group: 'hypershift.openshift.io',
  kind: 'HostedCluster',
  plural: 'hostedclusters',
  shortNames: ['hc', 'hcs'],
  scope: 'Namespaced',
  meanings: meanings,
  versions: [
    {
      name: 'v1beta1',
      storage: true,
      columns: [
        { name: 'Version', type: 'string', jsonPath: '.status.version.history[?(@.state=="Completed")].version' },
        {
          name: 'CP Version',
          type: 'string',
          jsonPath: '.status.controlPlaneVersion.history[?(@.state=="Completed")].version',
        },
        { name: 'KubeConfig', type: 'string', jsonPath: '.status.kubeconfig.name' },
        { name: 'Progress', type: 'string', jsonPath: '.status.version.history[?(@.state!="")].state' },
        { name: 'Available', type: 'string', jsonPath: '.status.conditions[?(@.type=="Available")].status' },
        { name: 'Progressing', type: 'string', jsonPath: '.status.conditions[?(@.type=="Progressing")].status' },
        { name: 'Message', type: 'string', jsonPath: '.status.conditions[?(@.type=="Available")].message' },
        { name: 'CP Progress', type: 'string', jsonPath: '.status.controlPlaneVersion.history[0].state', priority: 1 },
        { name: 'DP Progress', type: 'string', jsonPath: '.status.version.history[0].state', priority: 1 },
      ],
      subresources: { status: true },
      schema: object(
        { spec: optional(hostedClusterSpec), status: optional(hostedClusterStatus) },
        {
          rules: [
            {
              message: 'infraID cannot be removed once set',
              rule: '!has(oldSelf.spec) || !has(oldSelf.spec.infraID) || (has(self.spec) && has(self.spec.infraID))',
            },
            {
              message: 'clusterID cannot be removed once set',
              rule: '!has(oldSelf.spec) || !has(oldSelf.spec.clusterID) || (has(self.spec) && has(self.spec.clusterID))',
            },
          ],
        },
      ),
    },
  ],
});

/** HostedCluster in `hypershift.openshift.io/v1beta1`. */
export type HostedCluster = KindOf<typeof hostedCluster, 'v1beta1'>;

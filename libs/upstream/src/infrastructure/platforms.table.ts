import type { CloudPlatform } from '../cloud/instance.js';

/** Where a value is read from: `machine` is the infrastructure machine, `cluster` the infrastructure cluster. */
export type FieldPath = `cluster.${string}` | `machine.${string}` | `owner.${string}`;

/** What distinguishes the provider of one platform from others. */
export interface InfrastructurePlatform {
  readonly platform: CloudPlatform;
  readonly group: string;
  /** The version it stores and speaks; the others it serves. */
  readonly version: string;
  readonly otherVersions: readonly string[];
  /** The beginning of its kinds: `AWS` of AWSCluster, AWSMachine, AWSMachineTemplate. */
  readonly prefix: string;
  /** Whether hosted clusters bring their own infrastructure cluster, marked as externally managed. */
  readonly isExternal: boolean;
  readonly machineFinalizer: string;
  readonly clusterFinalizer: string;
  /** For each property of an instance the fields that may hold it, the first one set wins; a text is a default. */
  readonly fields: {
    readonly type: readonly FieldPath[];
    readonly image: readonly FieldPath[];
    readonly zone: readonly FieldPath[];
    readonly region: readonly FieldPath[];
    readonly account?: readonly FieldPath[];
    readonly group?: readonly FieldPath[];
  };
  /** Defaults for fields without a value. */
  readonly defaults: { readonly type: string; readonly image: string; readonly zone: string; readonly region: string };
  /** The failure domains of a cluster, for platforms whose clusters report them. */
  readonly failureDomains?: readonly string[] | undefined;
  /** Where the status reports the state of the instance, and in which words. */
  readonly state?: { readonly field: string; readonly style: 'lower' | 'title' | 'upper' } | undefined;
  /** Where the machine keeps the identifier of its instance, besides the provider id. */
  readonly instanceId?: { readonly in: 'spec' | 'status'; readonly field: string } | undefined;
  /** Where the status of a cluster names resources created along with it, by the cluster's own name. */
  readonly clusterReference?: string | undefined;
  /** The condition about its instance. */
  readonly condition: string;
  /** False where the published kinds have no conditions: what must be remembered is then an annotation. */
  readonly hasConditions?: false;
}

const INFRASTRUCTURE = 'infrastructure.cluster.x-k8s.io';

function finalizers(prefix: string): { machineFinalizer: string; clusterFinalizer: string } {
  const lower = prefix.toLowerCase();
  return {
    machineFinalizer: `${lower}machine.${INFRASTRUCTURE}`,
    clusterFinalizer: `${lower}cluster.${INFRASTRUCTURE}`,
  };
}

/** Every platform, by name. */
export const PLATFORMS: Readonly<Record<CloudPlatform, InfrastructurePlatform>> = {
  agent: {
    platform: 'agent',
    group: 'capi-provider.agent-install.openshift.io',
    version: 'v1beta1',
    otherVersions: ['v1alpha1'],
    prefix: 'Agent',
    isExternal: false,
    machineFinalizer: 'agentmachine.agent-install.openshift.io/deprovision',
    clusterFinalizer: 'agentcluster.agent-install.openshift.io/deprovision',
    fields: { type: [], image: [], zone: [], region: [], group: ['machine.spec.agentNamespace'] },
    defaults: { type: 'bare-metal', image: 'discovery', zone: 'rack', region: 'site' },
    clusterReference: 'clusterDeploymentReference',
    condition: 'AgentReserved',
  },
  aws: {
    platform: 'aws',
    group: INFRASTRUCTURE,
    version: 'v1beta2',
    otherVersions: ['v1beta1'],
    prefix: 'AWS',
    isExternal: true,
    ...finalizers('AWS'),
    fields: {
      type: ['machine.spec.instanceType'],
      image: ['machine.spec.ami.id', 'machine.spec.imageLookupFormat'],
      zone: ['owner.spec.failureDomain'],
      region: ['cluster.spec.region'],
    },
    defaults: { type: 'm5.large', image: 'ami-default', zone: 'us-east-1a', region: 'us-east-1' },
    failureDomains: ['us-east-1a', 'us-east-1b', 'us-east-1c'],
    state: { field: 'instanceState', style: 'lower' },
    instanceId: { in: 'spec', field: 'instanceID' },
    condition: 'InstanceReady',
  },
  azure: {
    platform: 'azure',
    group: INFRASTRUCTURE,
    version: 'v1beta1',
    otherVersions: [],
    prefix: 'Azure',
    isExternal: true,
    ...finalizers('Azure'),
    fields: {
      type: ['machine.spec.vmSize'],
      image: ['machine.spec.image.id', 'machine.spec.image.marketplace.sku'],
      zone: ['owner.spec.failureDomain', 'machine.spec.failureDomain'],
      region: ['cluster.spec.location'],
      account: ['cluster.spec.subscriptionID'],
      group: ['cluster.spec.resourceGroup'],
    },
    defaults: { type: 'Standard_D4s_v5', image: 'marketplace', zone: '1', region: 'eastus' },
    failureDomains: ['1', '2', '3'],
    state: { field: 'vmState', style: 'title' },
    condition: 'VMRunning',
  },
  gcp: {
    platform: 'gcp',
    group: INFRASTRUCTURE,
    version: 'v1beta1',
    otherVersions: [],
    prefix: 'GCP',
    isExternal: true,
    ...finalizers('GCP'),
    fields: {
      type: ['machine.spec.instanceType'],
      image: ['machine.spec.image', 'machine.spec.imageFamily'],
      zone: ['owner.spec.failureDomain'],
      region: ['cluster.spec.region'],
      account: ['cluster.spec.project'],
    },
    defaults: { type: 'n2-standard-4', image: 'rhcos', zone: 'us-central1-a', region: 'us-central1' },
    failureDomains: ['us-central1-a', 'us-central1-b', 'us-central1-c'],
    state: { field: 'instanceState', style: 'upper' },
    condition: 'InstanceReady',
    hasConditions: false,
  },
  /** The made-up platform of `@capstan/provider/testing`. */
  harbour: {
    platform: 'harbour',
    group: INFRASTRUCTURE,
    version: 'v1beta1',
    otherVersions: [],
    prefix: 'Harbour',
    isExternal: true,
    ...finalizers('Harbour'),
    fields: {
      type: ['machine.spec.size'],
      image: ['machine.spec.image'],
      zone: ['owner.spec.failureDomain', 'machine.spec.berth'],
      region: ['cluster.spec.port'],
    },
    defaults: { type: 'small', image: 'harbour', zone: 'b1', region: 'rotterdam' },
    condition: 'InstanceReady',
  },
  kubevirt: {
    platform: 'kubevirt',
    group: INFRASTRUCTURE,
    version: 'v1alpha1',
    otherVersions: [],
    prefix: 'Kubevirt',
    isExternal: true,
    ...finalizers('Kubevirt'),
    fields: {
      type: ['machine.spec.virtualMachineTemplate.spec.instancetype.name'],
      image: ['machine.spec.virtualMachineTemplate.spec.dataVolumeTemplates.0.spec.source.registry.url'],
      zone: ['owner.spec.failureDomain'],
      region: [],
      group: ['machine.spec.virtualMachineTemplate.metadata.namespace'],
    },
    defaults: { type: 'u1.large', image: 'container-disk', zone: 'infra', region: 'infra' },
    condition: 'VMProvisioned',
  },
  metal3: {
    platform: 'metal3',
    group: INFRASTRUCTURE,
    version: 'v1beta1',
    otherVersions: [],
    prefix: 'Metal3',
    isExternal: false,
    ...finalizers('Metal3'),
    fields: { type: [], image: ['machine.spec.image.url'], zone: ['owner.spec.failureDomain'], region: [] },
    defaults: { type: 'bare-metal', image: 'rhcos.qcow2', zone: 'rack', region: 'site' },
    condition: 'AssociateBMH',
  },
  nutanix: {
    platform: 'nutanix',
    group: INFRASTRUCTURE,
    version: 'v1beta1',
    otherVersions: [],
    prefix: 'Nutanix',
    isExternal: false,
    machineFinalizer: `${INFRASTRUCTURE}/nutanixmachine`,
    clusterFinalizer: `${INFRASTRUCTURE}/nutanixcluster`,
    fields: {
      type: ['machine.spec.memorySize'],
      image: ['machine.spec.image.uuid', 'machine.spec.image.name'],
      zone: ['owner.spec.failureDomain'],
      region: ['cluster.spec.prismCentral.address'],
    },
    defaults: { type: '4x16', image: 'rhcos', zone: 'pe-1', region: 'prism' },
    failureDomains: ['pe-1'],
    instanceId: { in: 'status', field: 'vmUUID' },
    condition: 'VMProvisioned',
  },
  openstack: {
    platform: 'openstack',
    group: INFRASTRUCTURE,
    version: 'v1beta1',
    otherVersions: [],
    prefix: 'OpenStack',
    isExternal: false,
    ...finalizers('OpenStack'),
    fields: {
      type: ['machine.spec.flavor', 'machine.spec.flavorID'],
      image: ['machine.spec.image.id', 'machine.spec.image.filter.name', 'machine.spec.image.imageRef.name'],
      zone: ['owner.spec.failureDomain'],
      region: ['machine.spec.identityRef.region'],
    },
    defaults: { type: 'm1.large', image: 'rhcos', zone: 'nova', region: 'regionOne' },
    failureDomains: ['nova'],
    state: { field: 'instanceState', style: 'upper' },
    instanceId: { in: 'status', field: 'instanceID' },
    condition: 'InstanceReady',
  },
  powervs: {
    platform: 'powervs',
    group: INFRASTRUCTURE,
    version: 'v1beta2',
    otherVersions: ['v1beta1'],
    prefix: 'IBMPowerVS',
    isExternal: true,
    ...finalizers('IBMPowerVS'),
    fields: {
      type: ['machine.spec.systemType'],
      image: ['machine.spec.image.id', 'machine.spec.image.name', 'machine.spec.imageRef.name'],
      zone: ['cluster.spec.zone', 'owner.spec.failureDomain'],
      region: ['cluster.spec.vpc.region'],
      account: ['machine.spec.serviceInstanceID', 'machine.spec.serviceInstance.id', 'cluster.spec.serviceInstanceID'],
    },
    defaults: { type: 's922', image: 'rhcos', zone: 'dal10', region: 'dal' },
    state: { field: 'instanceState', style: 'upper' },
    instanceId: { in: 'status', field: 'instanceID' },
    condition: 'InstanceReady',
  },
  vsphere: {
    platform: 'vsphere',
    group: INFRASTRUCTURE,
    version: 'v1beta1',
    otherVersions: [],
    prefix: 'VSphere',
    isExternal: false,
    ...finalizers('VSphere'),
    fields: {
      type: ['machine.spec.os'],
      image: ['machine.spec.template'],
      zone: ['owner.spec.failureDomain', 'machine.spec.resourcePool'],
      region: ['machine.spec.datacenter'],
      group: ['machine.spec.folder'],
    },
    defaults: { type: 'Linux', image: 'rhcos-template', zone: 'cluster', region: 'datacenter' },
    condition: 'VMProvisioned',
  },
};

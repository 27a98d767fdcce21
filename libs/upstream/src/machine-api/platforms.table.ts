import type { CloudPlatform, InstanceState } from '../cloud/instance.js';

/** The fields of a provider spec that describe the instance, each as a path of keys; `a|b` takes the first that is set. */
export interface PlatformRow {
  readonly platform: CloudPlatform;
  /** `kind` of the provider spec. */
  readonly specKind: string;
  readonly instanceType: string;
  readonly image: string;
  readonly region: string;
  readonly zone: string;
  /** Subscription, project or service instance. */
  readonly account?: string;
  /** Resource group or folder. */
  readonly group?: string;
  /** Set for spot instances, which the cloud may terminate at any time. */
  readonly spot?: string;
  /** How the provider reports; absent where it writes none. */
  readonly status?: {
    readonly apiVersion: string;
    readonly kind: string;
    readonly idField: string;
    readonly stateField?: string;
    /** The condition that reports whether the instance could be created. */
    readonly condition: string;
  };
  /** The platform's own words for the states of an instance. */
  readonly states: Readonly<Record<InstanceState, string>>;
}

const V1 = 'machine.openshift.io/v1';
const V1BETA1 = 'machine.openshift.io/v1beta1';

function states(pending: string, running: string, stopping: string, off: string): PlatformRow['states'] {
  return { pending, running, stopping, stopped: off, terminated: off };
}

/** One row per platform Machine API knows. */
export const PLATFORMS: readonly PlatformRow[] = [
  {
    platform: 'aws',
    specKind: 'AWSMachineProviderConfig',
    instanceType: 'instanceType',
    image: 'ami.id|ami.arn',
    region: 'placement.region',
    zone: 'placement.availabilityZone',
    spot: 'spotMarketOptions',
    status: {
      apiVersion: V1BETA1,
      kind: 'AWSMachineProviderStatus',
      idField: 'instanceId',
      stateField: 'instanceState',
      condition: 'MachineCreation',
    },
    states: {
      pending: 'pending',
      running: 'running',
      stopping: 'shutting-down',
      stopped: 'stopped',
      terminated: 'terminated',
    },
  },
  {
    platform: 'azure',
    specKind: 'AzureMachineProviderSpec',
    instanceType: 'vmSize',
    image: 'image.resourceID|image.offer',
    region: 'location',
    zone: 'zone',
    group: 'resourceGroup',
    spot: 'spotVMOptions',
    status: {
      apiVersion: V1BETA1,
      kind: 'AzureMachineProviderStatus',
      idField: 'vmId',
      stateField: 'vmState',
      condition: 'MachineCreated',
    },
    states: states('Creating', 'Running', 'Deleting', 'Stopped'),
  },
  {
    platform: 'gcp',
    specKind: 'GCPMachineProviderSpec',
    instanceType: 'machineType',
    image: 'disks.0.image',
    region: 'region',
    zone: 'zone',
    account: 'projectID',
    spot: 'preemptible',
    status: {
      apiVersion: V1BETA1,
      kind: 'GCPMachineProviderStatus',
      idField: 'instanceId',
      stateField: 'instanceState',
      condition: 'MachineCreated',
    },
    states: states('PROVISIONING', 'RUNNING', 'STOPPING', 'TERMINATED'),
  },
  {
    platform: 'openstack',
    specKind: 'OpenstackProviderSpec',
    instanceType: 'flavor',
    image: 'image',
    region: 'cloudName',
    zone: 'availabilityZone',
    states: states('BUILD', 'ACTIVE', 'DELETED', 'SHUTOFF'),
  },
  {
    platform: 'vsphere',
    specKind: 'VSphereMachineProviderSpec',
    instanceType: 'template',
    image: 'template',
    region: 'workspace.datacenter',
    zone: 'workspace.resourcePool',
    group: 'workspace.folder',
    status: {
      apiVersion: V1BETA1,
      kind: 'VSphereMachineProviderStatus',
      idField: 'instanceId',
      stateField: 'instanceState',
      condition: 'MachineCreation',
    },
    states: states('poweredOff', 'poweredOn', 'poweredOff', 'poweredOff'),
  },
  {
    platform: 'nutanix',
    specKind: 'NutanixMachineProviderConfig',
    instanceType: 'vcpuSockets',
    image: 'image.name|image.uuid',
    region: 'cluster.name|cluster.uuid',
    zone: 'failureDomain.name',
    status: {
      apiVersion: V1,
      kind: 'NutanixMachineProviderStatus',
      idField: 'vmUUID',
      condition: 'MachineCreation',
    },
    states: states('PENDING', 'ON', 'OFF', 'OFF'),
  },
  {
    platform: 'powervs',
    specKind: 'PowerVSMachineProviderConfig',
    instanceType: 'systemType',
    image: 'image.id|image.name|image.regex',
    region: 'serviceInstance.id|serviceInstance.name',
    zone: 'network.id|network.name',
    account: 'serviceInstance.id|serviceInstance.name',
    status: {
      apiVersion: V1,
      kind: 'PowerVSMachineProviderStatus',
      idField: 'instanceId',
      stateField: 'instanceState',
      condition: 'MachineCreation',
    },
    states: states('BUILD', 'ACTIVE', 'SHUTOFF', 'SHUTOFF'),
  },
  {
    platform: 'metal3',
    specKind: 'BareMetalMachineProviderSpec',
    instanceType: 'hostSelector.matchLabels.class',
    image: 'image.url',
    region: '',
    zone: '',
    states: states('provisioning', 'provisioned', 'deprovisioning', 'available'),
  },
];

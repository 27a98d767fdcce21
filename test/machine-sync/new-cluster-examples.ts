/** Clusters as the installer leaves them: what their Infrastructure and a Machine of their control plane have. */
import type { JsonObject, KubeObject } from '@capstan/meta';

export const NAME = 'ocean-x7k2p';
const SUBSCRIPTION =
  'azure:///subscriptions/s-1/resourceGroups/ocean-x7k2p-rg/providers/Microsoft.Compute/virtualMachines/m';

interface Example {
  readonly spec?: JsonObject;
  readonly status?: JsonObject;
  readonly providerID: string;
  readonly providerSpec: JsonObject;
  /** Of the infrastructure cluster, without its endpoint. */
  readonly expected: JsonObject;
  /** What it reports when nobody else fills its status. */
  readonly ready?: JsonObject;
}

const userDataSecret = { name: 'master-user-data' };
const disk = { osDisk: { osType: 'Linux', diskSizeGB: 128, managedDisk: { storageAccountType: 'Premium_LRS' } } };
const uuid = '7f3e0c1a-3c27-4c0d-9a53-0d3b1f3a4c10';

/** By the platform's name. */
export const EXAMPLES: Readonly<Record<string, Example>> = {
  AWS: {
    status: { aws: { region: 'eu-north-1' } },
    providerID: 'aws:///eu-north-1a/i-0123456789abcdef0',
    providerSpec: {
      kind: 'AWSMachineProviderConfig',
      apiVersion: 'machine.openshift.io/v1beta1',
      ami: { id: 'ami-1' },
      instanceType: 'm6i.xlarge',
      placement: { region: 'eu-north-1', availabilityZone: 'eu-north-1a' },
      blockDevices: [{ ebs: { volumeSize: 120, volumeType: 'gp3' } }],
      subnet: { id: 'subnet-1' },
      securityGroups: [{ id: 'sg-1' }],
      loadBalancers: [
        { name: `${NAME}-ext`, type: 'network' },
        { name: `${NAME}-int`, type: 'network' },
      ],
      credentialsSecret: { name: 'aws-cloud-credentials' },
      userDataSecret,
    },
    expected: {
      region: 'eu-north-1',
      identityRef: { kind: 'AWSClusterControllerIdentity', name: 'default' },
      controlPlaneLoadBalancer: { name: `${NAME}-int`, loadBalancerType: 'nlb', scheme: 'internal' },
      secondaryControlPlaneLoadBalancer: { name: `${NAME}-ext`, loadBalancerType: 'nlb' },
    },
    ready: { ready: true },
  },
  Azure: {
    status: { azure: { cloudName: 'AzurePublicCloud', resourceGroupName: `${NAME}-rg` } },
    providerID: SUBSCRIPTION,
    providerSpec: {
      kind: 'AzureMachineProviderSpec',
      apiVersion: 'machine.openshift.io/v1beta1',
      ...disk,
      image: { resourceID: '/resourceGroups/ocean/providers/Microsoft.Compute/images/ocean' },
      location: 'northeurope',
      managedIdentity: `${NAME}-identity`,
      networkResourceGroup: `${NAME}-rg`,
      publicLoadBalancer: NAME,
      internalLoadBalancer: `${NAME}-internal`,
      resourceGroup: `${NAME}-rg`,
      subnet: `${NAME}-master-subnet`,
      vnet: `${NAME}-vnet`,
      vmSize: 'Standard_D8s_v3',
      zone: '1',
      credentialsSecret: { name: 'azure-cloud-credentials', namespace: 'openshift-machine-api' },
      userDataSecret,
    },
    expected: {
      azureEnvironment: 'AzurePublicCloud',
      location: 'northeurope',
      resourceGroup: `${NAME}-rg`,
      subscriptionID: 's-1',
      identityRef: { kind: 'AzureClusterIdentity', name: NAME, namespace: 'openshift-cluster-api' },
      networkSpec: {
        vnet: { name: `${NAME}-vnet`, resourceGroup: `${NAME}-rg` },
        apiServerLB: { name: `${NAME}-internal`, type: 'Internal' },
        controlPlaneOutboundLB: { name: NAME, backendPool: { name: NAME } },
        nodeOutboundLB: { name: NAME, backendPool: { name: NAME } },
      },
    },
    ready: { ready: true },
  },
  GCP: {
    status: { gcp: { projectID: 'ocean-project', region: 'europe-north1' } },
    providerID: 'gce://ocean-project/europe-north1-a/m',
    providerSpec: {
      kind: 'GCPMachineProviderSpec',
      apiVersion: 'machine.openshift.io/v1beta1',
      disks: [
        { autoDelete: true, boot: true, image: 'projects/rhcos/global/images/rhcos', sizeGb: 128, type: 'pd-ssd' },
      ],
      machineType: 'n2-standard-4',
      networkInterfaces: [{ network: `${NAME}-network`, subnetwork: `${NAME}-master-subnet` }],
      projectID: 'ocean-project',
      region: 'europe-north1',
      zone: 'europe-north1-a',
      serviceAccounts: [{ email: 'm@ocean.iam.gserviceaccount.com', scopes: ['cloud-platform'] }],
      credentialsSecret: { name: 'gcp-cloud-credentials' },
      userDataSecret,
    },
    expected: {
      project: 'ocean-project',
      region: 'europe-north1',
      network: { name: `${NAME}-network` },
      loadBalancer: { apiServerInstanceGroupTagOverride: 'master' },
    },
    ready: { ready: true },
  },
  VSphere: {
    providerID: 'vsphere://4238bb11-9cd5-75a4-8f2e-aa0000000001',
    providerSpec: {
      kind: 'VSphereMachineProviderSpec',
      apiVersion: 'machine.openshift.io/v1beta1',
      template: `${NAME}-rhcos`,
      diskGiB: 120,
      memoryMiB: 16_384,
      numCPUs: 4,
      numCoresPerSocket: 4,
      network: { devices: [{ networkName: 'segment-a' }] },
      workspace: { datacenter: 'dc1', datastore: '/dc1/datastore/ds1', folder: '/dc1/vm/a', server: 'vc.example.com' },
      credentialsSecret: { name: 'vsphere-cloud-credentials' },
      userDataSecret,
    },
    expected: { server: 'vc.example.com', identityRef: { kind: 'Secret', name: NAME } },
    ready: { ready: true },
  },
  Nutanix: {
    spec: {
      platformSpec: {
        type: 'Nutanix',
        nutanix: { prismCentral: { address: 'prism.example.com', port: 9440 }, prismElements: [] },
      },
    },
    providerID: `nutanix://${uuid}`,
    providerSpec: {
      kind: 'NutanixMachineProviderConfig',
      apiVersion: 'machine.openshift.io/v1',
      cluster: { type: 'uuid', uuid },
      image: { type: 'name', name: 'rhcos' },
      subnets: [{ type: 'uuid', uuid }],
      vcpusPerSocket: 1,
      vcpuSockets: 8,
      memorySize: '16Gi',
      systemDiskSize: '120Gi',
      credentialsSecret: { name: 'nutanix-credentials' },
      userDataSecret,
    },
    expected: {
      prismCentral: {
        address: 'prism.example.com',
        port: 9440,
        credentialRef: { kind: 'Secret', name: NAME, namespace: 'openshift-cluster-api' },
      },
    },
    ready: { ready: true },
  },
  PowerVS: {
    providerID: 'ibmpowervs://lon/lon06/instance/machine',
    providerSpec: {
      kind: 'PowerVSMachineProviderConfig',
      apiVersion: 'machine.openshift.io/v1',
      serviceInstance: { type: 'ID', id: 'service-1' },
      network: { type: 'RegEx', regex: '^DHCPSERVER.*' },
      image: { type: 'Name', name: 'rhcos' },
      keyPairName: 'key',
      systemType: 's922',
      processorType: 'Shared',
      processors: '0.5',
      memoryGiB: 32,
      credentialsSecret: { name: 'powervs-credentials' },
      userDataSecret,
    },
    expected: { serviceInstanceID: '', serviceInstance: { id: 'service-1' }, network: { regex: '^DHCPSERVER.*' } },
    ready: { ready: true },
  },
  BareMetal: {
    providerID: 'baremetalhost:///openshift-machine-api/host-0/7f3e0c1a-3c27-4c0d-9a53-0d3b1f3a4c10',
    providerSpec: {
      kind: 'BareMetalMachineProviderSpec',
      apiVersion: 'baremetal.cluster.k8s.io/v1alpha1',
      image: { url: 'https://example.com/rhcos.img', checksum: 'https://example.com/rhcos.img.sha256' },
      userData: { name: 'master-user-data' },
    },
    expected: { cloudProviderEnabled: false },
    ready: { initialization: { provisioned: true } },
  },
  OpenStack: {
    providerID: `openstack:///${uuid}`,
    providerSpec: {
      kind: 'OpenstackProviderSpec',
      apiVersion: 'machine.openshift.io/v1alpha1',
      cloudName: 'openstack',
      cloudsSecret: { name: 'openstack-cloud-credentials', namespace: 'openshift-machine-api' },
      flavor: 'm1.xlarge',
      image: 'rhcos',
      networks: [{ filter: {}, subnets: [{ filter: { name: `${NAME}-nodes`, tags: `openshiftClusterID=${NAME}` } }] }],
      securityGroups: [{ filter: {}, name: `${NAME}-master` }],
      serverGroupID: uuid,
      userDataSecret,
    },
    expected: {
      identityRef: { type: 'Secret', name: 'openstack-cloud-credentials', cloudName: 'openstack' },
      disableAPIServerFloatingIP: true,
      disableExternalNetwork: true,
      tags: [`openshiftClusterID=${NAME}`],
      subnets: [{ filter: { name: `${NAME}-nodes`, tags: [`openshiftClusterID=${NAME}`] } }],
    },
  },
};

/** Infrastructure/cluster of a platform. */
export function infrastructureOf(type: string): KubeObject {
  const { spec = {}, status = {} } = EXAMPLES[type] ?? {};
  return {
    apiVersion: 'config.openshift.io/v1',
    kind: 'Infrastructure',
    metadata: { name: 'cluster' },
    spec,
    status: {
      infrastructureName: NAME,
      apiServerInternalURI: 'https://api-int.ocean.example.com:6443',
      platformStatus: { type, ...status },
    },
  };
}

/** A Machine of its control plane. */
export function masterOf(type: string, name = `${NAME}-master-0`, more: JsonObject = {}): KubeObject {
  const { providerID, providerSpec } = EXAMPLES[type] as Example;
  return {
    apiVersion: 'machine.openshift.io/v1beta1',
    kind: 'Machine',
    metadata: {
      name,
      namespace: 'openshift-machine-api',
      labels: {
        'machine.openshift.io/cluster-api-cluster': NAME,
        'machine.openshift.io/cluster-api-machine-role': 'master',
        'machine.openshift.io/cluster-api-machine-type': 'master',
      },
    },
    spec: { providerID, providerSpec: { value: { ...providerSpec, ...more } } },
  };
}

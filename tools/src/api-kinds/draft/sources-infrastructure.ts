import type { DraftGroup, DraftKind } from './sources.js';
import { hypershiftModule } from './sources-hypershift.js';

/** The label by which Cluster API finds the version of a kind that keeps its contract. */
const contract = (version: string) => ({ 'cluster.x-k8s.io/v1beta1': version });

const clusterApiGroup = 'infrastructure.cluster.x-k8s.io';

/** Kinds that a hosted control plane needs of a provider, as its operator installs them. */
function installed(
  platform: string,
  plurals: Readonly<Record<string, string | undefined>>,
  names: Readonly<Record<string, string>>,
  { provider = platform, group = clusterApiGroup } = {},
): DraftGroup {
  return {
    folder: `infrastructure/${platform}`,
    module: hypershiftModule,
    names,
    kinds: Object.entries(plurals).map(([plural, version]) => ({
      file: `cmd/install/assets/crds/cluster-api-provider-${provider}/${group}_${plural}.yaml`,
      ...(version === undefined ? {} : { labels: contract(version) }),
    })),
  };
}

/** Kinds that a provider publishes itself. */
function published(folder: string, plurals: readonly string[], unconverted: readonly string[] = []): DraftKind[] {
  return plurals.map((plural) => ({
    file: `${folder}/${clusterApiGroup}_${plural}.yaml`,
    ...(unconverted.includes(plural) ? { unconverted: true } : {}),
  }));
}

const bothContracts = { 'cluster.x-k8s.io/v1beta1': 'v1beta1', 'cluster.x-k8s.io/v1beta2': 'v1beta2' };

/** What the provider of OpenStack asks another controller for. */
const openstackResources = {
  addressscopes: undefined,
  applicationcredentials: undefined,
  domains: undefined,
  endpoints: undefined,
  flavors: undefined,
  floatingips: undefined,
  groups: undefined,
  images: 'v1alpha1',
  keypairs: undefined,
  networks: undefined,
  ports: undefined,
  projects: undefined,
  roles: undefined,
  routerinterfaces: undefined,
  routers: undefined,
  securitygroups: undefined,
  servergroups: undefined,
  servers: undefined,
  services: undefined,
  subnets: undefined,
  trunks: undefined,
  users: undefined,
  volumes: undefined,
  volumetypes: undefined,
};

/** The kinds of every provider of infrastructure. */
export const infrastructureGroups: readonly DraftGroup[] = [
  installed(
    'agent',
    {
      agentclusters: 'v1beta1',
      agentmachines: 'v1beta1',
      agentmachinetemplates: 'v1beta1',
    },
    {
      'AgentCluster.status.conditions': 'LegacyCondition',
      'AgentMachine.status.agentRef': 'ObjectName',
    },
    { group: 'capi-provider.agent-install.openshift.io' },
  ),
  installed(
    'aws',
    {
      awsclusters: 'v1beta2',
      awsmachines: 'v1beta2',
      awsmachinetemplates: 'v1beta2',
      awsclustertemplates: undefined,
      awsmachinepools: undefined,
      awsclustercontrolleridentities: undefined,
      awsclusterroleidentities: undefined,
      awsclusterstaticidentities: undefined,
    },
    {
      'AWSCluster.status.conditions': 'LegacyCondition',
      'AWSMachineTemplate.spec.template.metadata': 'TemplateMetadata',
      'AWSCluster.spec.controlPlaneEndpoint': 'APIEndpoint',
      'AWSCluster@v1beta2.status.networkStatus.apiServerElb': 'LoadBalancer',
      'AWSMachine.spec.ami': 'AMIReference',
      'AWSMachine.spec.rootVolume': 'Volume',
      'AWSMachine@v1beta2.status.addresses': 'MachineAddress',
      'AWSCluster@v1beta2.status.bastion': 'Instance',
      'AWSMachine@v1beta2.spec.subnet': 'AWSResourceReference',
      'AWSMachine@v1beta1.spec.subnet': 'AWSResourceReference',
    },
  ),
  installed(
    'azure',
    {
      azureclusters: 'v1beta1',
      azuremachines: 'v1beta1',
      azuremachinetemplates: 'v1beta1',
      azureclustertemplates: undefined,
      azureclusteridentities: undefined,
      azureasomanagedclusters: undefined,
      azureasomanagedclustertemplates: undefined,
      azureasomanagedcontrolplanes: undefined,
      azureasomanagedcontrolplanetemplates: undefined,
      azureasomanagedmachinepools: undefined,
      azureasomanagedmachinepooltemplates: undefined,
    },
    {
      'AzureCluster.status.conditions': 'LegacyCondition',
      'AzureCluster.spec.controlPlaneEndpoint': 'APIEndpoint',
      'AzureCluster.spec.networkSpec.apiServerLB': 'LoadBalancer',
      'AzureCluster.spec.networkSpec.subnets': 'Subnet',
    },
  ),
  installed(
    'gcp',
    {
      gcpclusters: 'v1beta1',
      gcpclustertemplates: 'v1beta1',
      gcpmachines: 'v1beta1',
      gcpmachinetemplates: 'v1beta1',
    },
    {
      'GCPMachineTemplate.spec.template.metadata': 'TemplateMetadata',
    },
  ),
  installed(
    'kubevirt',
    {
      kubevirtclusters: 'v1alpha1',
      kubevirtclustertemplates: undefined,
      kubevirtmachines: 'v1alpha1',
      kubevirtmachinetemplates: 'v1alpha1',
    },
    {
      'KubevirtCluster.status.conditions': 'LegacyCondition',
    },
  ),
  {
    folder: 'infrastructure/metal3',
    module: 'github.com/metal3-io/cluster-api-provider-metal3@v1.13.2',
    names: {},
    kinds: published(
      'config/crd/bases',
      [
        'metal3clusters',
        'metal3clustertemplates',
        'metal3machines',
        'metal3machinetemplates',
        'metal3datas',
        'metal3dataclaims',
        'metal3datatemplates',
        'metal3remediations',
        'metal3remediationtemplates',
      ],
      ['metal3clustertemplates'],
    ),
    labels: { ...bothContracts, 'cluster.x-k8s.io/provider': 'infrastructure-metal3' },
    conversion: {
      service: { namespace: 'capm3-system', name: 'capm3-webhook-service', path: '/convert' },
      reviewVersions: ['v1', 'v1beta1'],
    },
  },
  {
    folder: 'infrastructure/nutanix',
    module: 'github.com/nutanix-cloud-native/cluster-api-provider-nutanix@v1.10.3',
    names: {},
    kinds: published('config/crd/bases', [
      'nutanixclusters',
      'nutanixclustertemplates',
      'nutanixfailuredomains',
      'nutanixmachines',
      'nutanixmachinetemplates',
      'nutanixmetros',
      'nutanixmetrosites',
      'nutanixvirtualhadomains',
    ]),
    labels: { 'cluster.x-k8s.io/v1beta1': 'v1beta1', 'cluster.x-k8s.io/provider': 'infrastructure-nutanix' },
  },
  installed(
    'openstack',
    {
      openstackclusters: 'v1beta1',
      openstackclustertemplates: 'v1beta1',
      openstackmachines: 'v1beta1',
      openstackmachinetemplates: 'v1beta1',
      openstackclusteridentities: 'v1alpha1',
      openstackfloatingippools: 'v1alpha1',
      openstackservers: 'v1alpha1',
    },
    {
      'OpenStackCluster.status.conditions': 'LegacyCondition',
      'OpenStackMachine.status.addresses': 'MachineAddress',
    },
  ),
  installed(
    'openstack-resources',
    openstackResources,
    { 'Role.spec': 'IdentityResourceSpec', 'Role.status': 'IdentityResourceStatus' },
    { provider: 'openstack', group: 'openstack.k-orc.cloud' },
  ),
  installed(
    'powervs',
    {
      ibmpowervsclusters: 'v1beta2',
      ibmpowervsclustertemplates: undefined,
      ibmpowervsimages: 'v1beta2',
      ibmpowervsmachines: 'v1beta2',
      ibmpowervsmachinetemplates: 'v1beta2',
      ibmvpcclusters: 'v1beta2',
      ibmvpcclustertemplates: undefined,
      ibmvpcmachines: undefined,
      ibmvpcmachinetemplates: undefined,
    },
    {
      'IBMPowerVSMachine.status.conditions': 'LegacyCondition',
      'IBMPowerVSCluster.spec.controlPlaneEndpoint': 'APIEndpoint',
      'IBMPowerVSMachine.status.addresses': 'MachineAddress',
    },
    { provider: 'ibmcloud' },
  ),
  {
    folder: 'infrastructure/vsphere',
    module: 'sigs.k8s.io/cluster-api-provider-vsphere@v1.16.1',
    names: {},
    kinds: published(
      'config/default/crd/bases',
      [
        'vsphereclusters',
        'vsphereclustertemplates',
        'vspheremachines',
        'vspheremachinetemplates',
        'vspherevms',
        'vspherefailuredomains',
        'vspheredeploymentzones',
        'vsphereclusteridentities',
      ],
      ['vsphereclusteridentities'],
    ),
    labels: { ...bothContracts, 'cluster.x-k8s.io/provider': 'infrastructure-vsphere' },
    conversion: { service: { namespace: 'capv-system', name: 'capv-webhook-service', path: '/convert' } },
  },
];

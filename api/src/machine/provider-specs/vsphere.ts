// Drafted by tools/src/api-kinds/provider-specs from github.com/openshift/api@v0.0.0-20260813212709-d4bb0b443cb8; not edited by hand.

/** Fields of VSphereMachineProviderSpec: the provider spec of a machine on vSphere. */
export const vsphereProviderSpecFields: readonly string[] = [
  'metadata any',
  'userDataSecret.name string',
  'credentialsSecret.name string',
  'template string',
  'workspace.server string',
  'workspace.datacenter string',
  'workspace.folder string',
  'workspace.datastore string',
  'workspace.resourcePool string',
  'workspace.vmGroup string',
  'network.devices[].networkName string',
  'network.devices[].gateway string',
  'network.devices[].ipAddrs[] string',
  'network.devices[].nameservers[] string',
  'network.devices[].addressesFromPools[].group string',
  'network.devices[].addressesFromPools[].resource string',
  'network.devices[].addressesFromPools[].name string',
  'numCPUs int32',
  'numCoresPerSocket int32',
  'memoryMiB int64',
  'diskGiB int32',
  'tagIDs[] string',
  'snapshot string',
  'cloneMode string',
  'dataDisks[].name string',
  'dataDisks[].sizeGiB int32',
  'dataDisks[].provisioningMode string',
];

/** Fields of VSphereMachineProviderStatus: the provider status of a machine on vSphere. */
export const vsphereProviderStatusFields: readonly string[] = [
  'instanceId string',
  'instanceState string',
  'conditions[].type string',
  'conditions[].status string',
  'conditions[].observedGeneration int64',
  'conditions[].lastTransitionTime time',
  'conditions[].reason string',
  'conditions[].message string',
  'taskRef string',
];

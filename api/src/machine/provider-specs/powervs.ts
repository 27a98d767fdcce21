// Drafted by tools/src/api-kinds/provider-specs from github.com/openshift/api@v0.0.0-20260813212709-d4bb0b443cb8; not edited by hand.

/** Fields of PowerVSMachineProviderConfig: the provider spec of a machine on Power Virtual Server. */
export const powervsProviderSpecFields: readonly string[] = [
  'metadata any',
  'userDataSecret.name string',
  'credentialsSecret.name string',
  'serviceInstance.type string',
  'serviceInstance.id string',
  'serviceInstance.name string',
  'serviceInstance.regex string',
  'image.type string',
  'image.id string',
  'image.name string',
  'image.regex string',
  'network.type string',
  'network.id string',
  'network.name string',
  'network.regex string',
  'keyPairName string',
  'systemType string',
  'processorType string',
  'processors intOrString',
  'memoryGiB int32',
  'loadBalancers[].name string',
  'loadBalancers[].type string',
];

/** Fields of PowerVSMachineProviderStatus: the provider status of a machine on Power Virtual Server. */
export const powervsProviderStatusFields: readonly string[] = [
  'conditions[].type string',
  'conditions[].status string',
  'conditions[].observedGeneration int64',
  'conditions[].lastTransitionTime time',
  'conditions[].reason string',
  'conditions[].message string',
  'instanceId string',
  'serviceInstanceID string',
  'instanceState string',
];

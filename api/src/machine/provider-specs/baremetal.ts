// Drafted by tools/src/api-kinds/provider-specs from github.com/openshift/cluster-api-provider-baremetal@v0.0.0-20260607082746-f2b0db1919ff; not edited by hand.

/** Fields of BareMetalMachineProviderSpec: the provider spec of a machine on bare metal. */
export const baremetalProviderSpecFields: readonly string[] = [
  'metadata any',
  'image.url string',
  'image.checksum string',
  'customDeploy.method string',
  'userData.name string',
  'userData.namespace string',
  'hostSelector.matchLabels{} string',
  'hostSelector.matchExpressions[].key string',
  'hostSelector.matchExpressions[].operator string',
  'hostSelector.matchExpressions[].values[] string',
];

/** Fields of BareMetalMachineProviderStatus: the provider status of a machine on bare metal. */
export const baremetalProviderStatusFields: readonly string[] = ['metadata any'];

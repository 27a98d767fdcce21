/** The Go structs of provider specs and statuses, which no CustomResourceDefinition shows: machines hold them raw. */

/** One struct, and what the list of its fields is called. */
export interface ProviderStruct {
  readonly constant: string;
  /** A sentence about the list. */
  readonly meaning: string;
  /** Directory of the Go package inside the module. */
  readonly directory: string;
  readonly type: string;
}

/** The structs of a platform: one file under `api/src/machine/provider-specs`. */
export interface ProviderSource {
  readonly platform: string;
  /** With its version: `path@version`. */
  readonly module: string;
  readonly structs: readonly ProviderStruct[];
}

/** The folder under `api/src`. */
export const providerSpecsFolder = 'machine/provider-specs';

/** The same as for the CRDs in `api/src/machine`; a test asserts that. */
const OPENSHIFT_API = 'github.com/openshift/api@v0.0.0-20260813212709-d4bb0b443cb8';

function source(
  platform: string,
  title: string,
  types: { readonly directory: string; readonly spec: string; readonly status?: string },
  module = OPENSHIFT_API,
): ProviderSource {
  const { directory, spec } = types;
  const of = (word: 'Spec' | 'Status', type: string): ProviderStruct => ({
    constant: `${platform}Provider${word}Fields`,
    meaning: `Fields of ${type}: the provider ${word.toLowerCase()} of a machine on ${title}.`,
    directory,
    type,
  });
  const status = types.status === undefined ? [] : [of('Status', types.status)];
  return { platform, module, structs: [of('Spec', spec), ...status] };
}

/** Every platform with a list. */
export const providerSources: readonly ProviderSource[] = [
  source('aws', 'AWS', {
    directory: 'machine/v1beta1',
    spec: 'AWSMachineProviderConfig',
    status: 'AWSMachineProviderStatus',
  }),
  source('azure', 'Azure', {
    directory: 'machine/v1beta1',
    spec: 'AzureMachineProviderSpec',
    status: 'AzureMachineProviderStatus',
  }),
  source(
    'baremetal',
    'bare metal',
    {
      directory: 'pkg/apis/baremetal/v1alpha1',
      spec: 'BareMetalMachineProviderSpec',
      status: 'BareMetalMachineProviderStatus',
    },
    'github.com/openshift/cluster-api-provider-baremetal@v0.0.0-20260607082746-f2b0db1919ff',
  ),
  source('gcp', 'Google Cloud', {
    directory: 'machine/v1beta1',
    spec: 'GCPMachineProviderSpec',
    status: 'GCPMachineProviderStatus',
  }),
  source('nutanix', 'Nutanix', {
    directory: 'machine/v1',
    spec: 'NutanixMachineProviderConfig',
    status: 'NutanixMachineProviderStatus',
  }),
  source('openstack', 'OpenStack', { directory: 'machine/v1alpha1', spec: 'OpenstackProviderSpec' }),
  source('powervs', 'Power Virtual Server', {
    directory: 'machine/v1',
    spec: 'PowerVSMachineProviderConfig',
    status: 'PowerVSMachineProviderStatus',
  }),
  source('vsphere', 'vSphere', {
    directory: 'machine/v1beta1',
    spec: 'VSphereMachineProviderSpec',
    status: 'VSphereMachineProviderStatus',
  }),
];

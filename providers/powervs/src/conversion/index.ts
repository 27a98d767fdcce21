/** Machines on Power Virtual Server in Machine API and in Cluster API. */
import { ibmPowerVsCluster, ibmPowerVsMachine, ibmPowerVsMachineTemplate } from '@capstan/api/infrastructure/powervs';
import { powervsProviderSpecFields, powervsProviderStatusFields } from '@capstan/api/machine/provider-specs';
import { move } from '@capstan/convert';
import { credentials, noMetadata, optionalText, refused, sameProviderId, userData } from '@capstan/convert/machine-api';
import type { Equivalence, MachinePlatform } from '@capstan/convert/machine-api';
import { newCluster } from './new-cluster.js';
import { PROVIDER_ID } from './provider-id.js';
import { resourceRule } from './resources.js';
import { SYSTEM_TYPE, size } from './size.js';
import { status } from './status.js';

const VERSION = 'v1beta2';
const API_VERSIONS = ['machine.openshift.io/v1'] as const;

const equivalent = (side: Equivalence['side'], reasons: Readonly<Record<string, string>>): Equivalence[] =>
  Object.entries(reasons).map(([path, reason]) => ({ side, path, reason }));

const equivalences: readonly Equivalence[] = [
  ...equivalent('machine-api', {
    systemType: 'a machine without one has s922, in both APIs',
    processorType: 'a machine without one shares processors, in both APIs',
    processors: 'what Machine API gives a machine that asks for none is written down',
    memoryGiB: 'the 32 GiB that Machine API gives a machine that asks for none are written down',
    keyPairName: 'the empty text is no key',
    'userDataSecret.name': 'the empty text is no secret',
    'serviceInstance.id': 'an empty text is none',
    'serviceInstance.name': 'an empty text is none',
    'serviceInstance.regex': 'an empty text is none',
    'image.id': 'an empty text is none',
    'image.name': 'an empty text is none',
    'image.regex': 'an empty text is none',
    'network.id': 'an empty text is none',
    'network.name': 'an empty text is none',
    'network.regex': 'an empty text is none',
  }),
  ...equivalent('cluster-api', {
    systemType: 'a machine without one has s922, in both APIs',
    processorType: 'a machine without one shares processors, in both APIs',
    processors: 'what Cluster API gives a machine that asks for none is written down',
    memoryGiB: 'the 2 GiB that Cluster API gives a machine that asks for none are written down',
    sshKey: 'the empty text is no key',
    serviceInstanceID: 'the old name of serviceInstance.id, which is written instead',
    serviceInstance: 'serviceInstanceID is its old name',
    imageRef: 'an image that Cluster API imported has the name of its object, and is found by it',
    image: 'an image that Cluster API imported has the name of its object, and is found by it',
  }),
];

/** Machines on Power Virtual Server. Machine API has no zones there but in labels. */
export const conversion: MachinePlatform = {
  type: 'PowerVS',
  providerSpec: { kind: 'PowerVSMachineProviderConfig', apiVersions: API_VERSIONS, fields: powervsProviderSpecFields },
  machine: { kind: ibmPowerVsMachine, version: VERSION },
  template: { kind: ibmPowerVsMachineTemplate, version: VERSION },
  cluster: { kind: ibmPowerVsCluster, version: VERSION },
  infrastructure: [
    noMetadata,
    resourceRule({
      name: 'serviceInstance',
      byPattern: false,
      old: { path: ['serviceInstanceID'], means: 'ID', isRequired: true },
    }),
    resourceRule({ name: 'image', byPattern: false, old: { path: ['imageRef', 'name'], means: 'Name' } }),
    resourceRule({ name: 'network', byPattern: true }),
    move('keyPairName', 'sshKey', optionalText),
    ...size,
    credentials('powervs-credentials'),
    refused(
      'left',
      'loadBalancers',
      'cannot be kept: Cluster API adds machines to the load balancers of the infrastructure cluster; remove them',
    ),
  ],
  machineSpec: [userData],
  identity: sameProviderId({
    pattern: PROVIDER_ID,
    form: 'ibmpowervs://<region>/<zone>/<service instance>/<instance>',
    use: 'Machine API finds instances by',
  }),
  traits: ({ systemType }) => ({
    instanceType: typeof systemType === 'string' && systemType !== '' ? systemType : SYSTEM_TYPE,
  }),
  status: {
    providerStatus: {
      kind: 'PowerVSMachineProviderStatus',
      apiVersions: API_VERSIONS,
      fields: powervsProviderStatusFields,
    },
    rules: status,
  },
  newCluster,
  equivalences,
};

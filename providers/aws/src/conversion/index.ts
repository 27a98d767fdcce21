/** Machines on EC2 in Machine API and in Cluster API. */
import { awsCluster, awsMachine, awsMachineTemplate } from '@capstan/api/infrastructure/aws';
import { awsProviderSpecFields, awsProviderStatusFields } from '@capstan/api/machine/provider-specs';
import { getAt, move } from '@capstan/convert';
import { fromProviderId, noMetadata, optionalText, userData } from '@capstan/convert/machine-api';
import type { MachinePlatform } from '@capstan/convert/machine-api';
import type { JsonObject } from '@capstan/meta';
import { disks } from './disks.js';
import { equivalences } from './equivalences.js';
import { failureDomains } from './failure-domains.js';
import { hosts } from './hosts.js';
import { identity, loadBalancerProblems, loadBalancers, region } from './infrastructure-cluster.js';
import { instance } from './instance.js';
import { market } from './market.js';
import { network } from './network.js';
import { newCluster } from './new-cluster.js';
import { instanceIdOf } from './provider-id.js';
import { status } from './status.js';
import { tags } from './tags.js';

const VERSION = 'v1beta2';
const API_VERSIONS = ['machine.openshift.io/v1beta1', 'awsproviderconfig.openshift.io/v1beta1'] as const;
const ZONE = ['placement', 'availabilityZone'];
const REGION = ['placement', 'region'];

const textAt = (record: JsonObject, path: readonly string[]): string | undefined => {
  const value = getAt(record, path);
  return typeof value === 'string' && value !== '' ? value : undefined;
};

/** Machines on AWS. */
export const conversion: MachinePlatform = {
  type: 'AWS',
  providerSpec: { kind: 'AWSMachineProviderConfig', apiVersions: API_VERSIONS, fields: awsProviderSpecFields },
  machine: { kind: awsMachine, version: VERSION },
  template: { kind: awsMachineTemplate, version: VERSION },
  cluster: { kind: awsCluster, version: VERSION },
  infrastructure: [
    noMetadata,
    ...instance,
    ...network,
    disks,
    tags,
    ...market,
    ...hosts,
    region,
    identity,
    loadBalancers,
  ],
  machineSpec: [userData, move(ZONE, ['failureDomain'], optionalText)],
  identity: [fromProviderId('instanceID', instanceIdOf), fromProviderId('providerID', (id) => ({ value: id }))],
  traits: (providerSpec) => ({
    instanceType: textAt(providerSpec, ['instanceType']),
    region: textAt(providerSpec, REGION),
    zone: textAt(providerSpec, ZONE),
  }),
  check: loadBalancerProblems,
  failureDomains,
  status: {
    providerStatus: {
      kind: 'AWSMachineProviderStatus',
      apiVersions: API_VERSIONS,
      fields: awsProviderStatusFields,
    },
    rules: status,
  },
  newCluster,
  equivalences,
};

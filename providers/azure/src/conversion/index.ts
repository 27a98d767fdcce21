/** Virtual machines of Azure in Machine API and in Cluster API. */
import { azureCluster, azureMachine, azureMachineTemplate } from '@capstan/api/infrastructure/azure';
import { azureProviderSpecFields, azureProviderStatusFields } from '@capstan/api/machine/provider-specs';
import { addError, addWarning, getAt, move, same, warned } from '@capstan/convert';
import {
  credentials,
  machineParts,
  noMetadata,
  ofCluster,
  optionalText,
  requiredText,
  sameProviderId,
  secretNamespace,
  userData,
} from '@capstan/convert/machine-api';
import type { MachineContext, MachinePlatform, MachineRule, ProviderSpecProblem } from '@capstan/convert/machine-api';
import type { JsonObject } from '@capstan/meta';
import { stringifyJson } from '@capstan/meta';
import { resourceGroupOf } from './cluster.js';
import { dataDisks, systemDisk } from './disks.js';
import { equivalences } from './equivalences.js';
import { identity } from './identity.js';
import { image } from './image.js';
import { network } from './network.js';
import { newCluster } from './new-cluster.js';
import { PROVIDER_ID } from './provider-id.js';
import { options } from './options.js';
import { security } from './security.js';
import { status } from './status.js';

const VERSION = 'v1beta1';
const API_VERSIONS = ['machine.openshift.io/v1beta1', 'azureproviderconfig.openshift.io/v1beta1'] as const;
const CLOUD = ['status', 'platformStatus', 'azure', 'cloudName'];
const ZONE = ['failureDomain'];

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** The zone of a machine is set on the Machine; on the AzureMachine it must be the same. */
const ownZone: MachineRule = {
  claims: { left: [], right: [{ path: 'failureDomain', fate: 'unsupported' }] },
  convert: (scope) => {
    if (scope.run.from === 'left') return;
    const found = getAt(scope.source, ZONE);
    if (scope.run.to === 'right' || found === undefined || found === '') return;
    const zone = machineParts(scope.run.root).machine['failureDomain'];
    if (found === zone) addWarning(scope, ZONE, 'is dropped: failureDomain of the Machine has the same value');
    else addError(scope, ZONE, `is ${stringifyJson(found)}, which has no place here: set failureDomain of the Machine`);
  },
};

function check(
  providerSpec: JsonObject,
  { context, isControlPlane }: { readonly isControlPlane: boolean; readonly context: MachineContext },
): ProviderSpecProblem[] {
  const problems: ProviderSpecProblem[] = [];
  if (getAt(context.infrastructure, CLOUD) === 'AzureStackCloud')
    problems.push({ path: 'location', message: 'is on Azure Stack Hub, which Cluster API does not know' });
  if (isControlPlane && providerSpec['publicIP'] === true)
    problems.push({
      path: 'publicIP',
      message: 'is true, but Cluster API gives machines of the control plane no public address: set it to false',
    });
  return problems;
}

/** Virtual machines of Azure. */
export const conversion: MachinePlatform = {
  type: 'Azure',
  providerSpec: { kind: 'AzureMachineProviderSpec', apiVersions: API_VERSIONS, fields: azureProviderSpecFields },
  machine: { kind: azureMachine, version: VERSION },
  template: { kind: azureMachineTemplate, version: VERSION },
  cluster: { kind: azureCluster, version: VERSION },
  infrastructure: [
    noMetadata,
    warned(
      'left',
      'userDataSecret.namespace',
      'is dropped: Machine API always reads the Secret in the namespace of the machine',
    ),
    credentials('azure-cloud-credentials'),
    secretNamespace('credentialsSecret.namespace', 'always'),
    ofCluster('location', { path: 'spec.location' }),
    ofCluster('resourceGroup', {
      path: 'spec.resourceGroup',
      toProviderSpec: (_value, _cluster, context) => resourceGroupOf(context),
    }),
    same('vmSize', requiredText('must be set: nothing else gives the size of the machine')),
    ...image,
    systemDisk,
    dataDisks,
    ...network,
    ...identity,
    ...security,
    ...options,
    ownZone,
  ],
  machineSpec: [userData, move('zone', 'failureDomain', optionalText)],
  identity: sameProviderId(PROVIDER_ID),
  traits: ({ location, vmSize, zone }) => ({ instanceType: text(vmSize), region: text(location), zone: text(zone) }),
  check,
  failureDomains: {
    key: 'azure',
    platform: 'Azure',
    toName: ({ subnet, zone }) => {
      if (text(zone) === undefined)
        return { path: 'zone', message: 'must be set: Cluster API knows a failure domain by its zone' };
      if (subnet !== undefined && subnet !== null && subnet !== '')
        return { path: 'subnet', message: 'cannot be kept: Cluster API has one subnet for all zones; remove it' };
      return { name: text(zone) ?? '' };
    },
    toDomain: (name) => ({ domain: { zone: name } }),
  },
  status: {
    providerStatus: {
      kind: 'AzureMachineProviderStatus',
      apiVersions: API_VERSIONS,
      fields: azureProviderStatusFields,
    },
    rules: status,
  },
  newCluster,
  equivalences,
};

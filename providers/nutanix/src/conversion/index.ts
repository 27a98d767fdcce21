import { nutanixCluster, nutanixMachine, nutanixMachineTemplate } from '@capstan/api/infrastructure/nutanix';
import { nutanixProviderSpecFields } from '@capstan/api/machine/provider-specs';
import { getAt, isRecord } from '@capstan/convert';
import { fromProviderId, userData } from '@capstan/convert/machine-api';
import type { MachinePlatform, PlatformKind } from '@capstan/convert/machine-api';
import { bootstrapRef } from './bootstrap.js';
import { equivalences } from './equivalences.js';
import { newCluster } from './new-cluster.js';
import { uuidOf } from './provider-id.js';
import { failureDomain, infrastructure } from './provider-spec.js';
import { status } from './status.js';

const of = (kind: PlatformKind['kind']): PlatformKind => ({ kind, version: 'v1beta1' });

/** Machines on Nutanix. */
export const conversion: MachinePlatform = {
  type: 'Nutanix',
  providerSpec: {
    kind: 'NutanixMachineProviderConfig',
    apiVersions: ['machine.openshift.io/v1'],
    fields: nutanixProviderSpecFields,
  },
  machine: of(nutanixMachine),
  template: of(nutanixMachineTemplate),
  cluster: of(nutanixCluster),
  infrastructure,
  machineSpec: [userData, failureDomain],
  identity: [
    fromProviderId('providerID', (id) =>
      uuidOf(id) === undefined ? { message: 'names no VM of Nutanix: nutanix://<uuid>' } : { value: id },
    ),
    bootstrapRef,
  ],
  // They are names from Prism Central; labels with them stay.
  traits: () => ({}),
  failureDomains: {
    key: 'nutanix',
    platform: 'Nutanix',
    toName: ({ name }) =>
      typeof name === 'string' && name !== ''
        ? { name }
        : { path: 'name', message: 'must be a string that is not empty' },
    toDomain: (name) => ({ domain: { name } }),
  },
  credentials: (cluster) => {
    const reference = getAt(cluster, ['spec', 'prismCentral', 'credentialRef']);
    if (!isRecord(reference) || reference['kind'] !== 'Secret' || typeof reference['name'] !== 'string') return [];
    return [{ from: 'nutanix-credentials', to: reference['name'] }];
  },
  status,
  newCluster,
  equivalences,
};

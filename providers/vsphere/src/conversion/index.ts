import { vsphereCluster, vsphereMachine, vsphereMachineTemplate } from '@capstan/api/infrastructure/vsphere';
import { vsphereProviderSpecFields } from '@capstan/api/machine/provider-specs';
import { getAt } from '@capstan/convert';
import { fromProviderId, userData } from '@capstan/convert/machine-api';
import type { MachinePlatform, PlatformKind } from '@capstan/convert/machine-api';
import { equivalences } from './equivalences.js';
import { newCluster } from './new-cluster.js';
import { uuidOf } from './provider-id.js';
import { infrastructure } from './provider-spec.js';
import { status } from './status.js';

const of = (kind: PlatformKind['kind']): PlatformKind => ({ kind, version: 'v1beta1' });

/** Machines on vSphere. */
export const conversion: MachinePlatform = {
  type: 'VSphere',
  providerSpec: {
    kind: 'VSphereMachineProviderSpec',
    apiVersions: ['machine.openshift.io/v1beta1', 'vsphereprovider.openshift.io/v1beta1'],
    fields: vsphereProviderSpecFields,
  },
  machine: of(vsphereMachine),
  template: of(vsphereMachineTemplate),
  cluster: of(vsphereCluster),
  infrastructure,
  // Where a machine is placed stands in its labels alone.
  machineSpec: [userData],
  identity: [
    fromProviderId('providerID', (id) =>
      uuidOf(id) === undefined ? { message: 'names no VM of vSphere: vsphere://<uuid>' } : { value: id },
    ),
  ],
  // Region and zone are tags in vCenter; labels with them stay.
  traits: () => ({}),
  failureDomains: {
    key: 'vsphere',
    platform: 'VSphere',
    toName: ({ name }) =>
      typeof name === 'string' && name !== ''
        ? { name }
        : { path: 'name', message: 'must be a string that is not empty' },
    toDomain: (name) => ({ domain: { name } }),
  },
  // Machine API has one Secret for all servers, the Secret of Cluster API is of one.
  credentials: (cluster) => {
    const to = getAt(cluster, ['spec', 'identityRef', 'name']);
    const server = getAt(cluster, ['spec', 'server']);
    if (getAt(cluster, ['spec', 'identityRef', 'kind']) !== 'Secret') return [];
    if (typeof to !== 'string' || typeof server !== 'string') return [];
    const keys = { username: `${server}.username`, password: `${server}.password` };
    return [{ from: 'vsphere-cloud-credentials', to, keys }];
  },
  status,
  newCluster,
  equivalences,
};

/** Servers of OpenStack as machines in Machine API and in Cluster API. */
import { openStackCluster, openStackMachine, openStackMachineTemplate } from '@capstan/api/infrastructure/openstack';
import { openstackProviderSpecFields } from '@capstan/api/machine/provider-specs';
import { getAt, isRecord } from '@capstan/convert';
import type { MachinePlatform } from '@capstan/convert/machine-api';
import { equivalences } from './equivalences.js';
import { failureDomains } from './failure-domains.js';
import { newCluster } from './new-cluster.js';
import { identity, infrastructure, machineSpec } from './provider-spec.js';
import { nonEmptyText } from './values.js';

const VERSION = 'v1beta1';

/** What Machine API and Cluster API say of servers of OpenStack. */
export const conversion: MachinePlatform = {
  type: 'OpenStack',
  providerSpec: {
    kind: 'OpenstackProviderSpec',
    // The second is what installers wrote at first, and is still on machines of that time.
    apiVersions: ['machine.openshift.io/v1alpha1', 'openstackproviderconfig.openshift.io/v1alpha1'],
    fields: openstackProviderSpecFields,
  },
  machine: { kind: openStackMachine, version: VERSION },
  template: { kind: openStackMachineTemplate, version: VERSION },
  cluster: { kind: openStackCluster, version: VERSION },
  infrastructure,
  machineSpec,
  identity,
  // Regions are in the secret alone.
  traits: ({ availabilityZone, flavor }) => ({
    instanceType: nonEmptyText(flavor),
    zone: nonEmptyText(availabilityZone),
  }),
  failureDomains,
  credentials: (cluster) => {
    const reference = getAt(cluster, ['spec', 'identityRef']);
    if (!isRecord(reference) || typeof reference['name'] !== 'string') return [];
    // Without a type it is a Secret, in all versions.
    return (reference['type'] ?? 'Secret') === 'Secret' ? [{ from: reference['name'], to: reference['name'] }] : [];
  },
  newCluster,
  equivalences,
};

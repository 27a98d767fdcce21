import { absent } from '@capstan/convert';
import type { LeafMaker } from '@capstan/convert';
import type { ConversionExamples } from '@capstan/provider/testing';

const pick = <T>(values: readonly T[], at: number): T => values[at % values.length] as T;
const UUID = '4225c5a2-1b1f-4a71-9c30-7f6e0f3a9b01';

/** Values that a field of either side can have. */
const values: Readonly<Record<string, readonly unknown[]>> = {
  template: ['rhcos', '/dc1/vm/fleet/rhcos'],
  cloneMode: ['fullClone', 'linkedClone', '', absent],
  'network.devices[].ipAddrs[]': ['192.0.2.10/24', '2001:db8::10/64'],
  'network.devices[].addressesFromPools[].name': ['pool-1', 'pool-2'],
  'dataDisks[].sizeGiB': [1, 10, 16_384],
  'dataDisks[].provisioningMode': ['Thin', 'Thick', 'EagerlyZeroed', '', absent],
};

const leftValues: Readonly<Record<string, readonly unknown[]>> = {
  'network.devices[].gateway': ['192.0.2.1', '2001:db8::1', '', absent],
  'network.devices[].addressesFromPools[].group': ['ipam.cluster.x-k8s.io'],
  'network.devices[].addressesFromPools[].resource': ['inclusterippools', 'globalinclusterippools'],
  'workspace.datacenter': ['dc1', '*', '', absent],
  'credentialsSecret.name': ['vsphere-cloud-credentials', absent],
  metadata: [{ creationTimestamp: null }, absent],
};

const rightValues: Readonly<Record<string, readonly unknown[]>> = {
  'network.devices[].gateway4': ['192.0.2.1', '', absent],
  'network.devices[].gateway6': [absent, absent, absent, absent, '2001:db8::1'],
  'network.devices[].addressesFromPools[].apiGroup': ['ipam.cluster.x-k8s.io'],
  'network.devices[].addressesFromPools[].kind': ['InClusterIPPool', 'GlobalInClusterIPPool'],
  // Fits where there are neither addresses nor pools, which is seldom.
  'network.devices[].dhcp4': [absent, false, absent, false, absent, false, absent, true],
  datacenter: ['dc1', '*', '', absent],
  os: ['Linux', '', absent],
  powerOffMode: ['hard', absent],
};

function maker(own: Readonly<Record<string, readonly unknown[]>>, prefix: string): LeafMaker {
  return (path, choices) => {
    if (path === 'spec.providerID' || path === 'machine.spec.providerID')
      return pick([`vsphere://${UUID}`, absent], choices.below(2));
    if (path === 'infrastructure.spec.providerID') return pick([absent, `vsphere://${UUID}`], choices.below(2));
    if (path === 'machine.spec.bootstrap.dataSecretName') return pick(['worker-user-data', absent], choices.below(2));
    if (!path.startsWith(prefix)) return undefined;
    const name = path.slice(prefix.length);
    if (name === 'dataDisks[].name') return `disk-${choices.below(1000)}`;
    const known = own[name] ?? values[name];
    return known === undefined ? undefined : pick(known, choices.below(known.length));
  };
}

/** What conversions of the platform are tried with. */
export const conversionExamples: ConversionExamples = {
  context: {
    clusterName: 'fleet-x7k2p',
    namespaces: { machineApi: 'openshift-machine-api', clusterApi: 'openshift-cluster-api' },
    infrastructureCluster: {
      apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta1',
      kind: 'VSphereCluster',
      metadata: { name: 'fleet-x7k2p', namespace: 'openshift-cluster-api' },
      spec: { server: 'vcenter.example.com', controlPlaneEndpoint: { host: 'api-int.fleet.example.com', port: 6443 } },
    },
  },
  makers: { left: maker(leftValues, 'spec.providerSpec.value.'), right: maker(rightValues, 'infrastructure.spec.') },
};

/** A cluster on vSphere as the installer leaves it, in Machine API. */
const CLUSTER = 'fleet-x7k2p';
const SERVER = 'vcenter.example.com';
const NAMESPACE = 'openshift-machine-api';

function labels(role: string, more: object = {}): object {
  return {
    'machine.openshift.io/cluster-api-cluster': CLUSTER,
    'machine.openshift.io/cluster-api-machine-role': role,
    'machine.openshift.io/cluster-api-machine-type': role,
    ...more,
  };
}

function providerSpec(role: string, more: object = {}): object {
  return {
    value: {
      apiVersion: 'machine.openshift.io/v1beta1',
      kind: 'VSphereMachineProviderSpec',
      cloneMode: 'fullClone',
      credentialsSecret: { name: 'vsphere-cloud-credentials' },
      diskGiB: 120,
      memoryMiB: 16_384,
      network: { devices: [{ networkName: 'segment-a' }] },
      numCPUs: 4,
      numCoresPerSocket: 4,
      template: `${CLUSTER}-rhcos`,
      userDataSecret: { name: `${role}-user-data` },
      workspace: {
        datacenter: 'dc1',
        datastore: '/dc1/datastore/ds1',
        folder: `/dc1/vm/${CLUSTER}`,
        resourcePool: '/dc1/host/c1/Resources',
        server: SERVER,
      },
      ...more,
    },
  };
}

function object(kind: string, name: string, more: object, role = 'worker'): object {
  const apiVersion = 'machine.openshift.io/v1beta1';
  return { apiVersion, kind, metadata: { name, namespace: NAMESPACE, labels: labels(role) }, ...more };
}

/** A machine that runs; `more` is of its provider spec. */
export function machine(name: string, more: object = {}): object {
  const providerID = 'vsphere://4238bb11-9cd5-75a4-8f2e-aa0000000001';
  return object('Machine', name, { spec: { providerID, providerSpec: providerSpec('worker', more) } });
}

const OF_SET = { 'machine.openshift.io/cluster-api-machineset': `${CLUSTER}-worker` };

export const machineSet: object = object('MachineSet', `${CLUSTER}-worker`, {
  spec: {
    replicas: 2,
    selector: { matchLabels: { 'machine.openshift.io/cluster-api-cluster': CLUSTER, ...OF_SET } },
    template: { metadata: { labels: labels('worker', OF_SET) }, spec: { providerSpec: providerSpec('worker') } },
  },
});

export const healthCheck: object = object('MachineHealthCheck', 'workers', {
  spec: {
    selector: { matchLabels: { 'machine.openshift.io/cluster-api-machine-role': 'worker' } },
    unhealthyConditions: [{ type: 'Ready', status: 'False', timeout: '300s' }],
    maxUnhealthy: '40%',
    nodeStartupTimeout: '10m',
  },
});

/** What the machines run on. */
export const infrastructureCluster: object = {
  apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta1',
  kind: 'VSphereCluster',
  metadata: { name: CLUSTER, namespace: 'openshift-cluster-api' },
  spec: { server: SERVER, identityRef: { kind: 'Secret', name: CLUSTER } },
};

export const infrastructure: object = {
  apiVersion: 'config.openshift.io/v1',
  kind: 'Infrastructure',
  metadata: { name: 'cluster' },
  spec: { platformSpec: {} },
};

export const infrastructureStatus: object = {
  infrastructureName: CLUSTER,
  platformStatus: { type: 'VSphere' },
  controlPlaneTopology: 'HighlyAvailable',
  infrastructureTopology: 'HighlyAvailable',
};

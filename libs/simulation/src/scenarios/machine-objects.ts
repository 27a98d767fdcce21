import type { KubeObject } from '@capstan/meta';

export const MACHINE_API_NAMESPACE = 'openshift-machine-api';
export const IN_MACHINE_API = { namespace: MACHINE_API_NAMESPACE };
const CLUSTER = 'demo-x7k2p';

/** The Secret instances boot with. */
export const USER_DATA: KubeObject = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'worker-user-data', namespace: MACHINE_API_NAMESPACE },
  data: { userData: Buffer.from('{"ignition":{"version":"3.2.0"}}').toString('base64') },
};

/** A set of workers on AWS. */
export function machineSetObject(name: string, replicas: number, metadata: object = {}): KubeObject {
  const labels = {
    'machine.openshift.io/cluster-api-cluster': CLUSTER,
    'machine.openshift.io/cluster-api-machineset': name,
  };
  const value = {
    apiVersion: 'machine.openshift.io/v1beta1',
    kind: 'AWSMachineProviderConfig',
    ami: { id: 'ami-0123456789abcdef0' },
    instanceType: 'm6i.xlarge',
    placement: { region: 'us-east-1', availabilityZone: 'us-east-1a' },
    securityGroups: [{ id: 'sg-0123456789abcdef0' }],
    subnet: { id: 'subnet-0123456789abcdef0' },
    userDataSecret: { name: USER_DATA.metadata.name },
  };
  return {
    apiVersion: 'machine.openshift.io/v1beta1',
    kind: 'MachineSet',
    metadata: { name, namespace: MACHINE_API_NAMESPACE, ...metadata },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { providerSpec: { value } } },
    },
  };
}

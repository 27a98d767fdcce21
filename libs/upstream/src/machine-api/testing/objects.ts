import { CLUSTER_LABEL, MACHINE_FINALIZER } from '../names.js';
import type { Machine, MachineSet, MachineStatus, NodeObject } from '../resources.js';

export const NAMESPACE = 'openshift-machine-api';
export const CLUSTER = 'demo-x7k2p';
export const USER_DATA_SECRET = 'worker-user-data';

/** When tests take place. */
export const NOW = '2026-01-01T00:00:00Z';
export const NOW_MS = Date.UTC(2026, 0, 1);

/** A time so many seconds before {@link NOW}. */
export function ago(seconds: number): string {
  return new Date(NOW_MS - seconds * 1000).toISOString().replace('.000Z', 'Z');
}

/** The provider spec of a machine on AWS. */
export function awsProviderSpec(zone = 'us-east-1a'): Record<string, unknown> {
  return {
    apiVersion: 'machine.openshift.io/v1beta1',
    kind: 'AWSMachineProviderConfig',
    ami: { id: 'ami-0123456789' },
    instanceType: 'm6i.xlarge',
    placement: { region: 'us-east-1', availabilityZone: zone },
    userDataSecret: { name: USER_DATA_SECRET },
  };
}

/** A machine with a finalizer that wants an instance; `change` has the differences. */
export function machine(
  name: string,
  change: { metadata?: object; spec?: object; status?: MachineStatus } = {},
): Machine {
  return {
    apiVersion: 'machine.openshift.io/v1beta1',
    kind: 'Machine',
    metadata: {
      name,
      namespace: NAMESPACE,
      uid: `uid-${name}`,
      creationTimestamp: ago(3600),
      labels: { [CLUSTER_LABEL]: CLUSTER },
      finalizers: [MACHINE_FINALIZER],
      ...change.metadata,
    },
    spec: { providerSpec: { value: awsProviderSpec() }, ...change.spec },
    ...(change.status === undefined ? {} : { status: change.status }),
  };
}

/** A set of workers. */
export function machineSet(name: string, replicas: number, spec: object = {}): MachineSet {
  const labels = { [CLUSTER_LABEL]: CLUSTER, 'machine.openshift.io/cluster-api-machineset': name };
  return {
    apiVersion: 'machine.openshift.io/v1beta1',
    kind: 'MachineSet',
    metadata: { name, namespace: NAMESPACE, labels: { [CLUSTER_LABEL]: CLUSTER } },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { providerSpec: { value: awsProviderSpec() } } },
      ...spec,
    },
  };
}

/** A node; `ready` is its Ready condition, since so many seconds. */
export function node(
  name: string,
  ready = 'True',
  seconds = 600,
  change: { metadata?: object; spec?: object } = {},
): NodeObject {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, uid: `uid-${name}`, ...change.metadata },
    spec: { providerID: `aws:///us-east-1a/${name}`, ...change.spec },
    status: {
      addresses: [{ type: 'InternalIP', address: `10.0.0.${name.length}` }],
      conditions: [{ type: 'Ready', status: ready, lastTransitionTime: ago(seconds) }],
    },
  };
}

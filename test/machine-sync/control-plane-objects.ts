/** A control plane of Machine API: three machines and their set. */
import { CLUSTER_API_NAMESPACE, CONTROL_PLANE_MACHINE_SETS, MAPI_MACHINES } from '@capstan/machine-api';
import type { KubeObject } from '@capstan/meta';
import { MACHINE_API_NAMESPACE, machineSetObject } from '@capstan/simulation';
import type { SyncFixture } from '@capstan/tools/handover';

const NAMESPACE = { namespace: MACHINE_API_NAMESPACE };
export const ZONES = ['us-east-1a', 'us-east-1b', 'us-east-1c'] as const;
/** What the set selects. */
export const LABELS = {
  'machine.openshift.io/cluster-api-cluster': 'demo-x7k2p',
  'machine.openshift.io/cluster-api-machine-role': 'master',
  'machine.openshift.io/cluster-api-machine-type': 'master',
};

const LOAD_BALANCER = 'demo-x7k2p-int';
const AWS_CLUSTERS = {
  group: 'infrastructure.cluster.x-k8s.io',
  version: 'v1beta2',
  plural: 'awsclusters',
  kind: 'AWSCluster',
  namespaced: true,
};

interface WithProviderSpec extends KubeObject {
  readonly spec?: { readonly template?: { readonly spec?: { readonly providerSpec?: { readonly value?: object } } } };
}

function machineSpec(zone: string): object {
  const value = {
    ...(machineSetObject('x', 0) as WithProviderSpec).spec?.template?.spec?.providerSpec?.value,
    placement: { region: 'us-east-1', availabilityZone: zone },
    loadBalancers: [{ name: LOAD_BALANCER, type: 'network' }],
  };
  return { metadata: { labels: { 'node-role.kubernetes.io/master': '' } }, providerSpec: { value } };
}

const machine = (index: number, zone: string): KubeObject =>
  ({
    apiVersion: 'machine.openshift.io/v1beta1',
    kind: 'Machine',
    metadata: { name: `demo-master-${index}`, ...NAMESPACE, labels: LABELS },
    spec: machineSpec(zone),
  }) as KubeObject;

/** The set of them. */
export const CONTROL_PLANE = {
  apiVersion: 'machine.openshift.io/v1',
  kind: 'ControlPlaneMachineSet',
  metadata: { name: 'cluster', ...NAMESPACE },
  spec: {
    state: 'Active',
    replicas: 3,
    strategy: { type: 'RollingUpdate' },
    selector: { matchLabels: LABELS },
    template: {
      machineType: 'machines_v1beta1_machine_openshift_io',
      machines_v1beta1_machine_openshift_io: {
        metadata: { labels: LABELS },
        spec: machineSpec(ZONES[0]),
        failureDomains: {
          platform: 'AWS',
          aws: ZONES.map((availabilityZone) => ({ placement: { availabilityZone } })),
        },
      },
    },
  },
} as KubeObject;

/** Creates machines that run, and then their set. */
export async function createControlPlane(fixture: SyncFixture): Promise<void> {
  const controlPlaneLoadBalancer = { name: LOAD_BALANCER, loadBalancerType: 'nlb', scheme: 'internal' };
  const patch = { type: 'merge', value: { spec: { controlPlaneLoadBalancer } } } as const;
  await fixture.client.patch(AWS_CLUSTERS, 'demo-x7k2p', patch, { namespace: CLUSTER_API_NAMESPACE });
  for (const [index, zone] of ZONES.entries()) await fixture.client.create(MAPI_MACHINES, machine(index, zone));
  await fixture.until('the control plane runs', async () => {
    const machines = await fixture.machines();
    return machines.length === 3 && machines.every(({ status }) => status?.phase === 'Running');
  });
  await fixture.client.create(CONTROL_PLANE_MACHINE_SETS, CONTROL_PLANE);
}

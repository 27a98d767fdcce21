import { ApiServer } from '@capstan/apiserver';
import type { StoreSnapshot } from '@capstan/apiserver';
import { kinds } from '@capstan/api/cluster-api';
import { crd } from '@capstan/api/model';
import { Client, systemRandom } from '@capstan/kube';
import { ManualClock } from '@capstan/kube/testing';
import type { KubeObject } from '@capstan/meta';
import { infrastructureDefinitions, openDefinition, PLATFORMS } from '@capstan/upstream';
import { DEFINITIONS, NAMESPACES } from '@capstan/upstream/cluster-api';
import type { GuestCluster } from '../guests/guest-cluster.js';
import { SIMULATION_START } from '../engine/timeline.js';
import { namespace } from './resources.js';

/** The objects of the scenario: a hosted cluster on AWS, its machines with bootstrap data in Secrets. */

export const HOME = 'clusters-one';
export const CLUSTER = 'one';
const AWS = PLATFORMS.aws;
const CONTROL_PLANE_GROUP = 'hypershift.openshift.io';
const USER_DATA = 'user-data';

let shared: Promise<StoreSnapshot> | undefined;

/** A server that knows every kind there is here. */
export function clusterApiSnapshot(): Promise<StoreSnapshot> {
  shared ??= makeSnapshot();
  return shared;
}

async function makeSnapshot(): Promise<StoreSnapshot> {
  const clock = new ManualClock(SIMULATION_START);
  const server = new ApiServer({ clock, random: systemRandom('cluster-api kinds') });
  const client = new Client(server, { clock, random: systemRandom('client') });
  const core = kinds.map((kind) => crd(kind, { conversion: 'none' }) as unknown as KubeObject);
  const labels = { 'cluster.x-k8s.io/v1beta1': 'v1beta1' };
  const hosted = openDefinition(CONTROL_PLANE_GROUP, 'HostedControlPlane', ['v1beta1'], labels);
  for (const definition of [...core, ...infrastructureDefinitions(AWS), hosted])
    await client.create(DEFINITIONS, definition);
  await client.create(NAMESPACES, namespace(HOME));
  return server.snapshot();
}

const at = (apiVersion: string, kind: string, name: string, rest: object): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name, namespace: HOME },
  ...rest,
});

const aws = (kind: string, name: string, rest: object): KubeObject =>
  at(`${AWS.group}/${AWS.version}`, kind, name, rest);
const core = (kind: string, name: string, spec: object): KubeObject =>
  at('cluster.x-k8s.io/v1beta2', kind, name, { spec });

/** A cluster whose infrastructure and control plane are externally managed. */
export function clusterObjects(guest: GuestCluster): KubeObject[] {
  const infrastructure = aws('AWSCluster', CLUSTER, {
    spec: { region: 'us-east-1', controlPlaneEndpoint: { host: 'api.one.example.com', port: 6443 } },
    status: { ready: true },
  });
  infrastructure.metadata.annotations = { 'cluster.x-k8s.io/managed-by': 'external' };
  const data = { value: Buffer.from(guest.userData()).toString('base64') };
  return [
    guest.kubeconfigSecret(),
    at('v1', 'Secret', USER_DATA, { data, type: 'cluster.x-k8s.io/secret' }),
    infrastructure,
    at(`${CONTROL_PLANE_GROUP}/v1beta1`, 'HostedControlPlane', CLUSTER, {
      spec: {},
      status: { ready: true, initialized: true, externalManagedControlPlane: true },
    }),
    core('Cluster', CLUSTER, {
      controlPlaneRef: { apiGroup: CONTROL_PLANE_GROUP, kind: 'HostedControlPlane', name: CLUSTER },
      infrastructureRef: { apiGroup: AWS.group, kind: 'AWSCluster', name: CLUSTER },
    }),
    machineTemplate('small'),
    machineTemplate('large'),
  ];
}

function machineTemplate(name: string): KubeObject {
  return aws('AWSMachineTemplate', name, { spec: { template: { spec: { instanceType: `m6i.${name}` } } } });
}

/** What machines of a template are made of. */
export function machineSpec(template: string): object {
  return {
    clusterName: CLUSTER,
    bootstrap: { dataSecretName: USER_DATA },
    infrastructureRef: { apiGroup: AWS.group, kind: 'AWSMachineTemplate', name: template },
    deletion: { nodeDeletionTimeoutSeconds: 10 },
  };
}

function pool(kind: 'MachineDeployment' | 'MachineSet', name: string, replicas: number, more: object): KubeObject {
  const labels = { pool: name, 'cluster.x-k8s.io/cluster-name': CLUSTER };
  return core(kind, name, {
    clusterName: CLUSTER,
    replicas,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: machineSpec('small') },
    ...more,
  });
}

/** A deployment of machines. */
export function machineDeployment(name: string, replicas: number): KubeObject {
  const rollingUpdate = { maxSurge: 1, maxUnavailable: 0 };
  return pool('MachineDeployment', name, replicas, { rollout: { strategy: { type: 'RollingUpdate', rollingUpdate } } });
}

/** A set of machines that belongs to no deployment. */
export function machineSet(name: string, replicas: number): KubeObject {
  return pool('MachineSet', name, replicas, { deletion: { order: 'Oldest' } });
}

/** A health check of every machine of the cluster. */
export function healthCheck(): KubeObject {
  const unwell = (status: string): object => ({ type: 'Ready', status, timeoutSeconds: 120 });
  return core('MachineHealthCheck', 'workers', {
    clusterName: CLUSTER,
    selector: { matchLabels: { 'cluster.x-k8s.io/cluster-name': CLUSTER } },
    checks: { nodeStartupTimeoutSeconds: 1200, unhealthyNodeConditions: [unwell('Unknown'), unwell('False')] },
  });
}

import type { HostedCluster, NodePool } from '@capstan/api/hypershift';
import type { KubeObject } from '@capstan/meta';

const NAMESPACE = 'clusters';
const published = (service: string, type: string): object => ({ service, servicePublishingStrategy: { type } });

function secret(name: string, values: Record<string, string>): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace: NAMESPACE },
    stringData: values,
  } as KubeObject;
}

/** What a user applies for a cluster on the made-up platform: in the order in which it is written. */
export function clusterObjects(name: string, image: string, spec: object = {}): KubeObject[] {
  const cluster = {
    apiVersion: 'hypershift.openshift.io/v1beta1',
    kind: 'HostedCluster',
    metadata: { name, namespace: NAMESPACE },
    spec: {
      controllerAvailabilityPolicy: 'SingleReplica',
      dns: { baseDomain: 'fleet.example.com' },
      etcd: {
        managementType: 'Managed',
        managed: { storage: { type: 'PersistentVolume', persistentVolume: { size: '8Gi' } } },
      },
      issuerURL: `https://${name}.fleet.example.com`,
      platform: { type: 'Harbour', harbour: { port: 'rotterdam' } },
      pullSecret: { name: `${name}-pull-secret` },
      release: { image },
      services: [
        published('APIServer', 'LoadBalancer'),
        published('OAuthServer', 'Route'),
        published('Konnectivity', 'Route'),
        published('Ignition', 'Route'),
      ],
      sshKey: { name: `${name}-ssh-key` },
      ...spec,
    },
  };
  return [
    secret(`${name}-pull-secret`, { '.dockerconfigjson': '{"auths":{}}' }),
    secret(`${name}-ssh-key`, { 'id_rsa.pub': 'ssh-ed25519 AAAA' }),
    cluster as unknown as KubeObject,
  ];
}

/** A pool of such a cluster. */
export function poolObject(name: string, cluster: string, image: string, spec: object = {}): KubeObject {
  const pool: unknown = {
    apiVersion: 'hypershift.openshift.io/v1beta1',
    kind: 'NodePool',
    metadata: { name, namespace: NAMESPACE },
    spec: {
      arch: 'amd64',
      clusterName: cluster,
      management: { upgradeType: 'Replace', autoRepair: true },
      platform: { type: 'Harbour', harbour: { berth: 'b1' } },
      release: { image },
      replicas: 2,
      ...spec,
    },
  };
  return pool as KubeObject;
}

export type { HostedCluster, NodePool };

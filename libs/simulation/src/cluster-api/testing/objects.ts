import type { KubeObject } from '@capstan/meta';

/** The objects of a small cluster, as a user writes them. */

export const NAMESPACE = 'clusters-one';
export const CLUSTER = 'one';
const core = (kind: string, name: string, spec: object): KubeObject => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind,
  metadata: { name, namespace: NAMESPACE },
  spec,
});

const provider = (group: string, kind: string, name: string, spec: object): KubeObject => ({
  apiVersion: `${group}.cluster.x-k8s.io/v1beta2`,
  kind,
  metadata: { name, namespace: NAMESPACE },
  spec,
});

/** A cluster with its infrastructure and an externally managed control plane. */
export function clusterObjects(): KubeObject[] {
  return [
    provider('infrastructure', 'TestCluster', CLUSTER, {}),
    provider('controlplane', 'TestControlPlane', CLUSTER, {}),
    core('Cluster', CLUSTER, {
      controlPlaneRef: { apiGroup: 'controlplane.cluster.x-k8s.io', kind: 'TestControlPlane', name: CLUSTER },
      infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'TestCluster', name: CLUSTER },
    }),
  ];
}

/** A template of machines. */
export function machineTemplate(name: string): KubeObject {
  const metadata = { labels: { 'template-label': name } };
  return provider('infrastructure', 'TestMachineTemplate', name, { template: { metadata, spec: { size: name } } });
}

/** A template of bootstrap data. */
export function configTemplate(name: string): KubeObject {
  return provider('bootstrap', 'TestConfigTemplate', name, { template: { spec: {} } });
}

/** What machines are made of. */
export function machineSpec(template: string): object {
  return {
    clusterName: CLUSTER,
    version: 'v1.34.0',
    bootstrap: {
      configRef: { apiGroup: 'bootstrap.cluster.x-k8s.io', kind: 'TestConfigTemplate', name: 'workers' },
    },
    infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'TestMachineTemplate', name: template },
    deletion: { nodeDeletionTimeoutSeconds: 10 },
  };
}

/** A deployment of machines. */
export function machineDeployment(name: string, replicas: number, template: string): KubeObject {
  const labels = { pool: name, 'cluster.x-k8s.io/cluster-name': CLUSTER };
  return core('MachineDeployment', name, {
    clusterName: CLUSTER,
    replicas,
    selector: { matchLabels: labels },
    rollout: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } },
    template: {
      metadata: { labels: { ...labels, 'node.cluster.x-k8s.io/pool': name }, annotations: { kept: 'yes' } },
      spec: machineSpec(template),
    },
  });
}

/** A health check of the machines of a deployment. */
export function healthCheck(name: string, pool: string, timeoutSeconds = 300): KubeObject {
  return core('MachineHealthCheck', name, {
    clusterName: CLUSTER,
    selector: { matchLabels: { pool } },
    checks: {
      nodeStartupTimeoutSeconds: 1200,
      unhealthyNodeConditions: [
        { type: 'Ready', status: 'Unknown', timeoutSeconds },
        { type: 'Ready', status: 'False', timeoutSeconds },
      ],
    },
  });
}

/** The Metal3Cluster of a cluster that Machine API manages. */
import type { ClusterFacts, NewInfrastructureCluster } from '@capstan/convert/machine-api';

/** Nodes of Machine API have no cloud provider that would set their provider IDs. */
export function newCluster({ endpoint }: ClusterFacts): NewInfrastructureCluster {
  return { spec: { controlPlaneEndpoint: endpoint, cloudProviderEnabled: false } };
}

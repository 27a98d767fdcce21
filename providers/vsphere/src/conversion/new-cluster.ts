/** The VSphereCluster of a cluster that Machine API manages. */
import type { ClusterFacts, NewInfrastructureCluster } from '@capstan/convert/machine-api';

/** Its Secret has the name of the cluster: it is filled with what Machine API has for the server. */
export function newCluster(facts: ClusterFacts): NewInfrastructureCluster {
  return {
    spec: {
      server: facts.requiredText('workspace', 'server'),
      controlPlaneEndpoint: facts.endpoint,
      identityRef: { kind: 'Secret', name: facts.clusterName },
    },
  };
}

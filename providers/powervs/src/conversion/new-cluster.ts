/** The IBMPowerVSCluster of a cluster that Machine API manages. */
import type { ClusterFacts, NewInfrastructureCluster } from '@capstan/convert/machine-api';

/** Its controllers have credentials of their own. */
export function newCluster(facts: ClusterFacts): NewInfrastructureCluster {
  return {
    spec: {
      // The old name of the other field: empty, as on machines, and required.
      serviceInstanceID: '',
      serviceInstance: facts.ofConverted('serviceInstance'),
      network: facts.ofConverted('network'),
      controlPlaneEndpoint: facts.endpoint,
    },
  };
}

/** The NutanixCluster of a cluster that Machine API manages. */
import type { ClusterFacts, NewInfrastructureCluster } from '@capstan/convert/machine-api';

const CENTRAL = ['spec', 'platformSpec', 'nutanix', 'prismCentral'] as const;

/** Its Secret has the name of the cluster: it is filled with what Machine API has. */
export function newCluster(facts: ClusterFacts): NewInfrastructureCluster {
  const [address, port] = ['address', 'port'].map((name) => facts.infrastructure(...CENTRAL, name));
  if (typeof address !== 'string' || address === '' || typeof port !== 'number')
    facts.refuse(`Infrastructure cluster has no ${CENTRAL.join('.')} with an address and a port`);
  return {
    spec: {
      controlPlaneEndpoint: facts.endpoint,
      prismCentral: {
        address,
        port,
        credentialRef: { kind: 'Secret', name: facts.clusterName, namespace: facts.namespace },
      },
    },
  };
}

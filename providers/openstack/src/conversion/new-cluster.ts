/** The OpenStackCluster of a cluster that Machine API manages. */
import { isRecord } from '@capstan/convert';
import type { ClusterFacts, NewInfrastructureCluster } from '@capstan/convert/machine-api';
import type { JsonObject } from '@capstan/meta';

/** Machines are in the first network of the masters; where that is known by its subnets alone, so is that of the cluster. */
function networkOf(facts: ClusterFacts): JsonObject {
  const network = facts.ofConverted('ports', '0', 'network');
  const addresses = facts.ofConverted('ports', '0', 'fixedIPs');
  const subnets = (Array.isArray(addresses) ? addresses : []).flatMap((each) =>
    isRecord(each) && each['subnet'] !== undefined ? [each['subnet']] : [],
  );
  if (network === undefined && subnets.length === 0)
    facts.refuse('no Machine of the control plane names a network or a subnet');
  return { ...(network === undefined ? {} : { network }), ...(subnets.length === 0 ? {} : { subnets }) };
}

/**
 * Its controllers look up the network, and have to: machines wait for what they find. They create nothing, as the endpoint
 * is there, and routers, subnets, security groups and load balancers are not asked for.
 */
export function newCluster(facts: ClusterFacts): NewInfrastructureCluster {
  return {
    spec: {
      identityRef: facts.ofConverted('identityRef'),
      controlPlaneEndpoint: facts.endpoint,
      disableAPIServerFloatingIP: true,
      disableExternalNetwork: true,
      tags: [`openshiftClusterID=${facts.clusterName}`],
      ...networkOf(facts),
    },
    isManaged: true,
  };
}

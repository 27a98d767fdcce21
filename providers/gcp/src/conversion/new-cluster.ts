/** The GCPCluster of a cluster that Machine API manages. */
import type { ClusterFacts, NewInfrastructureCluster } from '@capstan/convert/machine-api';

/** The instance group of Machine API is the one that the load balancer knows. */
const GROUP_TAG = 'master';

/** Its controllers have credentials of their own. */
export function newCluster(facts: ClusterFacts): NewInfrastructureCluster {
  const host = facts.text('networkInterfaces', '0', 'projectID');
  return {
    spec: {
      project: facts.requiredText('projectID'),
      region: facts.requiredText('region'),
      controlPlaneEndpoint: facts.endpoint,
      network: {
        name: facts.requiredText('networkInterfaces', '0', 'network'),
        ...(host === undefined ? {} : { hostProject: host }),
      },
      loadBalancer: { apiServerInstanceGroupTagOverride: GROUP_TAG },
    },
  };
}

/** The AzureCluster of a cluster that Machine API manages. */
import type { ClusterFacts, NewInfrastructureCluster } from '@capstan/convert/machine-api';

const DEFAULT_CLOUD = 'AzurePublicCloud';
const STACK = 'AzureStackCloud';

const subscriptionIn = (id: string): string | undefined => /^azure:\/\/\/subscriptions\/([^/]+)\//i.exec(id)?.[1];

function cloudOf(facts: ClusterFacts): string {
  const found = facts.infrastructure('status', 'platformStatus', 'azure', 'cloudName');
  if (found === STACK) facts.refuse('the cluster is on Azure Stack Hub, which Cluster API does not know');
  return typeof found === 'string' && found !== '' ? found : DEFAULT_CLOUD;
}

/** Nodes reach the internet by the load balancer that Machine API names the public one, unless there is none. */
export function newCluster(facts: ClusterFacts): NewInfrastructureCluster {
  const { clusterName, namespace } = facts;
  const outbound = facts.text('publicLoadBalancer');
  const balancer = outbound === undefined ? undefined : { name: outbound, backendPool: { name: outbound } };
  const group = facts.text('networkResourceGroup');
  return {
    spec: {
      azureEnvironment: cloudOf(facts),
      location: facts.requiredText('location'),
      resourceGroup: facts.text('resourceGroup') ?? clusterName,
      subscriptionID: facts.ofProviderIds('a subscription', subscriptionIn),
      controlPlaneEndpoint: facts.endpoint,
      identityRef: { kind: 'AzureClusterIdentity', name: clusterName, namespace },
      networkSpec: {
        vnet: { name: facts.requiredText('vnet'), ...(group === undefined ? {} : { resourceGroup: group }) },
        apiServerLB: { name: facts.requiredText('internalLoadBalancer'), type: 'Internal' },
        ...(balancer === undefined ? {} : { controlPlaneOutboundLB: balancer, nodeOutboundLB: balancer }),
      },
    },
    needs: [`AzureClusterIdentity ${namespace}/${clusterName}: create it with the credentials of the provider`],
  };
}

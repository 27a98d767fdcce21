/** The AWSCluster of a cluster that Machine API manages. */
import { isRecord } from '@capstan/convert';
import type { ClusterFacts, NewInfrastructureCluster } from '@capstan/convert/machine-api';
import type { JsonObject } from '@capstan/meta';

const INTERNAL = /-int$/;
const types = new Map<unknown, string>([
  ['network', 'nlb'],
  ['classic', 'classic'],
]);

function balancer(found: unknown, facts: ClusterFacts, isAlone: boolean): JsonObject {
  const name = isRecord(found) && typeof found['name'] === 'string' ? found['name'] : '';
  const loadBalancerType = isRecord(found) ? types.get(found['type']) : undefined;
  if (name === '') facts.refuse('a load balancer of the Machines of the control plane has no name');
  else if (loadBalancerType === undefined) facts.refuse(`load balancer ${name} is of no type that Cluster API has`);
  const scheme = INTERNAL.test(name) ? 'internal' : 'internet-facing';
  return { name, loadBalancerType, ...(isAlone || scheme === 'internal' ? { scheme } : {}) };
}

/** The first is the one that nodes reach the API server by, which the installer names so. */
function balancers(facts: ClusterFacts): JsonObject {
  const found = facts.ofMasters('loadBalancers') ?? [];
  const all = (Array.isArray(found) ? found : [found]).map((each, _, { length }) =>
    balancer(each, facts, length === 1),
  );
  if (all.length === 0 || all.length > 2)
    facts.refuse(`Machines of the control plane are in ${all.length} load balancers: an AWSCluster has one or two`);
  const isInternal = ({ scheme }: JsonObject): boolean => scheme === 'internal';
  const [first, second] = all.toSorted((one, other) => Number(isInternal(other)) - Number(isInternal(one)));
  return {
    controlPlaneLoadBalancer: first,
    ...(second === undefined ? {} : { secondaryControlPlaneLoadBalancer: second }),
  };
}

/** Its controllers have credentials of their own. */
export function newCluster(facts: ClusterFacts): NewInfrastructureCluster {
  const region = facts.infrastructure('status', 'platformStatus', 'aws', 'region');
  return {
    spec: {
      region: typeof region === 'string' && region !== '' ? region : facts.requiredText('placement', 'region'),
      controlPlaneEndpoint: facts.endpoint,
      identityRef: { kind: 'AWSClusterControllerIdentity', name: 'default' },
      ...balancers(facts),
    },
    needs: ['AWSClusterControllerIdentity default: the provider creates it unless its feature gate for that is off'],
  };
}

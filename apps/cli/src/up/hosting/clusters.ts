import type { JsonObject, KubeObject } from '@capstan/meta';
import type { HostingPlatform, HostingPlatforms } from '@capstan/provider';
import { freePort } from '@capstan/simulation';
import { clusterObjects } from '../../hosted/plan.js';

/** A hosted cluster that is to be there. */
export interface HostedFleetCluster {
  readonly namespace: string;
  readonly name: string;
  readonly platform: HostingPlatform;
}

/** Where their HostedClusters are. */
export const HOSTED_NAMESPACE = 'clusters';
const NODES_EACH = 2;
/** Ships, so that nobody takes them for the gear that the other clusters are called after. */
const NAMES = ['brig', 'cutter', 'dinghy', 'ferry', 'galleon', 'junk', 'ketch', 'lugger', 'schooner', 'trawler'];

/** Flags that platforms require, by platform key; those not named here need none. Used in this order. */
const FLAGS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  aws: {
    'account-id': '123456789012',
    'vpc-id': 'vpc-0f1e2d3c',
    'subnet-id': 'subnet-0a1b2c3d',
    zone: 'us-east-1a',
    ami: 'ami-0c1ea12ff0a5f9d41',
  },
  kubevirt: { containerdisk: 'quay.io/capstan/rhcos' },
  gcp: {
    project: 'fleet-project',
    network: 'fleet',
    'private-service-connect-subnet': 'fleet-psc',
    'workload-identity-project-number': '123456789012',
    'workload-identity-pool-id': 'fleet-pool',
    'workload-identity-provider-id': 'fleet-provider',
    'boot-image': 'projects/rhcos-cloud/global/images/rhcos',
  },
};

/** The hosted clusters of a fleet of that size, on the platforms there are. */
export function hostedFleetOf(size: number, platforms: HostingPlatforms): HostedFleetCluster[] {
  const known = new Map([...platforms].map((platform) => [platform.key, platform]));
  const usable = Object.keys(FLAGS).flatMap((key) => known.get(key) ?? []);
  return Array.from({ length: usable.length === 0 ? 0 : size }, (_, index) => {
    const round = Math.floor(index / NAMES.length);
    const name = `${NAMES[index % NAMES.length] ?? ''}${round === 0 ? '' : `-${round + 1}`}`;
    const platform = usable[index % usable.length] as HostingPlatform;
    return { namespace: HOSTED_NAMESPACE, name, platform };
  });
}

/** What one would apply for such a cluster: that which `capstan create cluster` makes. */
export async function hostedClusterObjects(
  { name, namespace, platform }: HostedFleetCluster,
  releaseImage: string,
): Promise<KubeObject[]> {
  const infraID = `${name}-${platform.key}`;
  const defaults = [...platform.create.clusterFlags, ...platform.create.nodePoolFlags].flatMap((flag) =>
    flag.default === undefined ? [] : [[flag.name, flag.default] as const],
  );
  const flags = { ...Object.fromEntries(defaults), ...FLAGS[platform.key] };
  const pool = {
    name: `${name}-workers`,
    clusterName: name,
    namespace,
    infraID,
    releaseImage,
    replicas: NODES_EACH,
    upgradeType: 'Replace',
    autoRepair: true,
    flags,
  };
  const objects = clusterObjects(platform, {
    name,
    namespace,
    infraID,
    baseDomain: 'fleet.example.com',
    flags,
    releaseImage,
    pullSecret: '{"auths":{}}',
    sshKey: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGNhcHN0YW4= fleet',
    availability: 'SingleReplica',
    infraAvailability: 'SingleReplica',
    etcdStorageSize: '8Gi',
    networkType: 'OVNKubernetes',
    clusterCidrs: ['10.132.0.0/14'],
    serviceCidrs: ['172.31.0.0/16'],
    machineCidrs: [],
    annotations: {},
    labels: {},
    fips: false,
    pool,
  });
  const port = await freePort();
  return objects.map((object) => (object.kind === 'HostedCluster' ? reachable(object, port) : object));
}

/** Its API is reached at a port of this machine: load balancers here have one address for all. */
function reachable(cluster: KubeObject, port: number): KubeObject {
  const spec = cluster['spec'] as JsonObject & { services: { service: string }[]; networking: JsonObject };
  const services = spec.services.map((each) =>
    each.service === 'APIServer' ? { ...each, servicePublishingStrategy: { type: 'LoadBalancer' } } : each,
  );
  return { ...cluster, spec: { ...spec, services, networking: { ...spec.networking, apiServer: { port } } } };
}

import type { StoreSnapshot } from '@capstan/apiserver';
import { controlPlaneNamespace, HOSTED_CLUSTERS, NODE_POOLS } from '@capstan/hosting';
import { hostingPlatforms } from '@capstan/cli/platforms';
import type { KubeObject } from '@capstan/meta';
import { HostingPlatforms } from '@capstan/provider';
import type { HostingPlatform } from '@capstan/provider';
import type { FixtureRegistry, SimulationEvent } from '@capstan/simulation';
import { clusterObjects, HOME, hostedSimulation, poolObject } from '../../../../hosting/index.js';
import type { FleetSize } from '../size.js';

/** The first of the clusters; the others are numbered. */
export const FIRST_CLUSTER = 'c0';
const PLATFORM = 'aws';
const NODES = { group: '', version: 'v1', plural: 'nodes', namespaced: false };
/** Where all is well, this long is enough to come to rest. */
const REST_MS = 600_000;
const HOUR_MS = 3_600_000;
/** Nobody here falls behind, and the past of a large fleet is larger than its present. */
const HISTORY = { minEvents: 100, maxEvents: 10_000, minAgeMs: 5_000 };
/** The programs whose requests are counted: ours. */
const OPERATORS: ReadonlySet<string> = new Set([
  'operator',
  'control-plane-operator',
  'hosted-cluster-config-operator',
]);

interface Reported extends KubeObject {
  readonly status?: {
    readonly replicas?: number;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

/** A fleet whose clusters are available and whose machines are nodes. */
export interface FleetFixture {
  /** How long that took: until every cluster was available, and until every machine was a node besides. */
  readonly seconds: { readonly available: number; readonly whole: number };
  /** What this process took for it, in all its threads. */
  readonly cpuSeconds: number;
  /** Requests of all programs until then. */
  readonly requests: number;
  readonly registry: FixtureRegistry;
  snapshot(): StoreSnapshot;
  /** Requests of our operators in an hour at rest, watches and leases not counted. */
  hour(): Promise<number>;
}

function cpuSeconds(): number {
  const { system, user } = process.cpuUsage();
  return (system + user) / 1e6;
}

function isTrue({ status }: Reported, type: string): boolean {
  return status?.conditions?.some((each) => each.type === type && each.status === 'True') === true;
}

/** Whether an event is a request that counts: no watch, no lease, nothing asked of a cloud. */
function isRequest(event: SimulationEvent): boolean {
  if (event.type !== 'send' || event.method === 'CALL') return false;
  return !/[?&]watch=/.test(event.target) && !event.target.includes('/leases');
}

/** Hosts a fleet in simulation until all of it works. */
export async function fleetFixture(size: FleetSize): Promise<FleetFixture> {
  const platforms = new HostingPlatforms([...(await hostingPlatforms())].filter(({ key }) => key === PLATFORM));
  const [platform] = [...platforms] as [HostingPlatform];
  const counts = { all: 0, operators: 0 };
  const onEvent = (event: SimulationEvent): void => {
    if (!isRequest(event)) return;
    counts.all += 1;
    if (OPERATORS.has(event.process.slice(event.process.lastIndexOf('/') + 1))) counts.operators += 1;
  };
  const hosted = await hostedSimulation(platforms, { onEvent, history: HISTORY });
  const [began, beganMs] = [cpuSeconds(), performance.now()];
  const names = Array.from({ length: size.clusters }, (_, at) => `${FIRST_CLUSTER.slice(0, -1)}${at}`);
  const [image = ''] = hosted.images;
  for (const name of names) {
    const pools = Array.from({ length: size.poolsEach }, (_, at) => `${name}-${at}`);
    await hosted.apply([
      ...clusterObjects(platform, name, image),
      ...pools.map((pool) =>
        poolObject(platform, { name: pool, cluster: name, image }, { replicas: size.machinesEach }),
      ),
    ]);
  }
  const seconds = (): number => (performance.now() - beganMs) / 1000;
  await hosted.until('all clusters are available', () => unavailable(hosted, names));
  const available = seconds();
  await hosted.until('all machines are nodes', () => missing(hosted, names, size));
  const requests = counts.all;
  return {
    seconds: { available, whole: seconds() },
    cpuSeconds: cpuSeconds() - began,
    requests,
    registry: hosted.registry,
    snapshot: () => hosted.simulation.server.store.snapshot({ history: false }),
    hour: async () => {
      await hosted.simulation.runUntil(hosted.elapsed + REST_MS);
      counts.operators = 0;
      await hosted.simulation.runUntil(hosted.elapsed + HOUR_MS);
      return counts.operators;
    },
  };
}

type Places = Pick<Awaited<ReturnType<typeof hostedSimulation>>, 'client' | 'guestClient'>;

async function unavailable({ client }: Places, names: readonly string[]): Promise<string | undefined> {
  const clusters = await client.list<Reported>(HOSTED_CLUSTERS, { namespace: HOME });
  const available = clusters.items.filter((cluster) => isTrue(cluster, 'Available')).length;
  return available < names.length ? `${available} clusters are available` : undefined;
}

/** What is not yet as it should be. */
async function missing(
  { client, guestClient }: Places,
  names: readonly string[],
  { machinesEach, poolsEach }: FleetSize,
): Promise<string | undefined> {
  const pools = await client.list<Reported>(NODE_POOLS, { namespace: HOME });
  const full = pools.items.filter(({ status }) => status?.replicas === machinesEach).length;
  if (full < names.length * poolsEach) return `${full} pools are full`;
  for (const name of names) {
    const { items } = await guestClient(controlPlaneNamespace(HOME, name)).list<Reported>(NODES);
    const ready = items.filter((node) => isTrue(node, 'Ready')).length;
    if (ready < poolsEach * machinesEach) return `${ready} nodes of ${name} are ready`;
  }
  return undefined;
}

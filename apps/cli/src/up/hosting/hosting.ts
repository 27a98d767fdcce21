import { HOSTED_CONTROL_PLANE_LABEL } from '@capstan/hosting';
import type { PodNetwork, ProgramRegistry } from '@capstan/cluster';
import { configOperator, controlPlaneOperator } from '@capstan/control-plane';
import { hypershiftOperator } from '@capstan/hypershift';
import { Informer } from '@capstan/kube';
import type { Client, Logger } from '@capstan/kube';
import type { Transport, UserInfo } from '@capstan/meta';
import type { HostingPlatforms } from '@capstan/provider';
import { RegistryImages, RegistryReleases, socketTransport } from '@capstan/release';
import {
  anyOperator,
  FixtureRegistry,
  HostedGuests,
  hostedProgram,
  hostedComponents,
  IgnitionServers,
  loadBalancerManager,
  operatorProgram,
  serveRegistry,
  SocketBalancer,
} from '@capstan/simulation';
import type { FetchIgnition, JoinedNode, KnownServers, NodePods, OperatorProgramOptions } from '@capstan/simulation';
import { noticesOf } from '@capstan/upstream';
import type { Cloud } from '@capstan/upstream';
import type { StartedServer } from '../../apiserver/start.js';
import { SHIPPED_PRIVATE_CRDS } from '../../operators/shipped-private-crds.js';
import { hostingPlatforms } from '../../platforms.js';
import type { KeptEnvironment } from '../kept.js';
import { GuestPods } from './guest-pods.js';
import { OPERATOR_IMAGE } from './operator.js';
import { releasesOf } from './releases.js';

export interface HostingOptions {
  readonly started: StartedServer;
  readonly cloud: Cloud;
  readonly known: KnownServers;
  /** How the programs in pods find servers of this process. */
  readonly servers: OperatorProgramOptions;
  readonly programs: ProgramRegistry;
  readonly kept: KeptEnvironment | undefined;
  readonly logger: Logger;
}

/** What hosting clusters takes besides the operators. */
export interface Hosting {
  readonly platforms: HostingPlatforms;
  /** `127.0.0.1:PORT` of the registry with the releases. */
  readonly registry: string;
  /** References of the releases, oldest first. */
  readonly images: readonly string[];
  readonly fetchIgnition: FetchIgnition;
  /** What runs the pods of a node of a hosted cluster; undefined for nodes of others. */
  podsOf(server: string, node: JoinedNode): NodePods | undefined;
  kubeletOf(release: string): string | undefined;
  /** Lets Services be reached from outside, and forgets clusters that are gone, until the signal aborts. */
  serve(network: PodNetwork, client: Client, user: UserInfo, signal: AbortSignal): void;
  close(): Promise<void>;
}

const NAMESPACES = { group: '', version: 'v1', plural: 'namespaces', namespaced: false };
const IS_CONTROL_PLANE = `${HOSTED_CONTROL_PLANE_LABEL}=true`;
/** Here nobody waits half a minute for a control plane that has come up meanwhile. */
const RETRY_CONNECT_MS = 500;
/** The stored state of a hosted cluster, one among the clusters of a stored environment. */
export const HOSTED_KEPT = 'etcd';

/** A registry with releases, and what their images do. */
export async function startHosting(options: HostingOptions): Promise<Hosting> {
  const { cloud, kept, known, logger, programs, servers, started } = options;
  const { clock, random } = started;
  const platforms = await hostingPlatforms();
  const made: { registry?: FixtureRegistry } = {};
  const served = await serveRegistry(
    (host) => (made.registry = new FixtureRegistry({ host })),
    kept?.file?.registryPort ?? 0,
  );
  const releases = releasesOf(platforms);
  const images: string[] = [];
  for (const release of releases) images.push((await made.registry?.add(release))?.byTag ?? '');
  const found = new RegistryReleases({ transport: socketTransport(), clock });
  const ignition = new IgnitionServers();
  const { podConnector } = await import('@capstan/apiserver');
  const pods = new GuestPods({ started, logger, podConnector });
  const guests = new HostedGuests({
    reach: pods.reach,
    forget: pods.forget,
    clock,
    random: random.split('hosted guests'),
    known,
    keep: async (namespace) => {
      await kept?.open(namespace, HOSTED_KEPT);
      return kept?.guest(namespace, HOSTED_KEPT)?.durable;
    },
  });
  const of = hostedComponents({
    cloud,
    guests,
    ignition,
    releases: found,
    infrastructure: { notices: noticesOf(cloud) },
    retryConnectMs: RETRY_CONNECT_MS,
    runsPods: true,
  });
  const byContainer = {
    ...of.byContainer,
    'control-plane-operator': anyOperator(controlPlaneOperator({ platforms, releases: found })),
    'hosted-cluster-config-operator': anyOperator(configOperator),
  };
  programs.register(`${served.host}/openshift/*`, hostedProgram({ ...of, byContainer }, servers));
  programs.register(OPERATOR_IMAGE, operatorProgram(operatorOf(platforms, found, clock), servers));
  const balancers: SocketBalancer[] = [];
  const kubelets = new Map(releases.map(({ kubernetesVersion, version }) => [version, `v${kubernetesVersion}`]));
  return {
    platforms,
    registry: served.host,
    images,
    fetchIgnition: ignition.fetch,
    kubeletOf: (release) => kubelets.get(release),
    podsOf: (server, node) => {
      const { hostname, port } = new URL(server);
      const service = balancers[0]?.serviceAt(hostname, Number(port));
      const guest = service === undefined ? undefined : guests.get(service.namespace);
      return service === undefined || guest === undefined ? undefined : pods.on(service.namespace, guest, node);
    },
    serve: (network, client, user, signal) => {
      balancers.push(balance({ ...options, transport: started.server }, network, user, signal));
      forgetGone({ ...options, client, guests }, signal);
    },
    close: async () => {
      await pods.close();
      await served.close();
    },
  };
}

function operatorOf(
  platforms: HostingPlatforms,
  releases: RegistryReleases,
  clock: StartedServer['clock'],
): ReturnType<typeof hypershiftOperator> {
  const images = new RegistryImages({ transport: socketTransport(), clock });
  return hypershiftOperator({
    platforms,
    releases: () => releases,
    images: () => images,
    privateCrds: SHIPPED_PRIVATE_CRDS,
  });
}

/** Ports of this machine for Services of type LoadBalancer. */
function balance(
  { logger, started, transport }: HostingOptions & { readonly transport: Transport },
  network: PodNetwork,
  user: UserInfo,
  signal: AbortSignal,
): SocketBalancer {
  const balancer = new SocketBalancer({ dial: (namespace, name, port) => network.dialService(namespace, name, port) });
  const { clock, random } = started;
  const client = { user, userAgent: 'load-balancers' };
  const manager = loadBalancerManager(
    { transport, clock, random: random.split('balancers'), logger, client },
    balancer,
  );
  manager
    .run(signal)
    .catch((error: unknown) => logger.error('the load balancers ended', { error: String(error) }))
    .finally(() => void balancer.stop());
  return balancer;
}

/** A cluster whose control plane namespace is gone is over, with everything in it. */
function forgetGone(
  { client, guests, logger, started }: HostingOptions & { readonly client: Client; readonly guests: HostedGuests },
  signal: AbortSignal,
): void {
  const { clock, random } = started;
  const given = { client, clock, random: random.split('control planes'), logger };
  const informer = new Informer({ ...given, resource: NAMESPACES, labelSelector: IS_CONTROL_PLANE });
  informer.addHandler({ delete: ({ metadata }) => guests.remove(metadata.name ?? '') });
  informer
    .run(signal)
    .catch((error: unknown) => logger.error('watching the control planes failed', { error: String(error) }));
}

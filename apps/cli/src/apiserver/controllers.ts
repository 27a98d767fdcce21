import { pushAll } from '@capstan/meta';
import type { Clock, Random, Transport, UserInfo } from '@capstan/meta';
import type {
  ContainerIsolation,
  NodeStreams,
  PodNetwork,
  PodRuntime,
  ProgramRegistry,
  RealAddress,
} from '@capstan/cluster';
import type { Logger } from '@capstan/kube';
import type { StartedServer } from './start.js';

export interface ControllersOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** The CA of the server's certificate, for pods to trust. */
  readonly caPem: string;
  /** How many nodes run pods; without any they stay pending. */
  readonly nodes: number;
  /** Where pods reach the API server. */
  readonly apiServer: RealAddress;
  /** The programs of images; given the package, which is loaded only now. */
  readonly programs: (cluster: Pick<typeof import('@capstan/cluster'), 'ProgramRegistry'>) => ProgramRegistry;
  /** Ends containers by errors that their programs do not catch. Default: those end the process. */
  readonly isolation?: ContainerIsolation | undefined;
  /** Ends the controllers. */
  readonly signal: AbortSignal;
}

/** Controllers at work. */
export interface RunningControllers {
  /** What can be done with the containers of each node, by its name. */
  readonly nodes: ReadonlyMap<string, NodeStreams>;
  /** What the pods of all nodes share; absent without nodes. */
  readonly runtime?: PodRuntime | undefined;
  /** Finds what serves behind a service, where that is a program of this process; absent without nodes. */
  readonly findService?: PodNetwork['findService'];
  /** Resolves when, after the signal, the last work has ended. */
  stopped(): Promise<void>;
}

/** Starts what makes a server a cluster, and plugs its nodes and services into the server. */
export async function attachControllers(
  started: StartedServer,
  options: Pick<ControllersOptions, 'isolation' | 'nodes' | 'logger' | 'signal' | 'programs'>,
): Promise<RunningControllers> {
  const { caPem, clock, connections, random, server, url } = started;
  const { hostname, port } = new URL(url);
  const apiServer = { host: hostname.replaceAll(/[[\]]/g, ''), port: Number(port) };
  const controllers = await startControllers({ ...options, transport: server, clock, random, caPem, apiServer });
  started.findServicesBy(controllers.findService);
  await Promise.all([...controllers.nodes].map(([node, streams]) => connections.attach(node, streams)));
  return controllers;
}

/** Controllers use identities of their own, as in Kubernetes, with the permissions of administrators. */
function controllerUser(name: string): UserInfo {
  return { username: `system:serviceaccount:kube-system:${name}`, groups: ['system:masters', 'system:authenticated'] };
}

/** Kubelets act as their nodes, with the permissions of those alone. */
function nodeUser(node: string): UserInfo {
  return { username: `system:node:${node}`, groups: ['system:nodes', 'system:authenticated'] };
}

/** Starts what makes the API server a cluster. */
async function startControllers(options: ControllersOptions): Promise<RunningControllers> {
  const [{ Client }, cluster] = await Promise.all([import('@capstan/kube'), import('@capstan/cluster')]);
  const { clock, logger, random, signal, transport } = options;
  const client = (name: string, user = controllerUser(name)): InstanceType<typeof Client> =>
    new Client(transport, {
      user,
      userAgent: `capstan/${name}`,
      clock,
      random: random.split(`${name}-client`),
    });
  const common = (name: string) => ({ client: client(name), clock, logger, random: random.split(name) });
  const informers = new cluster.SharedInformers(common('shared-informers'));
  const workload = (name: string) => ({ ...common(name), informers });
  const controllers = cluster.clusterControllers({ informers, optionsOf: common, rootCaPem: options.caPem });
  const nodes = new Map<string, InstanceType<typeof cluster.Kubelet>>();
  let runtime: PodRuntime | undefined;
  if (options.nodes > 0) {
    runtime = new cluster.PodRuntime({
      ...workload('kubelet'),
      apiServer: options.apiServer,
      programs: options.programs(cluster),
      isolation: options.isolation,
    });
    for (let index = 0; index < options.nodes; index += 1) {
      const { nodeIp: ip, podCidr } = cluster.nodeAddresses(index);
      const name = `capstan-${index}`;
      const own = { client: client(`kubelet-${name}`, nodeUser(name)) };
      nodes.set(name, new cluster.Kubelet(runtime, { name, ip, podCidr }, own));
    }
    pushAll(controllers, [new cluster.Scheduler(workload('scheduler'))], nodes.values());
  }
  await Promise.all(controllers.map((controller) => controller.start(signal)));
  return {
    nodes,
    ...(runtime === undefined ? {} : { runtime, findService: runtime.network.findService.bind(runtime.network) }),
    stopped: async () => {
      await Promise.all(controllers.map((controller) => controller.stopped()));
    },
  };
}

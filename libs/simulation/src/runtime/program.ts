import type { ContainerContext, Program, ProgramExit } from '@capstan/cluster';
import {
  BadUsage,
  COMMON_FLAGS,
  electionOf,
  errorText,
  HttpTransport,
  inClusterConnection,
  loadConnection,
  parseFlags,
  portOf,
} from '@capstan/kube';
import type {
  Connection,
  FileReader,
  FlagKinds,
  FlagValues,
  ManagerOptions,
  OperatorContext,
  OperatorDefinition,
} from '@capstan/kube';
import type { Transport, WatchBody } from '@capstan/meta';
import { clockCarry } from '@capstan/upstream';
import { SimulationError } from '../errors.js';
import { credentialedTransport } from '../guests/known-servers.js';
import type { KnownServer, KnownServers } from '../guests/known-servers.js';
import { textLogger } from './text-logger.js';

export interface OperatorProgramOptions {
  /** The API server pods find by themselves, where it is in this process; their tokens still decide what they may. */
  readonly apiServer?: KnownServer | undefined;
  /** Other servers of this process that a kubeconfig may name. */
  readonly servers?: KnownServers | undefined;
  /** Runs code of other components, such as a server of this process that is called. Default: just runs it. */
  readonly outside?: (<T>(run: () => T) => T) | undefined;
}

const KILLED = 137;
const NAMESPACE_FILE = '/var/run/secrets/kubernetes.io/serviceaccount/namespace';

/** An operator as what an image does: reads the flags, the environment and the files of its container. */
export function operatorProgram<K extends FlagKinds>(
  operator: OperatorDefinition<K>,
  options: OperatorProgramOptions = {},
): Program {
  return (container) => {
    const stopping = new AbortController();
    const killed = new AbortController();
    const run = runIn(container, operator, options, { stop: stopping.signal, kill: killed.signal });
    const died = new Promise<ProgramExit>((resolve) => {
      killed.signal.addEventListener('abort', () => resolve(KILLED), { once: true });
    });
    return {
      exited: Promise.race([died, run]),
      stop: () => stopping.abort(),
      kill: () => {
        killed.abort();
        stopping.abort();
      },
    };
  };
}

interface Signals {
  readonly stop: AbortSignal;
  readonly kill: AbortSignal;
}

async function runIn<K extends FlagKinds>(
  container: ContainerContext,
  operator: OperatorDefinition<K>,
  options: OperatorProgramOptions,
  signals: Signals,
): Promise<ProgramExit> {
  const fail = (message: string): ProgramExit => {
    if (!container.stderr.destroyed) container.stderr.write(`${message}\n`);
    return { exitCode: 1, message };
  };
  // What follows the name of the binary in its command counts as an argument too.
  const args = [...container.command.slice(1), ...container.args];
  const parsed = parseFlags({ ...COMMON_FLAGS, ...operator.flags }, args);
  if ('problem' in parsed) return fail(parsed.problem);
  try {
    const context = await contextFor(container, operator, options, {
      flags: parsed.values as OperatorContext<K>['flags'],
      kill: signals.kill,
    });
    const manager = await operator.build(context);
    await manager.run(signals.stop);
    return 0;
  } catch (error) {
    return fail(error instanceof BadUsage ? error.message : `${operator.name}: ${errorText(error)}`);
  }
}

async function contextFor<K extends FlagKinds>(
  container: ContainerContext,
  operator: OperatorDefinition<K>,
  options: OperatorProgramOptions,
  given: { readonly flags: OperatorContext<K>['flags']; readonly kill: AbortSignal },
): Promise<OperatorContext<K>> {
  const { clock, env, network, pod, random, stdout } = container;
  const flags: FlagValues<typeof COMMON_FLAGS> = given.flags;
  const files = filesOf(container);
  const own = await loadConnection({ path: flags.kubeconfig, env, home: '/root', clock, files }).catch(
    (error: unknown) => unconnected(error, flags.kubeconfig),
  );
  const watches = openWatches(given.kill);
  const connect = (to: Connection): Transport => mortal(wayTo(to, container, options), given.kill, watches);
  const namespace = await files.read(NAMESPACE_FILE).catch(() => pod.namespace);
  const identity = `${pod.name}_${pod.uid}`;
  return {
    options: {
      transport: 'reason' in own ? own.transport : connect(own),
      clock,
      random,
      logger: textLogger(stdout, clock, flags.v),
      client: { userAgent: operator.name },
      leaderElection: electionOf(flags, { name: operator.name, namespace, identity }),
      ...servers(flags, container, operator.healthPort),
    },
    flags: given.flags,
    env,
    namespace,
    files,
    inCluster: async () => connect(await inClusterConnection({ env, clock, files })),
    connect,
    carry: clockCarry(clock, random.split('calls')),
    attach: network.serve,
  };
}

/** Metrics and probes, on the network of the pod. */
function servers(
  flags: FlagValues<typeof COMMON_FLAGS>,
  { network }: ContainerContext,
  healthPort: number | undefined,
): Pick<ManagerOptions, 'metrics' | 'probes'> {
  const on = (port: number | undefined): ManagerOptions['metrics'] =>
    port === undefined ? undefined : { port, host: network.ip, attach: network.serve };
  return {
    metrics: on(portOf(flags['metrics-bind-address'] ?? flags['metrics-bind-addr'] ?? flags['diagnostics-address'])),
    probes: on(portOf(flags['health-probe-bind-address'] ?? flags['health-addr'] ?? String(healthPort ?? 0))),
  };
}

/** Who has no way to the cluster it runs in may have no need of one: it learns so when it asks. */
function unconnected(
  reason: unknown,
  named: string | undefined,
): { readonly reason: unknown; readonly transport: Transport } {
  if (named !== undefined) throw reason;
  const send = async (): Promise<never> => {
    throw reason;
  };
  return { reason, transport: { send } };
}

/** Straight into a server of this process where that is one, else over the network of the pod. */
function wayTo(connection: Connection, container: ContainerContext, options: OperatorProgramOptions): Transport {
  const { clock, env, network } = container;
  const { hostname } = new URL(connection.server);
  const isOwn = hostname === env['KUBERNETES_SERVICE_HOST'] || /^kubernetes(?:\.default(?:\.svc)?)?$/.test(hostname);
  const known = options.servers?.find(connection.server) ?? (isOwn ? options.apiServer : undefined);
  if (known !== undefined) {
    const { outside = (run) => run() } = options;
    const handle: KnownServer['handle'] = (request) => outside(() => known.handle(request));
    const server = { handle, clientCa: () => known.clientCa?.(), tokens: known.tokens };
    return credentialedTransport(server, connection.credentials, clock);
  }
  return new HttpTransport(connection, { clock, dial: network.dial });
}

/** After its end an operator sends and receives nothing any more: its watches end, as those of a process do. */
function mortal(transport: Transport, kill: AbortSignal, watches: Set<WatchBody>): Transport {
  return {
    send: async (request) => {
      if (kill.aborted) return new Promise(() => undefined);
      const response = await transport.send(request);
      return response.body.type === 'watch' ? { ...response, body: kept(response.body, watches) } : response;
    },
  };
}

/** The open watches of an operator; they end with it. One set for all connections, which may be many. */
function openWatches(kill: AbortSignal): Set<WatchBody> {
  const watches = new Set<WatchBody>();
  kill.addEventListener('abort', () => {
    for (const watch of watches) watch.stop();
    watches.clear();
  });
  return watches;
}

/** A watch that is listed as long as it is open. */
function kept(watch: WatchBody, open: Set<WatchBody>): WatchBody {
  open.add(watch);
  return {
    type: 'watch',
    start: (sink) =>
      watch.start({
        frame: (frame, isPast) => sink.frame(frame, isPast),
        end: (error) => {
          open.delete(watch);
          sink.end(error);
        },
      }),
    stop: () => {
      open.delete(watch);
      watch.stop();
    },
  };
}

function filesOf({ mounts }: ContainerContext): FileReader {
  return {
    read: async (path) => {
      try {
        return Buffer.from(await mounts.read(path)).toString('utf8');
      } catch (error) {
        throw new SimulationError('ENOENT', errorText(error));
      }
    },
  };
}

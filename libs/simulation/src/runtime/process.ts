import { COMMON_FLAGS, electionOf, parseFlags, TransportError } from '@capstan/kube';
import type { Connection, FileReader, FlagKinds, OperatorContext, OperatorDefinition } from '@capstan/kube';
import type { Transport } from '@capstan/meta';
import { SimulationError } from '../errors.js';
import { credentialedTransport } from '../guests/known-servers.js';
import type { KnownServer, KnownServers } from '../guests/known-servers.js';
import type { ProcessContext, ProcessDefinition } from '../engine/process.js';
import { isPointedAtSidecar, translatedTransport } from './translated-transport.js';
import type { PodSidecar } from './translated-transport.js';

export interface OperatorProcessOptions extends Omit<ProcessDefinition, 'name' | 'start'> {
  /** Default: the name of the operator. */
  readonly name?: string | undefined;
  readonly args?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly namespace?: string | undefined;
  /** Files it may read, by path. */
  readonly files?: FileReader | Readonly<Record<string, string>> | undefined;
  /** Servers in addition to that of the simulation that it may reach. */
  readonly servers?: KnownServers | undefined;
  /** The API proxy of its pod. */
  readonly sidecar?: PodSidecar | undefined;
}

/** An operator as a process of a simulation. */
export function operatorProcess<K extends FlagKinds>(
  operator: OperatorDefinition<K>,
  options: OperatorProcessOptions = {},
): ProcessDefinition {
  const { args = [], env = {}, files = {}, name = operator.name, namespace = 'default', ...others } = options;
  const { servers, sidecar, ...rest } = others;
  const { user } = rest;
  const parsed = parseFlags({ ...COMMON_FLAGS, ...operator.flags }, args);
  if ('problem' in parsed) throw new SimulationError('BAD_ARGUMENT', `${name}: ${parsed.problem}`);
  return {
    ...rest,
    name,
    start: async (context) => {
      const { carry, clock, logger, random, signal } = context;
      const translated = sidecar && translatedTransport(context.transport, sidecar.translator);
      const transport = translated !== undefined && isPointedAtSidecar(env) ? translated : context.transport;
      const identity = `${name}_${Buffer.from(random.split('identity').bytes(6)).toString('hex')}`;
      const leaderElection = electionOf(parsed.values, { name: operator.name, namespace, identity });
      const manager = await operator.build({
        options: { transport, clock, random, logger, client: { userAgent: name, user }, leaderElection },
        flags: parsed.values as OperatorContext<K>['flags'],
        env,
        namespace,
        files: isReader(files) ? files : inMemory(files),
        inCluster: () => Promise.resolve(context.transport),
        connect: (connection) =>
          translated !== undefined && connection.server === sidecar?.server
            ? translated
            : simulatedConnection(context, connection, servers),
        carry,
        attach: nowhere,
      });
      await manager.run(signal);
    },
  };
}

/** In a simulation nothing scrapes metrics, and no port of the machine may be taken. */
const nowhere: NonNullable<OperatorContext<FlagKinds>['attach']> = () =>
  Promise.resolve({ close: () => Promise.resolve() });

function isReader(files: FileReader | Readonly<Record<string, string>>): files is FileReader {
  return typeof files['read'] === 'function';
}

function inMemory(files: Readonly<Record<string, string>>): FileReader {
  return {
    read: (path) => {
      const text = files[path];
      if (text !== undefined) return Promise.resolve(text);
      return Promise.reject(new SimulationError('ENOENT', `open ${path}: no such file or directory`));
    },
  };
}

/** Through the faults of the simulation, with the credentials of the connection. */
function simulatedConnection(
  context: ProcessContext,
  connection: Connection,
  servers: KnownServers | undefined,
): Transport {
  // Looked for at each request: a server may not be there yet, or no more.
  const handle: KnownServer['handle'] = (request) =>
    servers?.find(connection.server)?.handle(request) ??
    Promise.reject(
      new TransportError(
        'ENOTFOUND',
        `no server of the simulation has the URL ${connection.server}, to which ${context.name} connects`,
        false,
      ),
    );
  const { host, pathname } = new URL(connection.server);
  const line = context.connect({
    prefix: pathname === '/' ? `/${host}` : pathname,
    server: { handle },
  });
  const known: KnownServer = {
    handle: (request) => line.send(request),
    clientCa: () => servers?.find(connection.server)?.clientCa?.(),
    get tokens() {
      return servers?.find(connection.server)?.tokens;
    },
  };
  return credentialedTransport(known, connection.credentials, context.clock);
}

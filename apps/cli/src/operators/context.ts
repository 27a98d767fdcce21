import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { electionOf, HttpTransport, inClusterConnection, portOf, systemClock, systemRandom, uuid } from '@capstan/kube';
import type {
  Client,
  COMMON_FLAGS,
  Connection,
  FlagKinds,
  FlagValues,
  Logger,
  ManagerOptions,
  OperatorContext,
  ResourceKind,
} from '@capstan/kube';
import { isNotFound } from '@capstan/meta';
import { CliError } from '../errors.js';
import type { Machine } from '../io.js';

/** An operator of this process: its settings, and the connection to its cluster. */
export interface LocalOperator<K extends FlagKinds> {
  readonly name: string;
  readonly connection: Connection;
  readonly flags: OperatorContext<K>['flags'];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly namespace: string;
  readonly logger: Logger;
  /** Where it reads files, listens and dials; absent: on this machine. */
  readonly machine?: Machine | undefined;
}

/** What an operator is given that runs as a process, and what closes all it has opened. */
export function localContext<K extends FlagKinds>(
  operator: LocalOperator<K>,
): { readonly context: OperatorContext<K>; readonly close: () => Promise<void> } {
  const { connection, env, logger, machine, name, namespace } = operator;
  const flags: FlagValues<typeof COMMON_FLAGS> = operator.flags;
  const [clock, random] = [machine?.clock ?? systemClock(), systemRandom()];
  const opened: HttpTransport[] = [];
  const connect = (to: Connection): HttpTransport => {
    const transport = new HttpTransport(to, { clock, dial: machine?.dial });
    opened.push(transport);
    return transport;
  };
  const files = machine?.files ?? { read: (path: string) => readFile(path, 'utf8') };
  const texts = Object.fromEntries(
    Object.entries(env).flatMap(([key, text]) => (text === undefined ? [] : [[key, text]])),
  );
  const identity = `${hostname()}_${uuid(random)}`;
  const context: OperatorContext<K> = {
    options: {
      transport: connect(connection),
      clock,
      random,
      logger,
      client: { userAgent: name },
      leaderElection: electionOf(flags, { name, namespace, identity }),
      metrics: listening(flags['metrics-bind-address'], machine),
      probes: listening(flags['health-probe-bind-address'], machine),
    },
    flags: operator.flags,
    env: texts,
    namespace,
    files,
    inCluster: async () => connect(await inClusterConnection({ env: texts, clock, files })),
    connect,
    carry: (_call, act) => Promise.resolve(act()),
    attach: machine?.attach,
  };
  const close = async (): Promise<void> => {
    await Promise.all(opened.map((transport) => transport.close()));
  };
  return { context, close };
}

/** Where something listens: `host:port`, or `:port` for every address; `0` and nothing for nowhere. */
function listening(address: string | undefined, machine: Machine | undefined): ManagerOptions['metrics'] {
  const port = portOf(address);
  const host = (address ?? '').split(':').slice(0, -1).join(':');
  return port === undefined ? undefined : { port, host: host === '' ? '0.0.0.0' : host, attach: machine?.attach };
}

/** Without its CRDs an operator would wait for ever, and nobody would know what for. */
export async function expectDefinitions(client: Client, needed: readonly ResourceKind[]): Promise<void> {
  for (const kind of needed)
    await client.revision(kind).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
      const { group, plural } = kind;
      throw new CliError(`the management cluster does not serve ${plural}.${group}`, 'install its CRD first', {
        cause: error,
      });
    });
}

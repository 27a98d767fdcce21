import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { buildChecker, REQUIREMENTS, settingsFrom } from '@capstan/crd-compatibility';
import type { CheckerSettings } from '@capstan/crd-compatibility';
import {
  BadUsage,
  Client,
  electionOf,
  HttpTransport,
  loadConnection,
  portOf,
  systemClock,
  systemRandom,
  uuid,
} from '@capstan/kube';
import type { Connection, ManagerOptions } from '@capstan/kube';
import type { Transport } from '@capstan/meta';
import { lineLogger } from '../apiserver/log.js';
import { CliError, UsageError } from '../errors.js';
import { unusable } from '../files.js';
import { staySmall } from '../heap.js';
import type { Io } from '../io.js';
import { listenForStop } from '../lifetime.js';
import type { StopRequest } from '../lifetime.js';
import { expectDefinitions } from '../operators/context.js';
import type { ClusterOptions } from '../options.js';

/** Options of `capstan crd-compatibility`. */
export interface CheckerCommandOptions extends ClusterOptions {
  readonly webhookCertDir: string;
  readonly webhookHost: string;
  readonly webhookPort: number;
  readonly webhookService?: string | undefined;
  readonly webhookUrl?: string | undefined;
  readonly webhookCaFile?: string | undefined;
  readonly staticWebhook: boolean;
  readonly namespace: string;
  readonly leaderElect?: boolean | undefined;
  readonly shutdownDelay: number;
  readonly metricsBindAddress: string;
  readonly healthProbeBindAddress: string;
  readonly verbose?: boolean | undefined;
  readonly output?: 'json' | undefined;
}

/** Checks until asked to stop; asked a second time it ends at once. */
export async function runCrdCompatibility(options: CheckerCommandOptions, io: Io): Promise<void> {
  const settings = settingsOf(options);
  // Reading many CRDs at the start leaves far more garbage than answering reviews ever does.
  staySmall(io);
  const stop = listenForStop(io);
  try {
    const { context, kubeconfig } = options;
    const { env, machine } = io;
    const { clock, files } = machine ?? {};
    const connection = await loadConnection({ path: kubeconfig, context, env, home: env['HOME'], files, clock });
    const transport = new HttpTransport(connection, { clock, dial: machine?.dial });
    const opened = [transport];
    const connect = (url: string): Transport => {
      const single = new HttpTransport(connectionTo(url, connection), { clock, dial: machine?.dial, ...SINGLE });
      opened.push(single);
      return single;
    };
    try {
      await expectDefinitions(new Client(transport), [REQUIREMENTS]);
      await serve({ settings, options, transport, connect, server: connection.server }, io, stop);
    } finally {
      for (const each of opened) await each.close();
    }
  } finally {
    stop.release();
  }
}

/** Who cannot be reached by himself is soon given up. */
const SINGLE = { connectTimeoutMs: 2000, requestTimeoutMs: 30_000 } as const;

/** The connection to one API server of those behind another: its certificate is for the name they share. */
function connectionTo(server: string, connection: Connection): Connection {
  const { hostname: host } = new URL(connection.server);
  const serverName = connection.trust.serverName ?? (isIP(host.replace(/^\[|\]$/g, '')) === 0 ? host : undefined);
  return { ...connection, server, trust: { ...connection.trust, serverName } };
}

interface Serving {
  readonly connect: (url: string) => Transport;
  readonly settings: CheckerSettings;
  readonly options: CheckerCommandOptions;
  readonly transport: Transport;
  readonly server: string;
}

async function serve(
  { connect, options, server, settings, transport }: Serving,
  io: Io,
  stop: StopRequest,
): Promise<void> {
  const { attach, files } = io.machine ?? {};
  const { manager, url } = await started(async () =>
    buildChecker({
      manager: managerOptions(options, transport, io),
      settings,
      certificate: settings,
      caPem: await cas(settings.caFile, io),
      files,
      attach,
      connect,
    }),
  );
  const ended = manager.run(stop.signal);
  const listening = await Promise.race([
    url(),
    ended.then(() => Promise.reject(new CliError('the checker ended before it was ready', 'see its log'))),
  ]);
  if (options.output === 'json') io.out(`${JSON.stringify({ url: listening, server, pid: process.pid })}\n`);
  else io.out(`CRDs of ${server} are checked at ${listening}\n`);
  await ended;
}

function settingsOf(options: CheckerCommandOptions): CheckerSettings {
  const flags = {
    'shutdown-delay': options.shutdownDelay,
    'static-webhook': options.staticWebhook,
    'webhook-cert-dir': options.webhookCertDir,
    'webhook-host': options.webhookHost,
    'webhook-port': options.webhookPort,
    ...(options.webhookCaFile === undefined ? {} : { 'webhook-ca-file': options.webhookCaFile }),
    ...(options.webhookService === undefined ? {} : { 'webhook-service': options.webhookService }),
    ...(options.webhookUrl === undefined ? {} : { 'webhook-url': options.webhookUrl }),
  };
  try {
    return settingsFrom({ flags, namespace: options.namespace });
  } catch (error) {
    if (!(error instanceof BadUsage)) throw error;
    throw new UsageError(error.message, "See 'capstan crd-compatibility --help' for usage.", { cause: error });
  }
}

function managerOptions(options: CheckerCommandOptions, transport: Transport, io: Io): ManagerOptions {
  const { healthProbeBindAddress, leaderElect, metricsBindAddress, namespace, verbose } = options;
  const { machine } = io;
  const random = systemRandom();
  const attach = machine?.attach;
  const at = (address: string): ManagerOptions['metrics'] => {
    const port = portOf(address);
    const host = address.split(':').slice(0, -1).join(':');
    return port === undefined ? undefined : { port, host: host === '' ? '0.0.0.0' : host, attach };
  };
  return {
    transport,
    clock: machine?.clock ?? systemClock(),
    random,
    logger: lineLogger(io, verbose === true),
    leaderElection: electionOf(
      { 'leader-elect': leaderElect === true },
      { name: 'crd-compatibility', namespace, identity: `${hostname()}_${uuid(random)}` },
    ),
    metrics: at(metricsBindAddress),
    probes: at(healthProbeBindAddress),
  };
}

async function cas(path: string | undefined, { machine }: Io): Promise<string | undefined> {
  if (path === undefined) return undefined;
  try {
    return await (machine?.files.read(path) ?? readFile(path, 'utf8'));
  } catch (error) {
    throw unusable('file of CAs', path, error, 'name a PEM file with --webhook-ca-file');
  }
}

/** Starting it, with its refusals in the words of the command line. */
async function started<T>(start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'bad-certificate')
      throw new CliError(error.message, 'name a folder of tls.crt and tls.key with --webhook-cert-dir', {
        cause: error,
      });
    throw error;
  }
}

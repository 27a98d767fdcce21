import { join } from 'node:path';
import { BadConfiguration, readDelegates, startShim } from '@capstan/conversion-shim';
import type { RunningShim, ShimOptions } from '@capstan/conversion-shim';
import { HttpTransport, loadConnection } from '@capstan/kube';
import type { Connection, Logger } from '@capstan/kube';
import { lineLogger } from '../apiserver/log.js';
import { readGroupPairs } from '../crds/settings.js';
import { CliError, UsageError } from '../errors.js';
import type { Io } from '../io.js';
import { listenForStop } from '../lifetime.js';
import type { ClusterOptions } from '../options.js';

/** Options of `capstan conversion-shim`. */
export interface ShimCommandOptions extends ClusterOptions {
  readonly certDir: string;
  readonly host: string;
  readonly port: number;
  readonly healthHost: string;
  readonly healthPort: number;
  readonly delegate?: readonly string[] | undefined;
  readonly delegateCaFile?: string | undefined;
  readonly delegateTimeout: number;
  readonly groupPair?: readonly string[] | undefined;
  readonly maxConcurrent: number;
  readonly maxQueued: number;
  readonly maxReviewMib: number;
  readonly verbose?: boolean | undefined;
  readonly output?: 'json' | undefined;
}

const MIB = 1024 * 1024;

/** Serves until asked to stop; asked a second time it ends at once. */
export async function runConversionShim(options: ShimCommandOptions, io: Io): Promise<void> {
  const stop = listenForStop(io);
  const logger = lineLogger(io, options.verbose === true);
  try {
    const { context, kubeconfig } = options;
    const { env, machine } = io;
    const { clock, files } = machine ?? {};
    const connection = await loadConnection({ path: kubeconfig, context, env, home: env['HOME'], files, clock });
    const transport = new HttpTransport(connection, { clock, dial: machine?.dial });
    try {
      const given = { ...shimOptions(options, logger), transport, ...machine };
      const shim = await started(() => startShim(given));
      try {
        announce(shim, connection, options, io);
        await Promise.race([stop.requested, shim.ended]);
        logger.info('stopping');
      } finally {
        await shim.stop();
      }
    } finally {
      await transport.close();
    }
  } finally {
    stop.release();
  }
}

function shimOptions(options: ShimCommandOptions, logger: Logger): Omit<ShimOptions, 'transport'> {
  const mapping = readGroupPairs(options.groupPair ?? []);
  const { certDir, delegateCaFile, healthHost, healthPort, host, port } = options;
  return {
    host,
    port,
    health: { host: healthHost, port: healthPort },
    certificate: { certFile: join(certDir, 'tls.crt'), keyFile: join(certDir, 'tls.key') },
    mapping,
    delegates: delegatesOf(options, mapping),
    delegateCaFile,
    limits: {
      concurrent: options.maxConcurrent,
      queued: options.maxQueued,
      bodyBytes: options.maxReviewMib * MIB,
      delegateMs: options.delegateTimeout,
    },
    logger,
  };
}

function delegatesOf(
  { delegate = [] }: ShimCommandOptions,
  mapping: ReturnType<typeof readGroupPairs>,
): ShimOptions['delegates'] {
  try {
    return readDelegates(delegate, mapping);
  } catch (error) {
    if (!(error instanceof BadConfiguration)) throw error;
    throw new UsageError(`--delegate ${error.message}`, "See 'capstan conversion-shim --help' for usage.", {
      cause: error,
    });
  }
}

/** Starting it, with its refusals in the words of the command line. */
async function started(start: () => Promise<RunningShim>): Promise<RunningShim> {
  try {
    return await start();
  } catch (error) {
    if (error instanceof BadConfiguration)
      throw new CliError(error.message, 'name a PEM file with --delegate-ca-file', { cause: error });
    if (error instanceof Error && 'code' in error && error.code === 'bad-certificate')
      throw new CliError(error.message, 'name a folder of tls.crt and tls.key with --cert-dir', { cause: error });
    throw error;
  }
}

function announce(
  { healthUrl, url }: RunningShim,
  { server }: Connection,
  { output }: ShimCommandOptions,
  io: Io,
): void {
  if (output === 'json') {
    io.out(`${JSON.stringify({ url: `${url}/convert`, healthUrl, server, pid: process.pid })}\n`);
    return;
  }
  io.out(`Reviews of ${server} are converted at ${url}/convert\n`);
  if (healthUrl !== undefined) io.out(`Health and metrics are on ${healthUrl}\n`);
}

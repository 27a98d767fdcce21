import { resolve } from 'node:path';
import { kubeconfigText, loadConnection, writeKubeconfig } from '@capstan/kube/connect';
import { proxyOptionsFrom, startProxy } from '@capstan/proxy';
import type { ProxyFlags, RunningProxy } from '@capstan/proxy';
import { lineLogger } from '../apiserver/log.js';
import { CliError, UsageError } from '../errors.js';
import { unusable } from '../files.js';
import type { Io } from '../io.js';
import { listenForStop } from '../lifetime.js';
import type { ClusterOptions } from '../options.js';

/** Options of `capstan proxy`. */
export interface ProxyCommandOptions extends ClusterOptions, ProxyFlags {
  readonly kubeconfigOut?: string | undefined;
  readonly verbose?: boolean | undefined;
  readonly output?: 'json' | undefined;
}

/** Serves until asked to stop; asked a second time it ends at once. */
export async function runProxy(options: ProxyCommandOptions, io: Io): Promise<void> {
  const stop = listenForStop(io);
  const logger = lineLogger(io, options.verbose === true);
  try {
    const { env, machine } = io;
    const { context, kubeconfig: path } = options;
    const connection = await loadConnection({ path, context, env, files: machine?.files, clock: machine?.clock });
    const proxy = await started(() =>
      startProxy({ ...proxyOptionsFrom(options), connection, logger, network: machine, clock: machine?.clock }),
    );
    try {
      await announce(proxy, { ...options, server: connection.server, namespace: connection.namespace }, io);
      await stop.requested;
      logger.info('stopping');
    } finally {
      await proxy.close();
    }
  } finally {
    stop.release();
  }
}

/** Starting it, with its refusals in the words of the command line. */
async function started(start: () => Promise<RunningProxy>): Promise<RunningProxy> {
  try {
    return await start();
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    if (error.code === 'bad-options')
      throw new UsageError(error.message, "See 'capstan proxy --help' for usage.", { cause: error });
    if (error.code === 'EADDRINUSE')
      throw new CliError(error.message, 'choose another port with --listen or --health-listen, 0 for any free one', {
        cause: error,
      });
    if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
      throw new CliError(error.message, 'choose an address of this machine with --listen or --health-listen', {
        cause: error,
      });
    throw error;
  }
}

/** Writes the kubeconfig, then reports that the proxy is ready: a reader of that line may use the file. */
async function announce(
  { url, healthUrl }: RunningProxy,
  options: ProxyCommandOptions & { readonly server: string; readonly namespace: string },
  io: Io,
): Promise<void> {
  const kubeconfig = options.kubeconfigOut === undefined ? undefined : resolve(options.kubeconfigOut);
  if (kubeconfig !== undefined) {
    const content = { server: url, name: 'capstan-proxy', namespace: options.namespace };
    try {
      if (io.machine === undefined) await writeKubeconfig({ path: kubeconfig, ...content });
      else io.machine.files.write(kubeconfig, kubeconfigText(content));
    } catch (error) {
      throw unusable('kubeconfig', kubeconfig, error, 'name a file you may write with --kubeconfig-out');
    }
  }
  if (options.output === 'json') {
    io.out(`${JSON.stringify({ url, healthUrl, kubeconfig, server: options.server, pid: process.pid })}\n`);
    return;
  }
  io.out(`The proxy of ${options.server} listens on ${url}\n`);
  if (healthUrl !== undefined) io.out(`Health and metrics are on ${healthUrl}\n`);
  if (kubeconfig !== undefined) io.out(`export KUBECONFIG=${kubeconfig}\n`);
}

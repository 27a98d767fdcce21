import { attachControllers } from './controllers.js';
import type { ControllersOptions } from './controllers.js';
import type { RunCommand } from '../context.js';
import { startSmall } from '../heap.js';
import type { Io } from '../io.js';
import { kubeconfigPlace, listenForStop, sayReady, writeAdminKubeconfig } from '../lifetime.js';
import { registerCapstan } from '../pods/capstan-images.js';
import { openAuditLog, type AuditLogOptions } from './audit-log.js';
import { lineLogger } from './log.js';
import { startServer } from './start.js';
import type { ApiserverOptions, StartedServer } from './start.js';

/** Serves until asked to stop; asked a second time it ends at once. What it made for itself is removed. */
export async function runApiserver(
  options: ApiserverOptions & AuditLogOptions,
  io: Io,
  command: RunCommand,
): Promise<void> {
  // Reading the stored objects back needs the memory at once.
  const heap = startSmall(options.data === undefined ? io : {});
  const log = await openAuditLog(options, io);
  try {
    await serveUntilStopped({ ...options, audit: log?.options, command }, io, heap.started);
  } finally {
    heap.release();
    log?.close();
  }
}

async function serveUntilStopped(
  options: ApiserverOptions & { readonly command: RunCommand },
  io: Io,
  onStarted: () => void,
): Promise<void> {
  const stop = listenForStop(io);
  const logger = lineLogger(io, options.verbose === true);
  const kubeconfig = kubeconfigPlace(options.kubeconfigOut, io, stop.signal);
  try {
    const started = await startServer(options, logger);
    try {
      if (!stop.signal.aborted) await announce(started, kubeconfig.path, io);
      const { command, nodes } = options;
      const programs: ControllersOptions['programs'] = ({ ProgramRegistry }) =>
        registerCapstan(new ProgramRegistry(), command);
      const controllers = options.controllers
        ? runControllers(started, { nodes, logger, programs, signal: stop.signal }, onStarted)
        : onStarted();
      await stop.requested;
      logger.info('stopping');
      await controllers;
    } finally {
      await started.close();
    }
  } finally {
    kubeconfig.release();
    stop.release();
  }
}

/** Writes the kubeconfig, then reports that the server is ready: a reader of that line may use the file. */
async function announce(started: StartedServer, kubeconfig: string, io: Io): Promise<void> {
  await writeAdminKubeconfig(started, kubeconfig);
  const { url, version } = started;
  sayReady(`${JSON.stringify({ url, kubeconfig, pid: process.pid, version })}\n`, io);
  if (io.isTty) {
    io.err(
      `The API server is ready. In another terminal:\n\n  export KUBECONFIG=${kubeconfig}\n  kubectl get namespaces\n\nCtrl-C stops it.\n`,
    );
  }
}

/** Resolves when the controllers have ended. A failure to start is logged, and the server runs on without them. */
async function runControllers(
  started: StartedServer,
  options: Parameters<typeof attachControllers>[1],
  onStarted: () => void,
): Promise<void> {
  const { logger } = options;
  try {
    const controllers = await attachControllers(started, options).finally(onStarted);
    logger.info('controllers started');
    await controllers.stopped();
  } catch (error) {
    logger.error('controllers failed', { error: String(error) });
  }
}

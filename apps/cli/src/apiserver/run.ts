import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Logger } from '@capstan/kube';
import { startControllers } from '../controllers.js';
import { unusable } from '../files.js';
import type { Io } from '../io.js';
import { openAuditLog, type AuditLogOptions } from './audit-log.js';
import { lineLogger } from './log.js';
import { startServer } from './start.js';
import type { ApiserverOptions, StartedServer } from './start.js';

/** Serves until asked to stop; asked a second time it ends at once. What it made for itself is removed. */
export async function runApiserver(options: ApiserverOptions & AuditLogOptions, io: Io): Promise<void> {
  const log = await openAuditLog(options, io);
  try {
    await serveUntilStopped({ ...options, audit: log?.options }, io);
  } finally {
    log?.close();
  }
}

async function serveUntilStopped(options: ApiserverOptions, io: Io): Promise<void> {
  const stop = listenForStop(io);
  const logger = lineLogger(io, options.verbose === true);
  const folder = options.kubeconfigOut === undefined ? temporaryFolder(io) : undefined;
  const kubeconfig = resolve(options.kubeconfigOut ?? join(folder?.path ?? '', 'kubeconfig'));
  try {
    const started = await startServer(options, logger);
    try {
      await announce(started, kubeconfig, io);
      const controllers = options.controllers ? runControllers(started, options.nodes, logger, stop.signal) : undefined;
      await stop.requested;
      logger.info('stopping');
      await controllers;
    } finally {
      await started.close();
    }
  } finally {
    folder?.remove();
    stop.release();
  }
}

interface StopRequest {
  readonly signal: AbortSignal;
  readonly requested: Promise<void>;
  release(): void;
}

function listenForStop(io: Io): StopRequest {
  const ending = new AbortController();
  const requested = new Promise<void>((resolveRequested) => {
    ending.signal.addEventListener('abort', () => resolveRequested(), { once: true });
  });
  const release = io.onStop(() => {
    if (ending.signal.aborted) io.exit(1);
    else ending.abort();
  });
  return { signal: ending.signal, requested, release };
}

/** A folder that is gone when the process is, also when that ends in a hurry. */
function temporaryFolder(io: Io): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'capstan-'));
  const erase = (): void => rmSync(path, { recursive: true, force: true });
  const forget = io.onExit(erase);
  return {
    path,
    remove: () => {
      erase();
      forget();
    },
  };
}

/** Writes the kubeconfig, then says that the server is ready: whoever reads the line may use the file. */
async function announce(started: StartedServer, kubeconfig: string, io: Io): Promise<void> {
  const { writeKubeconfig } = await import('@capstan/kube');
  const { caPem, token, url, version } = started;
  try {
    await writeKubeconfig({ path: kubeconfig, server: url, caPem, token });
  } catch (error) {
    throw unusable('kubeconfig', kubeconfig, error, 'name a file you may write with --kubeconfig-out');
  }
  io.out(`${JSON.stringify({ url, kubeconfig, pid: process.pid, version })}\n`);
  if (io.isTty) {
    io.err(
      `The API server is ready. In another terminal:\n\n  export KUBECONFIG=${kubeconfig}\n  kubectl get namespaces\n\nCtrl-C stops it.\n`,
    );
  }
}

/** Resolves when the controllers have ended. Their failure to start is told, and the server goes on without them. */
async function runControllers(
  started: StartedServer,
  nodes: number,
  logger: Logger,
  signal: AbortSignal,
): Promise<void> {
  const { caPem, clock, random, server, url } = started;
  const { hostname, port } = new URL(url);
  const apiServer = { host: hostname.replaceAll(/[[\]]/g, ''), port: Number(port) };
  try {
    const options = { transport: server, clock, random, logger, signal, caPem, nodes, apiServer };
    const controllers = await startControllers(options);
    started.findServicesBy(controllers.findService);
    const attaching = [...controllers.nodes].map(([node, streams]) => started.connections.attach(node, streams));
    await Promise.all(attaching);
    logger.info('controllers started');
    await controllers.stopped();
  } catch (error) {
    logger.error('controllers failed', { error: String(error) });
  }
}

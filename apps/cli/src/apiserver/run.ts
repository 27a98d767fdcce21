import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { ApiServer, HttpServer } from '@capstan/apiserver';
import type { Logger } from '@capstan/kube';
import type { UserInfo } from '@capstan/meta';
import { startControllers } from '../controllers.js';
import type { Io } from '../io.js';
import { dialAddress, servingNames } from './addresses.js';
import { lineLogger } from './log.js';

export interface ApiserverOptions {
  readonly port: number;
  readonly host: string;
  readonly kubeconfigOut?: string | undefined;
  readonly token?: string | undefined;
  readonly controllers: boolean;
  readonly enableFaultInjection?: boolean | undefined;
  readonly historyMinEvents?: number | undefined;
  /** Milliseconds. */
  readonly historyMinAge?: number | undefined;
  readonly verbose?: boolean | undefined;
}

const ADMINISTRATOR: UserInfo = { username: 'capstan-admin', groups: ['system:masters', 'system:authenticated'] };
const TOKEN_BYTES = 24;

/** Serves until asked to stop. A second request to stop ends the process at once. */
export async function runApiserver(options: ApiserverOptions, io: Io): Promise<void> {
  const stop = listenForStop(io);
  const logger = lineLogger(io, options.verbose === true);
  const folder = options.kubeconfigOut === undefined ? temporaryFolder(io) : undefined;
  const kubeconfig = resolve(folder === undefined ? (options.kubeconfigOut ?? '') : join(folder.path, 'kubeconfig'));
  try {
    const { server, http, address } = await start(options, logger);
    try {
      const version = await writeAccess(options, { address, kubeconfig, ca: http.ca, token: http.token });
      announce(io, { url: `https://${address}`, kubeconfig, pid: process.pid, version });
      if (options.controllers) await runControllers(server, logger, stop.signal);
      await stop.requested;
      logger.info('stopping');
    } finally {
      await http.server.close();
    }
  } finally {
    folder?.remove();
    stop.release();
  }
}

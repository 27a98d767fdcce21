import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { KeyPair } from '@capstan/kube';

import { APISERVER_READY_LIMIT_MS, ETCD_READY_LIMIT_MS } from './limits.js';
import { assetsInDir, explainMissingRealKube, locateRealKube } from './locate.js';
import type { RealKubeAssets } from './locate.js';
import { LOOPBACK, freePort, nonLoopbackAddress } from './network.js';
import { ProcessGroup } from './processes.js';
import type { ServerProcess } from './processes.js';
import { ServerDiedError, get, waitReady } from './ready.js';
import { apiserverArgs, auditArgs, etcdArgs, podProxyArgs, writeKubeconfig, writeServerFiles } from './server-files.js';
import type { ServerFiles } from './server-files.js';

/** Another process may take a free port before the server binds it; twice in a row is no accident. */
const START_ATTEMPTS = 3;

export interface StartOptions {
  /** "1.30", "v1.36.3" …; without it the newest that is there. */
  readonly version?: string;
  /** A folder with kube-apiserver and etcd, or what `locateRealKube` gave; goes before `version`. */
  readonly assets?: string | RealKubeAssets;
  /** Added at the end of kube-apiserver's command line, so they win over the defaults. */
  readonly extraApiserverArgs?: readonly string[];
  /**
   * Nodes and pods live in this process: the server asks for them at `podProxySocket`, by HTTP CONNECT. What is behind
   * a Service it cannot reach while nobody listens there.
   */
  readonly reachesPods?: boolean;
  /** Who did what is written to `auditLog`. */
  readonly keepsAuditLog?: boolean;
  /** Variables of kube-apiserver that the environment of this process does not set. */
  readonly apiserverEnv?: Readonly<Record<string, string>>;
  /** Gives up starting; a server that is up is ended by `stop()`. */
  readonly signal?: AbortSignal;
}

export interface RealKube {
  /** As the server names itself, for example "v1.36.3". */
  readonly version: string;
  readonly url: string;
  /** What to trust: the certificate the server made for itself at start. */
  readonly caPem: string;
  /** A member of system:masters, for whom authorization is never asked. */
  readonly token: string;
  readonly kubeconfigPath: string;
  /** Issues the certificates of kubelets the server shall reach; vouches for the server towards them as well. */
  readonly kubeletCa: KeyPair;
  /** Set when the folder of the binaries also holds kubectl. */
  readonly kubectlPath?: string;
  /**
   * The address at which the server reaches webhooks of this process. A
   * webhook or APIService behind a Service is dialled at the Service's
   * endpoints, and these may not be loopback addresses; so listen here, create
   * a Service without selector, and name this address in its backing object.
   * Kubernetes 1.30 reads Endpoints, 1.36 reads EndpointSlices alone (label
   * kubernetes.io/service-name), and no controller mirrors one into the other:
   * create both. A webhook given by URL may use loopback as well. Undefined on
   * a machine that has no other address.
   */
  readonly webhookHost: string | undefined;
  /** Of a server that reaches pods: where to listen for it. */
  readonly podProxySocket?: string;
  /** Of a server that keeps one. */
  readonly auditLog?: string;
  /** From process start to first readiness; the server's includes the `default` namespace. */
  readonly metricsOfStart: { readonly etcdMs: number; readonly apiserverMs: number };
  /** For reading memory and CPU time from /proc. */
  readonly pids: { readonly etcd: number; readonly apiserver: number };
  readonly logFiles: { readonly etcd: string; readonly apiserver: string };
  /** Resolves with a sentence when one of the processes ends, asked for or not. */
  readonly exited: Promise<string>;
  /** Kills kube-apiserver and restarts it at the same place, with the same data. */
  restartApiserver(): Promise<void>;
  /** Ends both processes and removes every file. Safe to call twice. */
  stop(): Promise<void>;
}

/** Starts etcd and a kube-apiserver of its own and waits until it serves. */
export async function startRealKube(options: StartOptions = {}): Promise<RealKube> {
  const assets = chooseAssets(options);
  for (let attempt = 1; ; attempt += 1) {
    options.signal?.throwIfAborted();
    try {
      return await startOnce(assets, options);
    } catch (error) {
      const lostPort = error instanceof ServerDiedError && error.message.includes('address already in use');
      if (!lostPort || attempt === START_ATTEMPTS) {
        throw error;
      }
    }
  }
}

function chooseAssets(options: StartOptions): RealKubeAssets {
  if (typeof options.assets === 'object') {
    return options.assets;
  }
  if (options.assets !== undefined) {
    const assets = assetsInDir(options.assets, 'KUBEBUILDER_ASSETS');
    if (typeof assets === 'string') {
      throw new Error(assets);
    }
    return assets;
  }
  const located = locateRealKube(options.version);
  if (located === undefined) {
    throw new Error(explainMissingRealKube(options.version));
  }
  return located;
}

async function startOnce(assets: RealKubeAssets, options: StartOptions): Promise<RealKube> {
  const { signal } = options;
  const dir = mkdtempSync(join(tmpdir(), 'capstan-real-kube-'));
  const group = new ProcessGroup(dir);
  // Newest first, the order to stop in: kube-apiserver does not end well without its etcd.
  const started: ServerProcess[] = [];
  try {
    const files = writeServerFiles(dir);
    const etcd = await startEtcd(group, assets, files, started, signal);
    const apiserver = await startApiserver(group, assets, files, started, etcd.port, options);
    writeKubeconfig(files, apiserver.url, apiserver.caPem);
    return {
      version: apiserver.version,
      url: apiserver.url,
      caPem: apiserver.caPem,
      token: files.adminToken,
      kubeconfigPath: files.kubeconfig,
      kubeletCa: files.kubeletCa,
      ...(assets.kubectl === undefined ? {} : { kubectlPath: assets.kubectl }),
      webhookHost: nonLoopbackAddress(),
      ...(options.reachesPods === true ? { podProxySocket: files.podProxySocket } : {}),
      ...(options.keepsAuditLog === true ? { auditLog: files.auditLog } : {}),
      metricsOfStart: { etcdMs: etcd.ms, apiserverMs: apiserver.ms },
      pids: { etcd: etcd.server.pid, apiserver: apiserver.server.pid },
      logFiles: { etcd: etcd.server.logFile, apiserver: apiserver.server.logFile },
      exited: Promise.race([etcd.server.exited, apiserver.server.exited]),
      restartApiserver: apiserver.restart,
      stop: () => group.stop(started),
    };
  } catch (error) {
    await group.stop(started);
    throw error;
  }
}

async function startEtcd(
  group: ProcessGroup,
  assets: RealKubeAssets,
  files: ServerFiles,
  started: ServerProcess[],
  signal: AbortSignal | undefined,
): Promise<{ server: ServerProcess; port: number; ms: number }> {
  const port = await freePort();
  const begin = performance.now();
  const server = await group.start('etcd', assets.etcd, etcdArgs(files, port));
  started.unshift(server);
  const isReady = async (): Promise<boolean> =>
    (await get(`http://${LOOPBACK}:${port}/health`, { signal })).status === 200;
  await waitReady(server, isReady, ETCD_READY_LIMIT_MS, signal);
  return { server, port, ms: Math.round(performance.now() - begin) };
}

async function startApiserver(
  group: ProcessGroup,
  assets: RealKubeAssets,
  files: ServerFiles,
  started: ServerProcess[],
  etcdPort: number,
  options: StartOptions,
): Promise<{
  server: ServerProcess;
  url: string;
  caPem: string;
  version: string;
  ms: number;
  restart: () => Promise<void>;
}> {
  const { signal } = options;
  const port = await freePort();
  const url = `https://${LOOPBACK}:${port}`;
  const advertiseAddress = nonLoopbackAddress() ?? LOOPBACK;
  const args = [
    ...apiserverArgs(files, { etcdPort, port, advertiseAddress }),
    ...(options.reachesPods === true ? podProxyArgs(files) : []),
    ...(options.keepsAuditLog === true ? auditArgs(files) : []),
    ...(options.extraApiserverArgs ?? []),
  ];
  const ask = (path: string): ReturnType<typeof get> =>
    get(`${url}${path}`, { ca: readFileSync(files.servingCert, 'utf8'), token: files.adminToken, signal });
  // /readyz does not wait for the `default` namespace, and nearly every caller needs it at once.
  const isReady = async (): Promise<boolean> =>
    (await ask('/readyz')).status === 200 && (await ask('/api/v1/namespaces/default')).status === 200;
  const launch = async (): Promise<ServerProcess> => {
    const server = await group.start('kube-apiserver', assets.kubeApiserver, args, options.apiserverEnv);
    started.unshift(server);
    await waitReady(server, isReady, APISERVER_READY_LIMIT_MS, signal);
    return server;
  };
  const begin = performance.now();
  const server = await launch();
  const ms = Math.round(performance.now() - begin);
  const { gitVersion } = JSON.parse((await ask('/version')).body) as { gitVersion: string };
  const restart = async (): Promise<void> => {
    const running = started.shift();
    if (running !== undefined) await group.kill(running);
    await launch();
  };
  return { server, url, caPem: readFileSync(files.servingCert, 'utf8'), version: gitVersion, ms, restart };
}

#!/usr/bin/env node
import { USAGE, UsageError, parseCommand } from './arguments.js';
import type { Command } from './arguments.js';
import { buildOriginalManager } from '../cluster-api/manager.js';
import { buildOriginalConverters } from '../cluster-api/original.js';
import { buildPromtool } from '../promtool.js';
import { buildRealKube } from '../real-kube/build.js';
import { explainMissingRealKube, locateRealKube } from '../real-kube/locate.js';
import { startRealKube } from '../real-kube/start.js';
import { KUBE_VERSIONS } from '../real-kube/versions.js';
import type { KubeVersion } from '../real-kube/versions.js';

const begin = performance.now();

/** Progress goes to stderr, so that stdout holds only what a script may want to read. */
function progress(line: string): void {
  const seconds = Math.round((performance.now() - begin) / 1000);
  const minutes = String(Math.floor(seconds / 60)).padStart(2, '0');
  process.stderr.write(`[${minutes}:${String(seconds % 60).padStart(2, '0')}] ${line}\n`);
}

async function build(versions: readonly KubeVersion[], signal: AbortSignal): Promise<number> {
  const built = await buildRealKube({ versions, signal, onProgress: progress });
  for (const assets of built) {
    process.stdout.write(`${assets.dir}\n`);
  }
  for (const buildOriginal of [buildOriginalConverters, buildOriginalManager, buildPromtool]) {
    process.stdout.write(`${await buildOriginal({ signal, onProgress: progress })}\n`);
  }
  return 0;
}

/** Exit code 1 when a pinned version is missing, so that scripts can ask. */
function status(): number {
  let complete = true;
  for (const version of KUBE_VERSIONS) {
    const assets = locateRealKube(version);
    complete &&= assets !== undefined;
    process.stdout.write(assets ? `${version}: ${assets.dir} (${assets.source})\n` : `${version}: missing\n`);
    if (assets === undefined) {
      process.stderr.write(`${explainMissingRealKube(version)}\n`);
    }
  }
  const other = locateRealKube();
  if (other?.source === 'KUBEBUILDER_ASSETS') {
    process.stdout.write(`default: ${other.version} in ${other.dir} (${other.source})\n`);
  }
  return complete ? 0 : 1;
}

async function run(version: string | undefined, signal: AbortSignal): Promise<number> {
  const kube = await startRealKube({ signal, ...(version === undefined ? {} : { version }) });
  const { etcdMs, apiserverMs } = kube.metricsOfStart;
  progress(
    `kube-apiserver ${kube.version} serves on ${kube.url} (etcd ${etcdMs} ms, kube-apiserver ${apiserverMs} ms)`,
  );
  progress(`pids: etcd ${kube.pids.etcd}, kube-apiserver ${kube.pids.apiserver}; Ctrl-C stops both`);
  process.stdout.write(`${kube.kubeconfigPath}\n`);
  const interrupted = new Promise<undefined>((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  const ended = await Promise.race([interrupted, kube.exited]);
  // Ctrl-C in a terminal reaches the servers as well, so their end may be seen first.
  const asked = ended === undefined || signal.aborted;
  progress(asked ? 'stopping' : ended);
  await kube.stop();
  return asked ? 0 : 1;
}

async function execute(command: Command, signal: AbortSignal): Promise<number> {
  switch (command.kind) {
    case 'help':
      process.stdout.write(USAGE);
      return 0;
    case 'build':
      return build(command.versions, signal);
    case 'status':
      return status();
    case 'run':
      return run(command.version, signal);
  }
}

async function main(argv: readonly string[]): Promise<number> {
  const interrupt = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(name, () => interrupt.abort(new Error(`stopped by ${name}`)));
  }
  try {
    return await execute(parseCommand(argv), interrupt.signal);
  } catch (error) {
    process.stderr.write(`real-kube: ${error instanceof Error ? error.message : String(error)}\n`);
    if (error instanceof UsageError) {
      process.stderr.write('Try --help.\n');
      return 2;
    }
    return 1;
  }
}

process.exitCode = await main(process.argv.slice(2));

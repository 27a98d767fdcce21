import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';

import { BUILD_HEARTBEAT_MS, PROBE_LIMIT_MS } from './limits.js';

/** How much of Go's output is kept for an error message, in characters. */
const KEPT_OUTPUT_CHARS = 8_000;

export class GoMissingError extends Error {
  override readonly name = 'GoMissingError';

  constructor() {
    super('Go is not on PATH. Install Go (https://go.dev/dl/), or set KUBEBUILDER_ASSETS to ready-made binaries.');
  }
}

export interface GoRun {
  readonly cwd: string;
  readonly limitMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Called now and then while Go is at work. */
  readonly onHeartbeat?: () => void;
}

/** Settings that must not leak in from the caller's shell, or the build would differ from machine to machine. */
const GO_ENV = { GOFLAGS: '-mod=mod', GOWORK: 'off', CGO_ENABLED: '0' };

/** Runs `go` and returns its standard output; a failure carries the end of Go's output. */
export async function runGo(args: readonly string[], run: GoRun): Promise<string> {
  const limit = AbortSignal.timeout(run.limitMs);
  const signal = run.signal ? AbortSignal.any([run.signal, limit]) : limit;
  const child = spawn('go', args, {
    cwd: run.cwd,
    env: { ...process.env, ...GO_ENV },
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  });
  lowerPriority(child.pid);
  const heartbeat = setInterval(() => run.onHeartbeat?.(), BUILD_HEARTBEAT_MS);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr = (stderr + text).slice(-KEPT_OUTPUT_CHARS)));
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    if (code !== 0) {
      throw new Error(`go ${args[0] ?? ''} failed with exit code ${String(code)}:\n${stderr.trim()}`);
    }
    return stdout;
  } catch (error) {
    throw explained(error, args, run, limit);
  } finally {
    clearInterval(heartbeat);
  }
}

/** The installed Go, for example "go1.26.8"; throws GoMissingError when there is none. */
export async function goVersion(cwd: string, signal?: AbortSignal): Promise<string> {
  const output = await runGo(['env', 'GOVERSION'], { cwd, limitMs: PROBE_LIMIT_MS, signal });
  return output.trim();
}

function explained(error: unknown, args: readonly string[], run: GoRun, limit: AbortSignal): unknown {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
    return new GoMissingError();
  }
  if (run.signal?.aborted) {
    return run.signal.reason;
  }
  if (limit.aborted) {
    return new Error(`go ${args[0] ?? ''} was stopped after its limit of ${run.limitMs / 1000} s`);
  }
  return error;
}

/** A build takes every core for minutes: it runs at low priority. */
function lowerPriority(pid: number | undefined): void {
  if (pid === undefined) {
    return;
  }
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Only a courtesy: the process may be gone already.
  }
}

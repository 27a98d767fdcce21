import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { KILL_LIMIT_MS, STOP_GRACE_MS } from './limits.js';

const LOG_TAIL_LINES = 30;

/** Goes by pid lines on its standard input; see `startWatchdog`. */
const WATCHDOG_SCRIPT = `
trap '' INT TERM HUP
pids=' '
while read -r verb pid; do
  case $verb in
    add) pids="$pids$pid " ;;
    drop) pids="\${pids%% $pid *} \${pids#* $pid }" ;;
  esac
done
for pid in $pids; do kill -9 "$pid" 2>/dev/null; done
rm -rf "$1"
`;

export interface ServerProcess {
  readonly name: string;
  readonly pid: number;
  readonly logFile: string;
  /** Resolves, never rejects, with a sentence on how it ended. */
  readonly exited: Promise<string>;
  hasExited(): boolean;
  logTail(): string;
}

/**
 * The processes of one running cluster and their temporary folder. Nothing of
 * it outlives the parent, however that ends: an exit hook covers a normal
 * exit, the watchdog covers a parent that is killed by a signal.
 */
export class ProcessGroup {
  readonly #dir: string;
  readonly #watchdog: ChildProcess;
  readonly #running = new Map<number, ChildProcess>();
  readonly #onExit = (): void => this.#killNow();

  constructor(dir: string) {
    this.#dir = dir;
    this.#watchdog = startWatchdog(dir);
    process.once('exit', this.#onExit);
  }

  /** Output goes to a file, not a pipe: the parent must not spend time on it while it measures. */
  async start(
    name: string,
    file: string,
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): Promise<ServerProcess> {
    const logFile = join(this.#dir, `${name}.log`);
    const log = openSync(logFile, 'a');
    const child = spawn(file, args, {
      cwd: this.#dir,
      env: cleanEnv(env),
      stdio: ['ignore', log, log],
      detached: false,
    });
    closeSync(log);
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
    const pid = child.pid;
    if (pid === undefined) {
      throw new Error(`${name} has no pid`);
    }
    this.#running.set(pid, child);
    this.#watchdog.stdin?.write(`add ${pid}\n`);
    let ended = false;
    const exited = new Promise<string>((resolve) => {
      child.once('exit', (code, signal) => {
        ended = true;
        this.#running.delete(pid);
        // At once: the number may soon belong to another process.
        this.#watchdog.stdin?.write(`drop ${pid}\n`);
        resolve(`${name} ended with ${signal ?? `exit code ${String(code)}`}`);
      });
    });
    return { name, pid, logFile, exited, hasExited: () => ended, logTail: () => tailOf(logFile) };
  }

  /** Ends the processes in the given order, then removes the folder. Safe to call twice. */
  async stop(inOrder: readonly ServerProcess[]): Promise<void> {
    for (const server of inOrder) {
      await this.#stopOne(server);
    }
    process.removeListener('exit', this.#onExit);
    rmSync(this.#dir, { recursive: true, force: true });
    this.#watchdog.stdin?.end();
  }

  /** Ends a process at once, as a crash would. */
  async kill(server: ServerProcess): Promise<void> {
    this.#running.get(server.pid)?.kill('SIGKILL');
    if (!(await endsWithin(server, KILL_LIMIT_MS))) {
      throw new Error(`${server.name} (pid ${server.pid}) is still there ${KILL_LIMIT_MS / 1000} s after SIGKILL`);
    }
  }

  async #stopOne(server: ServerProcess): Promise<void> {
    this.#running.get(server.pid)?.kill('SIGTERM');
    if (!(await endsWithin(server, STOP_GRACE_MS))) {
      await this.kill(server);
    }
  }

  #killNow(): void {
    for (const child of this.#running.values()) {
      child.kill('SIGKILL');
    }
    // The folder is left to the watchdog: etcd may still be writing into it.
  }
}

async function endsWithin(server: ServerProcess, limitMs: number): Promise<boolean> {
  const timer = new AbortController();
  const late = sleep(limitMs, undefined, { signal: timer.signal }).catch(() => undefined);
  await Promise.race([server.exited, late]);
  timer.abort();
  return server.hasExited();
}

/**
 * A shell that reads every pid as it starts and ends, and kills what is left
 * when its standard input closes. The kernel closes it when the parent dies,
 * even of SIGKILL, when no exit hook runs; test runners do end their workers so.
 */
function startWatchdog(dir: string): ChildProcess {
  const watchdog = spawn('/bin/sh', ['-c', WATCHDOG_SCRIPT, 'watchdog', dir], { stdio: ['pipe', 'ignore', 'ignore'] });
  // Its failure costs only the second net; it must not bring the parent down, nor keep it alive.
  watchdog.on('error', () => undefined);
  watchdog.stdin.on('error', () => undefined);
  watchdog.unref();
  if (watchdog.stdin instanceof Socket) {
    watchdog.stdin.unref();
  }
  return watchdog;
}

/**
 * etcd takes ETCD_* as flags, Kubernetes reads feature switches from KUBE_*,
 * and with a proxy set kube-apiserver would send webhook calls through it.
 */
function cleanEnv(env: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(ETCD|KUBE)_|_proxy$/i.test(name));
  return { ...env, ...Object.fromEntries(kept) };
}

function tailOf(logFile: string): string {
  try {
    return readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-LOG_TAIL_LINES).join('\n');
  } catch {
    return '(no log)';
  }
}

import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const CLI = fileURLToPath(new URL('../../../../../apps/cli/bin/capstan.js', import.meta.url));
const BARE = fileURLToPath(new URL('./bare/main.js', import.meta.url));
const PODS_ALONE = fileURLToPath(new URL('./pods-alone/main.js', import.meta.url));
const FIRST = fileURLToPath(new URL('./first/main.js', import.meta.url));
const STOP_LIMIT_MS = 5_000;
/** At rest is who changes by less than this in so long; after so many looks it is taken as it is. */
const REST_MB = 0.5;
const REST_MS = 500;
const MAX_LOOKS = 20;

/** A server in a process of its own, ready to be asked. */
export interface RunningProgram {
  readonly url: string;
  readonly token: string;
  readonly caPem: string;
  readonly pid: number;
  /** From spawning to the line that reports it ready. */
  readonly readyMs: number;
  stop(): Promise<void>;
}

/** A process that has reported in a line of JSON that it is ready. */
export interface ReadyProgram<Ready> {
  readonly ready: Ready;
  readonly pid: number;
  /** From spawning to that line. */
  readonly readyMs: number;
  readonly stop: () => Promise<void>;
}

/** Runs a program until its first line. */
export async function runProgram<Ready>(
  program: string | { readonly file: string; readonly nodeFlags: readonly string[] },
  ...args: readonly string[]
): Promise<ReadyProgram<Ready>> {
  const { file, nodeFlags } = typeof program === 'string' ? { file: program, nodeFlags: [] } : program;
  const begin = performance.now();
  const child = spawn(process.execPath, [...nodeFlags, file, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ready = JSON.parse(await firstLine(child, file)) as Ready;
  return { ready, pid: child.pid ?? 0, readyMs: performance.now() - begin, stop: () => stop(child) };
}

async function start(file: string, args: readonly string[], token: string): Promise<RunningProgram> {
  type Ready = { url: string; kubeconfig?: string; caPem?: string };
  const { pid, ready, readyMs, stop: end } = await runProgram<Ready>(file, ...args);
  const caPem = ready.caPem ?? caFromKubeconfig(ready.kubeconfig ?? '');
  return { url: ready.url, token, caPem, pid, readyMs, stop: end };
}

async function firstLine(child: ChildProcess, file: string): Promise<string> {
  if (child.stdout === null) throw new Error(`${file}: no output to read`);
  const lines = createInterface({ input: child.stdout });
  const ended = once(child, 'exit').then(() => undefined);
  const line = await Promise.race([once(lines, 'line').then(([text]) => String(text)), ended]);
  if (line === undefined) throw new Error(`${file} ended before it was ready (exit ${child.exitCode})`);
  child.stdout.resume();
  return line;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
  await ended;
  clearTimeout(timer);
}

function caFromKubeconfig(file: string): string {
  const data = /certificate-authority-data: *"?([A-Za-z0-9+/=]+)/.exec(readFileSync(file, 'utf8'))?.[1] ?? '';
  return Buffer.from(data, 'base64').toString('utf8');
}

/** `capstan apiserver`, with more arguments if there are any. */
export function startCapstan(...args: readonly string[]): Promise<RunningProgram> {
  return start(CLI, ['apiserver', '--token', 'bench-token', ...args], 'bench-token');
}

/** `capstan up`: what `npm start` runs. */
export function startFleet(): Promise<RunningProgram> {
  return start(CLI, ['up', '-o', 'json'], 'none');
}

/** From spawning `capstan up` until it reports ready, while its fleet is still being created; in milliseconds. */
export async function usableMs(): Promise<number> {
  const begin = performance.now();
  const child = spawn(process.execPath, [CLI, 'up'], { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'exit').then(() => false);
  const isReported = new Promise<boolean>((resolve) => {
    createInterface({ input: child.stderr }).on('line', (line) => line.startsWith('Ready after') && resolve(true));
  });
  if (!(await Promise.race([isReported, ended]))) throw new Error('capstan up ended before it was ready');
  const ms = performance.now() - begin;
  await stop(child);
  return ms;
}

/** `capstan operator`, with more arguments if there are any. */
export function startOperator(kubeconfig: string, ...args: readonly string[]): Promise<ReadyProgram<object>> {
  return runProgram(CLI, 'operator', '--kubeconfig', kubeconfig, '-o', 'json', ...args);
}

/** A node:https server that does nothing but answer: what this machine and client can do at best. */
export function startBare(...args: readonly string[]): Promise<RunningProgram> {
  return start(BARE, args, 'none');
}

/** From spawning a process to the line that reports it ready, in milliseconds. */
export async function startMs(program: () => Promise<RunningProgram>): Promise<number> {
  const running = await program();
  await running.stop();
  return running.readyMs;
}

/** What a program prints: a number of milliseconds. */
async function printedMs(file: string, ...args: readonly string[]): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, [file, ...args]);
  return Number(stdout);
}

/** What the first server in a process takes to be ready, its modules already loaded, in milliseconds. */
export function firstServerMs(): Promise<number> {
  return printedMs(FIRST);
}

/** What 1,000 pods take to be ready, or as many writes, in a process that has done nothing before; in milliseconds. */
export function podsMs(what: 'ready' | 'write'): Promise<number> {
  return printedMs(PODS_ALONE, what);
}

/** What a process that does nothing takes, in milliseconds. */
export async function emptyProcessMs(): Promise<number> {
  const begin = performance.now();
  await promisify(execFile)(process.execPath, ['--eval', '']);
  return performance.now() - begin;
}

/** Resident memory of a process that has come to rest, in MB. */
export async function settledMb(pid: number): Promise<number> {
  let before = residentMb(pid);
  for (let look = 0; look < MAX_LOOKS; look += 1) {
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
    const now = residentMb(pid);
    if (Math.abs(now - before) < REST_MB) return now;
    before = now;
  }
  return before;
}

function residentMb(pid: number): number {
  const kb = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kb) / 1024;
}

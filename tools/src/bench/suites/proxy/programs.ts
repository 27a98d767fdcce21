import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { writeKubeconfig } from '@capstan/kube';
import { locateRealKube, startRealKube } from '../../../real-kube/index.js';
import { startCapstan } from '../apiserver/programs.js';

const CLI = fileURLToPath(new URL('../../../../../apps/cli/bin/capstan.js', import.meta.url));
const UPSTREAM = fileURLToPath(new URL('./upstream/main.js', import.meta.url));
/** Ticks of a clock of the kernel. */
const TICK_MS = 10;

/** A process that serves. */
export interface Served {
  readonly url: string;
  readonly pid: number;
  /** Of a proxy of ours: where its metrics are. */
  readonly healthUrl?: string | undefined;
  stop(): Promise<void>;
}

/** A server to stand before. */
export interface Behind {
  readonly url: string;
  readonly caPem: string;
  readonly token: string;
  stop(): Promise<void>;
}

/** Starts a program and reads where it serves from its first line. */
async function started<T>(
  command: string,
  args: readonly string[],
  read: (line: string) => T,
  env: NodeJS.ProcessEnv = process.env,
): Promise<T & { readonly pid: number; stop(): Promise<void> }> {
  const child: ChildProcess = spawn(command, [...args], { stdio: ['ignore', 'pipe', 'inherit'], env });
  if (child.stdout === null) throw new Error(`${command}: no output to read`);
  const ended = once(child, 'exit').then(() => undefined);
  const lines = createInterface({ input: child.stdout });
  const line = await Promise.race([once(lines, 'line').then(([text]) => String(text)), ended]);
  if (line === undefined) throw new Error(`${command} ended before it was ready`);
  child.stdout.resume();
  const stop = async (): Promise<void> => {
    if (child.exitCode === null) child.kill('SIGTERM');
    await ended;
  };
  return { ...read(line), pid: child.pid ?? 0, stop };
}

/** The kube-apiserver that proxies are made for; where there is none, or no time, ours, which takes less for everything. */
export async function startServer(quick: boolean): Promise<Behind> {
  if (quick || locateRealKube() === undefined) return startCapstan();
  const kube = await startRealKube();
  return { url: kube.url, caPem: kube.caPem, token: kube.token, stop: () => kube.stop() };
}

/** The server that costs next to nothing. */
export function startUpstream(): Promise<Behind> {
  return started(process.execPath, [UPSTREAM], (line) => ({ ...(JSON.parse(line) as Behind), token: 'bench' }));
}

async function withKubeconfig(behind: Behind, start: (kubeconfig: string) => Promise<Served>): Promise<Served> {
  const dir = mkdtempSync(join(tmpdir(), 'capstan-bench-'));
  const kubeconfig = join(dir, 'kubeconfig');
  await writeKubeconfig({ path: kubeconfig, server: behind.url, caPem: behind.caPem, token: behind.token });
  const served = await start(kubeconfig);
  const stop = async (): Promise<void> => {
    await served.stop();
    rmSync(dir, { recursive: true, force: true });
  };
  return { ...served, stop };
}

/** `capstan proxy`, as it is shipped. */
export function startOurs(behind: Behind): Promise<Served> {
  return withKubeconfig(behind, (kubeconfig) =>
    started(
      process.execPath,
      [
        CLI,
        'proxy',
        '--listen',
        '127.0.0.1:0',
        '--health-listen',
        '127.0.0.1:0',
        '--kubeconfig',
        kubeconfig,
        '-o',
        'json',
      ],
      (line) => JSON.parse(line) as Pick<Served, 'url' | 'healthUrl'>,
    ),
  );
}

/** The kubectl that was built with the real servers; undefined if there is none. */
export function kubectlPath(): string | undefined {
  return locateRealKube()?.kubectl;
}

/** `kubectl proxy` on one core. */
export function startKubectl(kubectl: string, behind: Behind): Promise<Served> {
  return withKubeconfig(behind, (kubeconfig) =>
    started(
      kubectl,
      ['proxy', '--port=0', '--kubeconfig', kubeconfig],
      (line) => ({ url: `http://${/127\.0\.0\.1:\d+/.exec(line)?.[0] ?? ''}` }),
      { ...process.env, GOMAXPROCS: '1' },
    ),
  );
}

/** Time that a process has worked so far, in milliseconds. */
export function workedMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** Resident memory of a process, in MB. */
export function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

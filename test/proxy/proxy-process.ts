import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../../apps/cli/bin/capstan.js', import.meta.url));

/** `capstan proxy` in a process of its own. */
export interface ProxyProcess {
  readonly url: string;
  readonly healthUrl: string;
  readonly kubeconfig: string | undefined;
  readonly pid: number;
  /** Ends it with the signal; returns its exit code. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null>;
}

const running = new Set<ChildProcess>();

/** Ends those that a test which failed has left behind. */
export function endProxyProcesses(): void {
  for (const child of running) child.kill('SIGKILL');
}

/** Starts the program, with more variables if there are any; resolves once it logs that it is ready. */
export async function startProxyProcess(
  options: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<ProxyProcess> {
  const child: ChildProcess = spawn(process.execPath, [PROGRAM, 'proxy', '-o', 'json', ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const line = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes('\n')) resolve(text);
    });
    child.once('exit', (code) => reject(new TypeError(`capstan proxy ended with ${code}: ${errors}`)));
  });
  const { healthUrl, kubeconfig, url } = JSON.parse(line) as Record<'healthUrl' | 'kubeconfig' | 'url', string>;
  return {
    url,
    healthUrl,
    kubeconfig,
    pid: child.pid ?? 0,
    end: async (signal) => {
      const ended = once(child, 'exit') as Promise<[number | null]>;
      child.kill(signal);
      return (await ended)[0];
    },
  };
}

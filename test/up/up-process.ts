import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client, HttpTransport, loadConnection } from '@capstan/kube';
import { findKubectls } from '../kubectl/binaries.js';

const BIN = fileURLToPath(new URL('../../apps/cli/bin/capstan.js', import.meta.url));
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Some follow a migration to its end. */
const COMMAND_LIMIT_MS = 300_000;

/** What a command line in a shell printed. */
export interface Printed {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** `capstan up` as a process of its own, which can be killed, and the shell of a user next to it. */
export class UpProcess {
  readonly kubeconfig: string;
  readonly client: Client;
  readonly #child: ChildProcess;
  readonly #transport: HttpTransport;

  private constructor(child: ChildProcess, transport: HttpTransport, kubeconfig: string) {
    this.#child = child;
    this.#transport = transport;
    this.kubeconfig = kubeconfig;
    this.client = new Client(transport);
  }

  /** Resolves once its fleet is whole. */
  static start(kubeconfig: string, ...options: string[]): Promise<UpProcess> {
    return UpProcess.#until(/The fleet is complete/, kubeconfig, options);
  }

  /** Resolves once a user can begin, while the fleet comes up. */
  static startUsable(kubeconfig: string, ...options: string[]): Promise<UpProcess> {
    return UpProcess.#until(/export KUBECONFIG=/, kubeconfig, options);
  }

  static async #until(pattern: RegExp, kubeconfig: string, options: readonly string[]): Promise<UpProcess> {
    const argv = [BIN, 'up', '--kubeconfig-out', kubeconfig, ...options];
    const child = spawn(process.execPath, argv, { stdio: ['ignore', 'ignore', 'pipe'] });
    await new Promise<void>((resolve, reject) => {
      let text = '';
      child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        if (pattern.test(text)) resolve();
      });
      child.once('exit', (code) => reject(new Error(`capstan up ended with ${String(code)}:\n${text}`)));
    });
    return new UpProcess(child, new HttpTransport(await loadConnection({ path: kubeconfig })), kubeconfig);
  }

  /** Runs a command line as a user does; `npx capstan` is the one of this checkout. */
  async shell(line: string, folder: string = ROOT): Promise<Printed> {
    const [kubectl] = findKubectls();
    const path = [kubectl === undefined ? '' : dirname(kubectl.path), process.env['PATH']].join(':');
    const script = `capstan() { '${process.execPath}' '${BIN}' "$@"; }; npx() { "$@"; }; ${line}`;
    const env = { ...process.env, KUBECONFIG: this.kubeconfig, PATH: path };
    const options = { env, cwd: folder, timeout: COMMAND_LIMIT_MS, maxBuffer: 64 * 1024 * 1024 };
    return promisify(execFile)('bash', ['-c', script], options).then(
      ({ stderr, stdout }) => ({ code: 0, stdout, stderr }),
      (error: Error & { code?: number; stdout?: string; stderr?: string }) => ({
        code: error.code ?? -1,
        stdout: error.stdout ?? '',
        stderr: error.stderr ?? error.message,
      }),
    );
  }

  /** As a machine that loses its power. */
  async kill(): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
    await this.#transport.close();
  }

  /** In order; gives its exit code. */
  async stop(): Promise<number> {
    await this.#transport.close();
    if (this.#child.exitCode !== null) return this.#child.exitCode;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    const [code] = (await ended) as [number];
    return code;
  }
}

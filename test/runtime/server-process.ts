import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { builtBin } from '../durability/server-process.js';

/** Of the administrator. */
export const TOKEN = 'process-token';

/** `capstan apiserver` in a process of its own; it can be killed and started again at the same place. */
export class ServerProcess {
  readonly #data: string | undefined;
  #child: ChildProcess | undefined;
  port = '0';

  constructor(data: string | undefined) {
    this.#data = data;
  }

  async start(): Promise<void> {
    const args = ['apiserver', '--token', TOKEN, '--port', this.port, '--no-controllers'];
    const where = this.#data === undefined ? [] : ['--data', this.#data];
    const bin = builtBin(import.meta.url, '../../');
    this.#child = spawn(process.execPath, [bin, ...args, ...where], { stdio: ['ignore', 'pipe', 'inherit'] });
    if (this.#child.stdout === null) throw new Error(`${bin} has no output to read`);
    const [line] = (await once(createInterface({ input: this.#child.stdout }), 'line')) as [string];
    this.port = new URL((JSON.parse(line) as { url: string }).url).port;
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
}

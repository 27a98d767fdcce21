import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { HttpTransport, loadConnection, systemClock } from '@capstan/kube';
import { waitUntil } from '@capstan/kube/testing';
import { type Answer, builtBin, type Send, sender } from '../durability/server-process.js';

const BIN = builtBin(import.meta.url, '../../');
const MAPS = '/api/v1/namespaces/default/configmaps';
/** Fills a disk of a few megabytes after a while, and cannot be made smaller. */
const BYTES = 20_000;

/** How a command line is run somewhere. */
export type Enter = (program: string, args: readonly string[]) => [string, string[]];

export const waitOptions = { clock: systemClock(), limitMs: 30_000, everyMs: 100 };

/** The outcome of a command. */
export interface Outcome {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs a command to its end. */
export async function runCapstan(enter: Enter, args: readonly string[]): Promise<Outcome> {
  const child = spawn(...enter(process.execPath, [BIN, ...args]), { stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (child.exitCode === null) await once(child, 'exit');
  return { code: child.exitCode, out, err };
}

/** A server as a process, and what it promised. */
export class DiskServer {
  /** Names of objects whose writes were acknowledged, also by those before. */
  readonly acknowledged: Set<string>;
  readonly child: ChildProcess;
  log = '';
  send: Send = () => Promise.reject(new Error('the server is not ready'));
  #transport: HttpTransport | undefined;

  constructor(child: ChildProcess, acknowledged: Set<string>) {
    this.child = child;
    this.acknowledged = acknowledged;
    child.stderr?.on('data', (chunk: Buffer) => (this.log += chunk.toString()));
  }

  /** `command` has its own arguments except the kubeconfig path. Ready when the kubeconfig is written and `/readyz` answers ok. */
  static async start(
    enter: Enter,
    command: readonly string[],
    { kubeconfig, acknowledged }: { readonly kubeconfig: string; readonly acknowledged: Set<string> },
  ): Promise<DiskServer> {
    const args = [BIN, ...command, '--kubeconfig-out', kubeconfig];
    const child = spawn(...enter(process.execPath, args), { stdio: ['ignore', 'pipe', 'pipe'] });
    const server = new DiskServer(child, acknowledged);
    const ended = once(child, 'exit').then(() => undefined);
    const line = once(createInterface({ input: child.stdout }), 'line');
    if ((await Promise.race([line, ended])) === undefined)
      throw new Error(`the server ended with ${child.exitCode}: ${server.log}`);
    await server.connect(kubeconfig);
    return server;
  }

  async connect(kubeconfig: string): Promise<void> {
    this.#transport = new HttpTransport(await loadConnection({ path: kubeconfig }));
    this.send = sender(this.#transport);
  }

  /** Writes an object; what the answer acknowledges is remembered. */
  async write(name: string): Promise<Answer> {
    const data = { text: randomBytes(BYTES / 2).toString('hex') };
    const answer = await this.send('POST', MAPS, { metadata: { name }, data });
    if (answer.status === 201) this.acknowledged.add(name);
    return answer;
  }

  /** Writes until it is refused; gives the refusal. */
  async writeUntilRefused(prefix: string): Promise<Record<string, unknown>> {
    for (let count = 0; count < 500; count++) {
      const answer = await this.write(`${prefix}-${count}`);
      if (answer.status !== 201) return answer.json() as Record<string, unknown>;
    }
    throw new Error('the server takes whatever it is given');
  }

  /** Writes once writes are taken again. */
  async writeWhenTaken(name: string): Promise<void> {
    let count = 0;
    await waitUntil(
      `${name} to be taken`,
      async () => (await this.write(`${name}-${count++}`)).status === 201,
      waitOptions,
    );
  }

  /** Which of the acknowledged objects it does not have. */
  async missing(): Promise<string[]> {
    const { items } = (await this.send('GET', MAPS)).json() as { items: { metadata: { name: string } }[] };
    const names = new Set(items.map(({ metadata }) => metadata.name));
    return [...this.acknowledged].filter((name) => !names.has(name));
  }

  async text(target: string): Promise<string> {
    return (await this.send('GET', target)).text();
  }

  get isAlive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    await this.#transport?.close();
    if (this.isAlive) {
      const ended = once(this.child, 'exit');
      this.child.kill(signal);
      await ended;
    }
    return this.child.exitCode;
  }
}

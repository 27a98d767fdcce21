import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { randomBytes } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { main } from '@capstan/cli';
import type { Io } from '@capstan/cli';
import { Client, HttpTransport, loadConnection } from '@capstan/kube';
import type { Connection } from '@capstan/kube';

/** The terminal of a command, which keeps the first line of output and can be stopped. */
class Terminal implements Io {
  readonly env = { HOME: '/nonexistent' };
  readonly isTty = false;
  readonly columns = 80;
  readonly first: Promise<string>;
  stop: () => void = () => undefined;
  errors = '';
  #write: (text: string) => void = () => undefined;

  constructor() {
    this.first = new Promise((resolve) => {
      this.#write = resolve;
    });
  }

  out(text: string): void {
    this.#write(text);
  }

  err(text: string): void {
    this.errors += text;
  }

  input(): Promise<string> {
    return Promise.resolve('');
  }

  onStop(callback: () => void): () => void {
    this.stop = callback;
    return () => undefined;
  }

  onExit(): () => void {
    return () => undefined;
  }

  exit(): void {
    this.stop();
  }
}

/** A request that was answered, as the audit log records it. */
export interface AuditedRequest {
  readonly user: { readonly username: string };
  readonly verb: string;
  readonly requestURI: string;
  readonly userAgent?: string;
  readonly stage?: string;
  readonly responseStatus?: { readonly code?: number };
  readonly objectRef?: { readonly apiGroup?: string; readonly resource?: string };
}

/** `capstan up`, in this process, once all of it is there. */
export class RunningUp {
  readonly transport: HttpTransport;
  readonly client: Client;
  readonly #terminal: Terminal;
  readonly #ended: Promise<number>;
  readonly #connection: Connection;

  private constructor(terminal: Terminal, ended: Promise<number>, connection: Connection) {
    this.#terminal = terminal;
    this.#ended = ended;
    this.#connection = connection;
    this.transport = new HttpTransport(connection);
    this.client = new Client(this.transport);
  }

  static async start(...options: string[]): Promise<RunningUp> {
    const terminal = new Terminal();
    const ended = main(['up', '-o', 'json', ...options], terminal);
    const line = await Promise.race([terminal.first, ended.then(() => terminal.errors)]);
    const { kubeconfig } = JSON.parse(line) as { kubeconfig: string };
    return new RunningUp(terminal, ended, await loadConnection({ path: kubeconfig }));
  }

  /** Runs a command in a container, and waits for its end. */
  async exec(namespace: string, pod: string, container: string, ...command: string[]): Promise<void> {
    const { credentials, server, trust } = this.#connection;
    const { headers } = await credentials.get();
    const query = new URLSearchParams([
      ['container', container],
      ['stdout', 'true'],
      ...command.map((word): [string, string] => ['command', word]),
    ]);
    const asked = request(`${server}/api/v1/namespaces/${namespace}/pods/${pod}/exec?${query.toString()}`, {
      ca: trust.caPem,
      headers: {
        ...headers,
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': randomBytes(16).toString('base64'),
        'sec-websocket-protocol': 'v4.channel.k8s.io',
      },
    });
    asked.end();
    const [, socket] = (await once(asked, 'upgrade')) as [unknown, Duplex];
    let received = '';
    // How it ended comes last, and then nothing until this side closes.
    for await (const chunk of socket) if ((received += String(chunk)).includes('"status"')) break;
    socket.destroy();
    if (!received.includes('"Success"')) throw new Error(`${command.join(' ')} failed: ${received}`);
  }

  /** The requests recorded in an audit log so far. */
  static audited(path: string): AuditedRequest[] {
    return readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line.endsWith('}'))
      .map((line) => JSON.parse(line) as AuditedRequest);
  }

  /** Ends it; gives its exit code. */
  async stop(): Promise<number> {
    await this.transport.close();
    this.#terminal.stop();
    return this.#ended;
  }
}

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { HttpLimits } from '@capstan/apiserver';

/** Objects to be there before the attack. */
export interface Filling {
  readonly namespace: string;
  readonly count: number;
  /** Of each. */
  readonly bytes: number;
  readonly metadata?: object;
}

/** An order for the process; it reports when it has carried it out. */
export type VictimOrder =
  | ({ readonly type: 'fill' } & Filling)
  | { readonly type: 'controllers' }
  /** Writes the ConfigMap `counter` of the namespace `default` once for each number from there on. */
  | { readonly type: 'count'; readonly from: number; readonly count: number }
  /** Measure from now on how long clients are blocked. */
  | { readonly type: 'watch' }
  | { readonly type: 'watched' }
  /** Let go of garbage. */
  | { readonly type: 'collect' }
  | { readonly type: 'report' };

export interface VictimReport {
  readonly port: number;
  readonly rssBytes: number;
  readonly heapBytes: number;
  /** Of all encoded bytes, those of the stored objects among them. */
  readonly bufferBytes: number;
  /** Since the order to measure: the longest CPU time in which it served no other client. */
  readonly longestTurnMs: number;
  /** ConfigMaps that are stored. */
  readonly objects: number;
}

/** An answer that was read to its end; only what is short is kept. */
export interface Read {
  readonly status: number;
  readonly size: number;
  readonly text: string;
}

const program = fileURLToPath(new URL('../dist/attacks/victim-process.js', import.meta.url));

/** An embedded server in a process of its own. */
export class Victim {
  readonly #child;
  readonly #sockets: Socket[] = [];
  #port = 0;

  private constructor(limits: Partial<HttpLimits>) {
    this.#child = fork(program, [JSON.stringify(limits)], { execArgv: ['--expose-gc'] });
  }

  static async start(limits: Partial<HttpLimits> = {}): Promise<Victim> {
    const victim = new Victim(limits);
    victim.#port = (await victim.send({ type: 'report' })).port;
    return victim;
  }

  async send(order: VictimOrder): Promise<VictimReport> {
    const answered = once(this.#child, 'message');
    this.#child.send(order);
    const [report] = (await answered) as [VictimReport];
    return report;
  }

  /** Asks, and never reads. */
  stall(target: string, accept: string): void {
    const socket = connect(this.#port, '127.0.0.1');
    socket.on('error', () => {});
    socket.pause();
    socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\nAccept: ${accept}\r\n\r\n`);
    this.#sockets.push(socket);
  }

  /** Asks, and hands over what comes until it is released. */
  follow(target: string, onData: (piece: Buffer) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const sent = request({ port: this.#port, path: target, agent: false }, (response) => {
        response.on('data', onData);
        response.on('error', () => {});
        resolve();
      });
      sent.on('error', reject);
      sent.on('socket', (socket) => this.#sockets.push(socket));
      sent.end();
    });
  }

  /** Those who never read leave. */
  release(): void {
    for (const socket of this.#sockets.splice(0)) socket.destroy();
  }

  /** Asks, and reads to the end. */
  read(target: string, accept = 'application/json', method = 'GET', value?: object): Promise<Read> {
    return new Promise((resolve, reject) => {
      const headers = { accept, 'content-type': 'application/json' };
      const sent = request({ port: this.#port, path: target, method, headers }, (response) => {
        let size = 0;
        let text = '';
        response.on('data', (piece: Buffer) => {
          size += piece.length;
          if (size < 65_536) text += piece.toString();
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, size, text }));
        response.on('error', reject);
      });
      sent.on('error', reject);
      sent.end(value === undefined ? undefined : JSON.stringify(value));
    });
  }

  /** The value of a metric on the server's own metrics page. */
  async metric(line: string): Promise<number> {
    const { text } = await this.read('/metrics', '*/*');
    return Number(
      text
        .split('\n')
        .find((each) => each.startsWith(`${line} `))
        ?.slice(line.length) ?? 0,
    );
  }

  async close(): Promise<void> {
    this.release();
    const gone = once(this.#child, 'exit');
    this.#child.disconnect();
    await gone;
  }
}

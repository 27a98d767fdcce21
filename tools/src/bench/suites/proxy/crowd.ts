import { connect } from 'node:net';
import type { Socket } from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');
const LENGTH = /^HTTP\/1\.1 200 [^]*\r\ncontent-length: (\d+)/i;

/** One connection on which one request after the other is made; it reads of answers no more than how long they are. */
class Asker {
  readonly #socket: Socket;
  #left = 0;
  #answered: (() => void) | undefined;
  #failed: ((error: Error) => void) | undefined;

  constructor({ hostname, port }: URL) {
    this.#socket = connect({ host: hostname, port: Number(port), noDelay: true });
    this.#socket.on('data', this.#onData);
    this.#socket.on('error', (error) => this.#failed?.(error));
    this.#socket.on('close', () => this.#failed?.(new Error('the proxy closed a connection')));
  }

  ask(request: Buffer): Promise<void> {
    this.#socket.write(request);
    return new Promise((resolve, reject) => {
      this.#answered = resolve;
      this.#failed = reject;
    });
  }

  close(): void {
    this.#failed = undefined;
    this.#socket.destroy();
  }

  /** Heads are far shorter than what one read brings. */
  readonly #onData = (chunk: Buffer): void => {
    if (this.#left === 0) {
      const end = chunk.indexOf(HEAD_END);
      const length = LENGTH.exec(chunk.toString('latin1', 0, Math.max(0, end)))?.[1];
      if (length === undefined) {
        this.#failed?.(new Error(`answered ${chunk.toString('latin1', 0, 100)}`));
        return;
      }
      this.#left = end + HEAD_END.length + Number(length);
    }
    this.#left -= chunk.length;
    if (this.#left === 0) this.#answered?.();
  };
}

/**
 * As many requests as a proxy can take on some connections, for one path after the other. The client shares the machine
 * with the proxy: what the client costs is part of the measurement, so it is written by hand.
 */
export class Crowd {
  readonly #idle: Asker[];
  readonly #size: number;
  readonly #requests: readonly Buffer[];
  #asked = 0;

  constructor(url: string, paths: readonly string[], connections: number) {
    const to = new URL(url);
    this.#requests = paths.map((path) =>
      Buffer.from(`GET ${path} HTTP/1.1\r\nhost: ${to.host}\r\nconnection: keep-alive\r\n\r\n`, 'latin1'),
    );
    this.#idle = Array.from({ length: connections }, () => new Asker(to));
    this.#size = connections;
  }

  /** One request; no more at a time than there are connections. */
  async ask(): Promise<void> {
    const asker = this.#idle.pop();
    const request = this.#requests[(this.#asked += 1) % this.#requests.length];
    if (asker === undefined || request === undefined)
      throw new Error('more is asked at once than there are connections');
    await asker.ask(request);
    this.#idle.push(asker);
  }

  async many(count: number): Promise<void> {
    let left = count;
    const worker = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        await this.ask();
      }
    };
    await Promise.all(Array.from({ length: this.#size }, worker));
  }

  close(): void {
    for (const asker of this.#idle.splice(0)) asker.close();
  }
}

import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** A way to a server whose connections can fall silent without being closed, as when a router forgets them. */
export class StallingWay {
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  readonly #server;
  /** Whether connections made from now on are silent too. */
  isSilent = false;

  constructor(target: URL) {
    this.#server = createServer((near) => {
      const far = connect(Number(target.port), target.hostname);
      const pair = [near, far] as const;
      this.#pairs.add(pair);
      for (const [from, to] of [pair, pair.toReversed() as [Socket, Socket]]) {
        from.pipe(to);
        from.on('error', () => to.destroy());
        from.on('close', () => {
          this.#pairs.delete(pair);
          to.destroy();
        });
      }
      if (this.isSilent) silence(pair);
    });
  }

  /** Begins; gives the URL of this end. */
  async open(): Promise<string> {
    await new Promise<void>((resolve) => void this.#server.listen(0, '127.0.0.1', resolve));
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** From now on no bytes pass through open connections, and neither side is notified. */
  stall(): number {
    for (const pair of this.#pairs) silence(pair);
    return this.#pairs.size;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const [near, far] of this.#pairs) for (const socket of [near, far]) socket.destroy();
    await closed;
  }
}

function silence(pair: readonly [Socket, Socket]): void {
  for (const socket of pair) {
    socket.unpipe();
    socket.pause();
  }
}

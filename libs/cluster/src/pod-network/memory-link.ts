import { Duplex } from 'node:stream';
import { ClusterError } from '../errors.js';
import type { Link, Listener, RealAddress } from './link.js';

/** One end of a connection within the process. */
class End extends Duplex {
  peer: End | undefined;
  #resume: (() => void) | undefined;

  constructor() {
    super({ allowHalfOpen: true });
  }

  override _read(): void {
    const resume = this.#resume;
    this.#resume = undefined;
    resume?.();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error) => void): void {
    const { peer } = this;
    if (peer === undefined || peer.destroyed) {
      done(new ClusterError('CONNECTION_REFUSED', 'write: broken pipe'));
      return;
    }
    if (peer.push(chunk)) done();
    else peer.#resume = done;
  }

  override _final(done: () => void): void {
    this.peer?.push(null);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const { peer } = this;
    this.peer = undefined;
    if (peer !== undefined && !peer.destroyed) peer.push(null);
    const resume = this.#resume;
    this.#resume = undefined;
    resume?.();
    done(error);
  }
}

/** Two ends of one connection. */
export function connectionPair(): [Duplex, Duplex] {
  const [a, b] = [new End(), new End()];
  a.peer = b;
  b.peer = a;
  // A peer that is gone is the program's to notice, not a crash.
  for (const end of [a, b]) end.on('error', () => undefined);
  return [a, b];
}

/** Connections that never leave the process: nothing of the machine is touched, so a simulation can own them. */
export class MemoryLink implements Link {
  readonly #listeners = new Map<string, (connection: Duplex) => void>();

  listen(ip: string, port: number, accept: (connection: Duplex) => void): Promise<Listener> {
    const key = `${ip}:${port}`;
    if (this.#listeners.has(key))
      return Promise.reject(new ClusterError('ADDRESS_IN_USE', `listen tcp ${key}: address already in use`));
    const open = new Set<Duplex>();
    const listener = (connection: Duplex): void => {
      open.add(connection);
      connection.once('close', () => open.delete(connection));
      accept(connection);
    };
    this.#listeners.set(key, listener);
    const close = (): Promise<void> => {
      // Closed a second time, the port may be a successor's.
      if (this.#listeners.get(key) === listener) this.#listeners.delete(key);
      for (const connection of open) connection.destroy();
      return Promise.resolve();
    };
    return Promise.resolve({ close });
  }

  dial(ip: string, port: number): Promise<Duplex> {
    const accept = this.#listeners.get(`${ip}:${port}`);
    if (accept === undefined)
      return Promise.reject(
        new ClusterError('CONNECTION_REFUSED', `dial tcp ${ip}:${port}: connect: connection refused`),
      );
    const [ours, theirs] = connectionPair();
    accept(theirs);
    return Promise.resolve(ours);
  }

  address(): RealAddress | undefined {
    return undefined;
  }
}

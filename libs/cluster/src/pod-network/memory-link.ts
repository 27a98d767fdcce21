import { AsyncResource } from 'node:async_hooks';
import { Duplex } from 'node:stream';
import { ClusterError } from '../errors.js';
import type { Link, Listener, RealAddress } from './link.js';

/**
 * One end of a connection within the process. As with sockets, neither side calls the other: what one does reaches the other
 * in a later tick, which is that of the client that opened that end, or an error in it would be thrown at the peer.
 */
class End extends Duplex {
  peer: End | undefined;
  readonly #owner: AsyncResource;
  #resume: (() => void) | undefined;

  constructor(owner: AsyncResource) {
    super({ allowHalfOpen: true });
    this.#owner = owner;
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
    const written = (): void => later(this.#owner, done);
    peer.receive(chunk, written);
  }

  override _final(done: () => void): void {
    this.peer?.receive(null);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.peer?.receive(null);
    this.peer = undefined;
    const resume = this.#resume;
    this.#resume = undefined;
    resume?.();
    done(error);
  }

  /** What the peer has written; null ends it. `taken` is called as soon as there is room for more. */
  receive(chunk: Buffer | null, taken?: () => void): void {
    later(this.#owner, () => {
      if (this.destroyed || this.push(chunk)) taken?.();
      else this.#resume = taken;
    });
  }
}

/** Runs a callback in a tick of its own, for an owner. */
function later(owner: AsyncResource, callback: () => void): void {
  // An error is attributed to the tick that it is thrown in: the scope alone has ended by then.
  owner.runInAsyncScope(() => process.nextTick(callback));
}

/** Two ends of one connection, of those who own them. */
function connectionPair(dialler: AsyncResource, listener: AsyncResource): [Duplex, Duplex] {
  const [a, b] = [new End(dialler), new End(listener)];
  a.peer = b;
  b.peer = a;
  // A peer that is gone is the program's to notice, not a crash.
  for (const end of [a, b]) end.on('error', () => undefined);
  return [a, b];
}

/** The caller, for what is to run for it later. */
function ownerOf(role: 'dialler' | 'listener'): AsyncResource {
  return new AsyncResource(`memory-link ${role}`, { requireManualDestroy: true });
}

/** Connections that never leave the process: nothing of the machine is touched, so a simulation can own them. */
export class MemoryLink implements Link {
  readonly #listeners = new Map<string, (dialler: AsyncResource) => Duplex>();

  listen(ip: string, port: number, accept: (connection: Duplex) => void): Promise<Listener> {
    const key = `${ip}:${port}`;
    if (this.#listeners.has(key))
      return Promise.reject(new ClusterError('ADDRESS_IN_USE', `listen tcp ${key}: address already in use`));
    const open = new Set<Duplex>();
    const owner = ownerOf('listener');
    const listener = (dialler: AsyncResource): Duplex => {
      const [theirs, connection] = connectionPair(dialler, owner);
      open.add(connection);
      connection.once('close', () => open.delete(connection));
      later(owner, () => accept(connection));
      return theirs;
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
    const connect = this.#listeners.get(`${ip}:${port}`);
    if (connect === undefined)
      return Promise.reject(
        new ClusterError('CONNECTION_REFUSED', `dial tcp ${ip}:${port}: connect: connection refused`),
      );
    return Promise.resolve(connect(ownerOf('dialler')));
  }

  address(): RealAddress | undefined {
    return undefined;
  }
}

import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ClusterError } from '../errors.js';
import type { Link, Listener, RealAddress } from './link.js';

const LOOPBACK = '127.0.0.1';

/** Every port of a pod is a socket of this machine on a port nobody chose, so that no two pods can collide. */
export class SocketLink implements Link {
  readonly #servers = new Map<string, Server>();

  async listen(ip: string, port: number, accept: (connection: Duplex) => void): Promise<Listener> {
    const key = `${ip}:${port}`;
    if (this.#servers.has(key)) throw new ClusterError('ADDRESS_IN_USE', `listen tcp ${key}: address already in use`);
    const server = createServer();
    this.#servers.set(key, server);
    try {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(0, LOOPBACK, resolve);
      });
    } catch (error) {
      this.#servers.delete(key);
      throw error;
    }
    const open = new Set<Socket>();
    server.on('connection', (socket: Socket) => {
      open.add(socket);
      socket.once('close', () => open.delete(socket));
      // A peer that is gone is the program's to notice, not a crash.
      socket.on('error', () => socket.destroy());
      // Last: one that fails leaves a connection that ends with the listener.
      accept(socket);
    });
    return { close: () => this.#close(key, server, open) };
  }

  dial(ip: string, port: number): Promise<Duplex> {
    const address = this.address(ip, port);
    const refused = new ClusterError('CONNECTION_REFUSED', `dial tcp ${ip}:${port}: connect: connection refused`);
    if (address === undefined) return Promise.reject(refused);
    return new Promise((resolve, reject) => {
      const socket = connect(address.port, address.host);
      socket.once('error', () => reject(refused));
      socket.once('connect', () => {
        socket.on('error', () => socket.destroy());
        resolve(socket);
      });
    });
  }

  address(ip: string, port: number): RealAddress | undefined {
    const bound = this.#servers.get(`${ip}:${port}`)?.address() as AddressInfo | null | undefined;
    return bound == null ? undefined : { host: LOOPBACK, port: bound.port };
  }

  #close(key: string, server: Server, open: ReadonlySet<Socket>): Promise<void> {
    if (this.#servers.get(key) === server) this.#servers.delete(key);
    for (const socket of open) socket.destroy();
    return new Promise((resolve) => {
      server.close(() => resolve());
    });
  }
}

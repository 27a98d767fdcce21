import type { Duplex } from 'node:stream';

/** A listener; closing it refuses new connections and leaves those there are. */
export interface Listener {
  close(): Promise<void>;
}

/** Where something outside the pods can reach a port of a pod. */
export interface RealAddress {
  readonly host: string;
  readonly port: number;
}

/**
 * Carries the connections of pods, which know each other by address and port. Throws `ClusterError`:
 * `ADDRESS_IN_USE`, `CONNECTION_REFUSED`.
 */
export interface Link {
  listen(ip: string, port: number, accept: (connection: Duplex) => void): Promise<Listener>;
  dial(ip: string, port: number): Promise<Duplex>;
  /** The socket behind a port, where there are sockets. */
  address(ip: string, port: number): RealAddress | undefined;
}

import type { Duplex } from 'node:stream';
import type { Listener } from '../pod-network/link.js';
import type { ProgramNetwork } from '../pod-network/pod-network.js';

/** A network that closes what was opened by it once the signal aborts: with a process its ports and connections end. */
export function mortalNetwork({ dial, ip, listen, serve }: ProgramNetwork, signal: AbortSignal): ProgramNetwork {
  const listeners = new Set<Listener>();
  const connections = new Set<Duplex>();
  signal.addEventListener(
    'abort',
    () => {
      for (const listener of listeners) void listener.close();
      for (const connection of connections) connection.destroy();
    },
    { once: true },
  );
  const kept = async (opening: Promise<Listener>): Promise<Listener> => {
    const inner = await opening;
    const listener = {
      close: () => {
        listeners.delete(listener);
        return inner.close();
      },
    };
    listeners.add(listener);
    if (signal.aborted) await listener.close();
    return listener;
  };
  return {
    ip,
    listen: (port, accept) => kept(listen(port, accept)),
    serve: (port, server) => kept(serve(port, server)),
    dial: async (host, port) => {
      const connection = await dial(host, port);
      connections.add(connection);
      connection.once('close', () => connections.delete(connection));
      if (signal.aborted) connection.destroy();
      return connection;
    },
  };
}

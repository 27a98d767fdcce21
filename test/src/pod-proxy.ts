import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream';

/** Connects to a node or pod that exists in this process alone. */
export type DialInside = (host: string, port: number) => Promise<Duplex>;

/** A proxy that is at work. */
export interface PodProxy {
  /** Cuts what goes through it. */
  close(): Promise<void>;
}

/** Leads a server that asks by HTTP CONNECT to nodes and pods of this process. */
export async function servePodProxy(socketPath: string, dial: DialInside): Promise<PodProxy> {
  const open = new Set<Duplex>();
  const keep = (connection: Duplex): void => {
    open.add(connection);
    connection.once('close', () => open.delete(connection));
  };
  const server = createServer();
  server.on('connect', (request, caller) => {
    keep(caller);
    caller.on('error', () => caller.destroy());
    const { hostname, port } = new URL(`tcp://${request.url ?? ''}`);
    dial(hostname, Number(port)).then(
      (inside) => {
        keep(inside);
        caller.write('HTTP/1.1 200 OK\r\n\r\n');
        // Either may be cut at any time; its end cuts the other.
        pipeline(caller, inside, () => undefined);
        pipeline(inside, caller, () => undefined);
      },
      (error: unknown) => caller.end(`HTTP/1.1 502 ${error instanceof Error ? error.message : String(error)}\r\n\r\n`),
    );
  });
  rmSync(socketPath, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(socketPath, resolve);
  });
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const connection of open) connection.destroy();
      }),
  };
}

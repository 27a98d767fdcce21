import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { deepEqual } from '@capstan/meta';
import { SimulationError } from '../errors.js';
import type { BalancedService, Balancer, Ingress } from './load-balancers.js';

export interface SocketBalancerOptions {
  /** Connects to a ready pod behind a Service. */
  readonly dial: (namespace: string, name: string, port: number) => Promise<Duplex>;
  /** Where to listen: the first at which the ports of a Service are free. Default: addresses of this machine alone. */
  readonly hosts?: readonly string[] | undefined;
}

interface Open {
  readonly host: string;
  readonly ports: readonly number[];
  readonly servers: readonly Server[];
  readonly sockets: Set<Socket>;
}

/** Where the same port is wanted many times, as that of API servers is, each needs an address of its own. */
const LOOPBACK = Array.from({ length: 254 }, (_, at) => `127.0.0.${at + 1}`);

/** Ports of this machine that lead to Services. */
export class SocketBalancer implements Balancer {
  readonly #options: SocketBalancerOptions;
  readonly #open = new Map<string, Open>();

  constructor(options: SocketBalancerOptions) {
    this.#options = options;
  }

  async open(service: BalancedService): Promise<Ingress> {
    const { name = '', namespace = '' } = service.metadata;
    const ports = (service.spec?.ports ?? []).map(({ port }) => port);
    const known = this.#open.get(`${namespace}/${name}`);
    if (known !== undefined && deepEqual(known.ports, ports)) return { ip: known.host };
    await this.close(namespace, name);
    for (const host of this.#candidates(service, ports)) {
      const open = await this.#listen(host, ports, { namespace, name });
      if (open === undefined) continue;
      this.#open.set(`${namespace}/${name}`, open);
      return { ip: host };
    }
    throw new SimulationError(
      'PORTS_TAKEN',
      `port ${ports.join(', ')} is taken at every address of this machine: choose another one`,
    );
  }

  async close(namespace: string, name: string): Promise<void> {
    const open = this.#open.get(`${namespace}/${name}`);
    this.#open.delete(`${namespace}/${name}`);
    for (const socket of open?.sockets ?? []) socket.destroy();
    await closed(open?.servers ?? []);
  }

  /** The Service that is reached at an address. */
  serviceAt(host: string, port: number): { readonly namespace: string; readonly name: string } | undefined {
    for (const [key, open] of this.#open) {
      const [namespace = '', name = ''] = key.split('/');
      if (open.host === host && open.ports.includes(port)) return { namespace, name };
    }
    return undefined;
  }

  /** Closes everything. */
  async stop(): Promise<void> {
    for (const key of this.#open.keys()) {
      const [namespace = '', name = ''] = key.split('/');
      await this.close(namespace, name);
    }
  }

  /** Where the Service was reached before comes first: clients know that address. */
  #candidates({ status }: BalancedService, ports: readonly number[]): string[] {
    const { hosts = LOOPBACK } = this.#options;
    const reported = status?.loadBalancer?.ingress?.[0]?.ip;
    const ordered = hosts.toSorted((a, b) => Number(b === reported) - Number(a === reported));
    const taken = new Set([...this.#open.values()].flatMap((open) => open.ports.map((port) => `${open.host}:${port}`)));
    return ordered.filter((host) => !ports.some((port) => taken.has(`${host}:${port}`)));
  }

  /** Listens on all ports of an address; undefined where one of them is taken, or the machine has no such address. */
  async #listen(host: string, ports: readonly number[], service: Named): Promise<Open | undefined> {
    const sockets = new Set<Socket>();
    const servers: Server[] = [];
    try {
      for (const port of ports) {
        const server = createServer((socket) => void this.#join(socket, sockets, { ...service, port }));
        await new Promise<void>((resolve, reject) => {
          server.once('error', reject);
          server.listen(port, host, resolve);
        });
        servers.push(server);
      }
    } catch (error) {
      await closed(servers);
      if (!ELSEWHERE.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
      return undefined;
    }
    return { host, ports, servers, sockets };
  }

  async #join(
    socket: Socket,
    sockets: Set<Socket>,
    { name, namespace, port }: Named & { readonly port: number },
  ): Promise<void> {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    try {
      const inner = await this.#options.dial(namespace, name, port);
      inner.on('error', () => socket.destroy());
      inner.once('close', () => socket.destroy());
      socket.once('close', () => inner.destroy());
      socket.pipe(inner);
      inner.pipe(socket);
    } catch {
      // No backend: the client gets what a load balancer without a backend answers.
      socket.destroy();
    }
  }
}

interface Named {
  readonly namespace: string;
  readonly name: string;
}

/** What another address may be free of. */
const ELSEWHERE: ReadonlySet<string> = new Set(['EADDRINUSE', 'EADDRNOTAVAIL']);

async function closed(servers: readonly Server[]): Promise<void> {
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
}

/** A port that was free a moment ago. */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, host, resolve);
  });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

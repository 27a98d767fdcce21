import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { defineOperator, Manager, patchFrom } from '@capstan/kube';
import type { ManagerOptions, OperatorDefinition } from '@capstan/kube';
import { deepEqual, isNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';

/** A Service, as far as who balances loads looks at it. */
export interface BalancedService extends KubeObject {
  readonly spec?: {
    readonly type?: string;
    readonly ports?: readonly { readonly port: number; readonly name?: string }[];
  };
  readonly status?: { readonly loadBalancer?: { readonly ingress?: readonly Ingress[] } };
}

/** Where a Service is reached from outside. */
export interface Ingress {
  readonly ip?: string;
  readonly hostname?: string;
}

/** Makes the ways into a cluster. */
export interface Balancer {
  /** Idempotent; gives where the Service is now reached. */
  open(service: BalancedService): Promise<Ingress>;
  close(namespace: string, name: string): Promise<void>;
}

const SERVICES = { group: '', version: 'v1', plural: 'services', namespaced: true, kind: 'Service' };

/** Gives every Service of type LoadBalancer its address, as the controller of a cloud does. */
export function loadBalancerManager(options: ManagerOptions, balancer: Balancer): Manager {
  const manager = new Manager(options);
  const controller = manager.controller({
    name: 'load-balancers',
    reconcile: async ({ name, namespace }) => {
      const service = await manager.cache.get<BalancedService>(SERVICES, name, { namespace }).catch(absent);
      if (service?.spec?.type !== 'LoadBalancer') {
        await balancer.close(namespace, name);
        return;
      }
      const ingress = [await balancer.open(service)];
      if (deepEqual(service.status?.loadBalancer?.ingress, ingress)) return;
      const after = { ...service, status: { ...service.status, loadBalancer: { ingress } } };
      await patchFrom(manager.client, SERVICES, { before: service, after }, { subresource: 'status' });
    },
  });
  controller.for<BalancedService>(SERVICES);
  return manager;
}

/** The same as a program. */
export function loadBalancers(balancer: Balancer): OperatorDefinition<Record<never, never>> {
  return defineOperator({
    name: 'load-balancers',
    flags: {},
    build: ({ options }) => loadBalancerManager(options, balancer),
  });
}

function absent(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}

/** Names that lead nowhere but within this process. */
export function namedBalancer(opened: (service: BalancedService, host: string) => void): Balancer {
  const known = new Set<string>();
  return {
    open: async (service) => {
      const { name = '', namespace = '' } = service.metadata;
      const hostname = `${name}.${namespace}.lb.capstan.internal`;
      if (!known.has(hostname)) opened(service, hostname);
      known.add(hostname);
      return { hostname };
    },
    close: async (namespace, name) => {
      known.delete(`${name}.${namespace}.lb.capstan.internal`);
    },
  };
}

export interface SocketBalancerOptions {
  /** Connects to a ready pod behind a Service. */
  readonly dial: (namespace: string, name: string, port: number) => Promise<Duplex>;
  /** Where to listen. Default 127.0.0.1. */
  readonly host?: string | undefined;
}

interface Open {
  readonly ports: readonly number[];
  readonly servers: readonly Server[];
  readonly sockets: Set<Socket>;
}

/** Ports of this machine that lead to Services: each Service needs ports of its own. */
export class SocketBalancer implements Balancer {
  readonly #options: SocketBalancerOptions;
  readonly #open = new Map<string, Open>();

  constructor(options: SocketBalancerOptions) {
    this.#options = options;
  }

  async open({ metadata, spec }: BalancedService): Promise<Ingress> {
    const { host = '127.0.0.1' } = this.#options;
    const { name = '', namespace = '' } = metadata;
    const ports = (spec?.ports ?? []).map(({ port }) => port);
    const key = `${namespace}/${name}`;
    if (deepEqual(this.#open.get(key)?.ports, ports)) return { ip: host };
    await this.close(namespace, name);
    const sockets = new Set<Socket>();
    const servers: Server[] = [];
    this.#open.set(key, { ports, servers, sockets });
    for (const port of ports) {
      const server = createServer((socket) => void this.#join(socket, sockets, { namespace, name, port }));
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, resolve);
      }).catch(async (error: unknown) => {
        await this.close(namespace, name);
        throw error;
      });
      servers.push(server);
    }
    return { ip: host };
  }

  async close(namespace: string, name: string): Promise<void> {
    const open = this.#open.get(`${namespace}/${name}`);
    this.#open.delete(`${namespace}/${name}`);
    for (const socket of open?.sockets ?? []) socket.destroy();
    await Promise.all((open?.servers ?? []).map((server) => new Promise((resolve) => server.close(resolve))));
  }

  /** Closes everything. */
  async stop(): Promise<void> {
    for (const key of this.#open.keys()) {
      const [namespace = '', name = ''] = key.split('/');
      await this.close(namespace, name);
    }
  }

  async #join(
    socket: Socket,
    sockets: Set<Socket>,
    { name, namespace, port }: { readonly namespace: string; readonly name: string; readonly port: number },
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
      // Nobody is there: the client is told as it would be by a load balancer without a backend.
      socket.destroy();
    }
  }
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

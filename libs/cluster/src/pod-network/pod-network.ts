import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Random } from '@capstan/meta';
import { ClusterError } from '../errors.js';
import type { SharedInformers } from '../workload/shared-informers.js';
import type { Link, Listener, RealAddress } from './link.js';
import { ServiceDirectory } from './service-directory.js';

/** What can be handed connections: the servers of `node:net`, `node:http` and `node:https`. */
export interface ConnectionServer {
  emit(event: 'connection', connection: Duplex): boolean;
}

/** The network as the programs of one pod see it. Failures are a `ClusterError`. */
export interface ProgramNetwork {
  /** The address of the pod. */
  readonly ip: string;
  /** Takes a port of the pod; its containers share them. */
  readonly listen: (port: number, accept: (connection: Duplex) => void) => Promise<Listener>;
  /** Lets a server that listens nowhere itself serve a port of the pod. */
  readonly serve: (port: number, server: ConnectionServer) => Promise<Listener>;
  /** Connects to `localhost` (the pod itself), the address of a pod, or a service by name or address. */
  readonly dial: (host: string, port: number) => Promise<Duplex>;
}

/** The network of one pod, for the kubelet that runs it. */
export interface PodInterface extends ProgramNetwork {
  /** Takes the pod off the network. */
  detach(): Promise<void>;
}

export interface PodNetworkOptions {
  readonly link: Link;
  /** Services and EndpointSlices are read from here; must not have been started yet. */
  readonly informers: SharedInformers;
  readonly random: Random;
  /** Where `kubernetes.default.svc` leads. Default: the addresses of its EndpointSlice. */
  readonly apiServer?: RealAddress | undefined;
}

/** Where a host and port lead: to a port of a pod, or out of the cluster. */
type Route = { readonly pod: string; readonly port: number } | { readonly outside: RealAddress };

const CLUSTER_DOMAIN = '.cluster.local';
const OWN_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1', '0.0.0.0']);

/** Lets pods reach each other and services, and others reach them, whatever carries the connections. */
export class PodNetwork {
  readonly #link: Link;
  readonly #options: PodNetworkOptions;
  /** How many pods have an address: those of the machine share its own. */
  readonly #pods = new Map<string, number>();
  readonly directory: ServiceDirectory;

  constructor(options: PodNetworkOptions) {
    this.#options = options;
    this.#link = options.link;
    this.directory = new ServiceDirectory(options.informers, options.random);
  }

  /** Puts a pod on the network. */
  attach(ip: string, namespace: string): PodInterface {
    const listeners = new Set<Listener>();
    this.#pods.set(ip, (this.#pods.get(ip) ?? 0) + 1);
    const listen: PodInterface['listen'] = async (port, accept) => {
      const inner = await this.#link.listen(ip, port, accept);
      const listener = {
        close: () => {
          listeners.delete(listener);
          return inner.close();
        },
      };
      listeners.add(listener);
      return listener;
    };
    return {
      ip,
      listen,
      serve: (port, server) => listen(port, (connection) => void server.emit('connection', connection)),
      dial: async (host, port) =>
        this.#dial(OWN_HOSTS.has(host) ? { pod: ip, port } : this.#route(host, port, namespace)),
      detach: async () => {
        const left = (this.#pods.get(ip) ?? 1) - 1;
        if (left === 0) this.#pods.delete(ip);
        else this.#pods.set(ip, left);
        await Promise.all([...listeners].map((listener) => listener.close()));
      },
    };
  }

  /** Connects to a port of a pod from outside of it. */
  dialPod(ip: string, port: number): Promise<Duplex> {
    return this.#dial({ pod: ip, port });
  }

  /**
   * Where a ready backend of a service can be reached from this process. Throws `ClusterError`: `NO_SUCH_HOST` when
   * there is no such service or port, `NO_ROUTE` when nothing ready is behind it.
   */
  resolveService(namespace: string, name: string, port: number): RealAddress {
    const route = this.#serviceRoute(namespace, name, port);
    if ('outside' in route) return route.outside;
    const address = this.#link.address(route.pod, route.port);
    if (address === undefined)
      throw new ClusterError('NO_ROUTE', `nothing listens on ${route.pod}:${route.port} behind service "${name}"`);
    return address;
  }

  /** The same for those who have another way to go: undefined where there is nothing. */
  findService(namespace: string, name: string, port: number): RealAddress | undefined {
    try {
      return this.resolveService(namespace, name, port);
    } catch (error) {
      if (error instanceof ClusterError) return undefined;
      throw error;
    }
  }

  /** The same as a connection, which also exists where there are no sockets. */
  async dialService(namespace: string, name: string, port: number): Promise<Duplex> {
    return this.#dial(this.#serviceRoute(namespace, name, port));
  }

  #dial(route: Route): Promise<Duplex> {
    if (!('outside' in route)) return this.#link.dial(route.pod, route.port);
    const { host, port } = route.outside;
    return new Promise((resolve, reject) => {
      const socket = connect(port, host);
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        socket.on('error', () => socket.destroy());
        resolve(socket);
      });
    });
  }

  #route(host: string, port: number, namespace: string): Route {
    if (this.#pods.has(host)) return { pod: host, port };
    const service = this.directory.atAddress(host);
    if (service !== undefined)
      return this.#serviceRoute(service.metadata.namespace ?? '', service.metadata.name ?? '', port);
    return this.#namedRoute(host, port, namespace);
  }

  /** By name: a service with an address leads to one of its backends, one without to a pod itself. */
  #namedRoute(host: string, port: number, namespace: string): Route {
    const unknown = new ClusterError('NO_SUCH_HOST', `lookup ${host}: no such host`);
    const named = parseServiceName(host, namespace);
    if (named === undefined) throw unknown;
    const service = this.directory.service(named.namespace, named.name);
    if (service === undefined) throw unknown;
    if (service.spec?.clusterIP !== 'None') {
      if (named.hostname !== undefined) throw unknown;
      return this.#serviceRoute(named.namespace, named.name, port);
    }
    const ip = this.directory.address(service, named.hostname);
    if (ip === undefined) throw unknown;
    return this.#pods.has(ip) ? { pod: ip, port } : { outside: { host: ip, port } };
  }

  #serviceRoute(namespace: string, name: string, port: number): Route {
    const { apiServer } = this.#options;
    if (apiServer !== undefined && namespace === 'default' && name === 'kubernetes') return { outside: apiServer };
    const service = this.directory.service(namespace, name);
    if (service === undefined) throw new ClusterError('NO_SUCH_HOST', `service "${name}" not found`);
    if (!(service.spec?.ports ?? []).some((candidate) => candidate.port === port))
      throw new ClusterError('NO_SUCH_HOST', `no service port ${port} found for service "${name}"`);
    const backend = this.directory.backend(service, port);
    if (backend === undefined) throw new ClusterError('NO_ROUTE', `no endpoints available for service "${name}"`);
    if (this.#pods.has(backend.ip)) return { pod: backend.ip, port: backend.port };
    return { outside: { host: backend.ip, port: backend.port } };
  }
}

interface ServiceName {
  readonly namespace: string;
  readonly name: string;
  /** One pod of a service without address. */
  readonly hostname: string | undefined;
}

/** `svc`, `svc.ns`, `svc.ns.svc` and `svc.ns.svc.cluster.local`, the last two also with the name of a pod before. */
function parseServiceName(host: string, namespace: string): ServiceName | undefined {
  const short = host.endsWith(CLUSTER_DOMAIN) ? host.slice(0, -CLUSTER_DOMAIN.length) : host;
  const parts = short.split('.');
  const hostname = parts.length === 4 ? parts.shift() : undefined;
  const [name = '', space = namespace, type = 'svc', ...rest] = parts;
  if (name === '' || type !== 'svc' || rest.length > 0) return undefined;
  return { name, namespace: space, hostname };
}

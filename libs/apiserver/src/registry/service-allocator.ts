import type { ServiceAllocator } from '../builtin/strategy.js';
import type { KubeObject } from '@capstan/meta';
import type { Store } from '../store/index.js';

/** The network services get their addresses from: by default that of the real server, which is for small clusters. */
const IPV4_NETWORK = 10 * 2 ** 24;
const DEFAULT_PREFIX_LENGTH = 24;
const IPV6_PREFIX = 'fd00:10::';
const NODE_PORT_FIRST = 30000;
const NODE_PORT_LAST = 32767;

interface ServiceSpec {
  clusterIP?: string;
  clusterIPs?: string[];
  ports?: { nodePort?: number }[];
  healthCheckNodePort?: number;
}

/**
 * Addresses and ports for Services. What is taken is read from the stored Services at the moment of asking, so there is
 * no second state to fall out of step, after a crash or otherwise.
 */
export class StoreAllocator implements ServiceAllocator {
  readonly #store: Store;
  /** Addresses of the network, the first and the last among them, which are given to nobody. */
  readonly #size: number;

  constructor(store: Store, prefixLength = DEFAULT_PREFIX_LENGTH) {
    this.#store = store;
    this.#size = 2 ** (32 - prefixLength);
  }

  outside(wanted: string | number): string | undefined {
    if (typeof wanted === 'string') {
      return isIPv4In(wanted, this.#size) || wanted.startsWith(IPV6_PREFIX)
        ? undefined
        : 'the provided network does not match the current range';
    }
    if (wanted >= NODE_PORT_FIRST && wanted <= NODE_PORT_LAST) return undefined;
    return `provided port is not in the valid range. The range of valid ports is ${NODE_PORT_FIRST}-${NODE_PORT_LAST}`;
  }

  clusterIP(family: 'IPv4' | 'IPv6', wanted?: string): string | undefined {
    const taken = new Set(this.#specs().flatMap((spec) => spec.clusterIPs ?? (spec.clusterIP ? [spec.clusterIP] : [])));
    if (wanted !== undefined && wanted !== '') return this.#ifFree(wanted, taken);
    for (let host = 1; host < this.#size - 1; host += 1) {
      const address = family === 'IPv4' ? ipv4Of(host) : `${IPV6_PREFIX}${host.toString(16)}`;
      if (!taken.has(address)) return address;
    }
    return undefined;
  }

  nodePort(wanted?: number, besides: ReadonlySet<number> = new Set()): number | undefined {
    const taken = new Set([...besides, ...this.#specs().flatMap(portsOf)]);
    if (wanted !== undefined && wanted !== 0) return this.#ifFree(wanted, taken);
    for (let port = NODE_PORT_FIRST; port <= NODE_PORT_LAST; port += 1) if (!taken.has(port)) return port;
    return undefined;
  }

  #ifFree<T extends string | number>(wanted: T, taken: ReadonlySet<T>): T | undefined {
    return taken.has(wanted) || this.outside(wanted) !== undefined ? undefined : wanted;
  }

  #specs(): ServiceSpec[] {
    return this.#store.list('/services').items.map((stored) => stored.fact('allocated', () => specOf(stored.object())));
  }
}

function ipv4Of(host: number): string {
  const address = IPV4_NETWORK + host;
  return [24, 16, 8, 0].map((shift) => (address >>> shift) & 0xff).join('.');
}

/** Whether it is an address of the network of that size. */
function isIPv4In(text: string, size: number): boolean {
  const parts = text.split('.');
  if (parts.length !== 4) return false;
  const host = parts.reduce((sum, part) => sum * 256 + Number(part), 0) - IPV4_NETWORK;
  return host >= 0 && host < size;
}

/** A port of the nodes is given once, whatever is spoken over it. */
function portsOf({ healthCheckNodePort, ports = [] }: ServiceSpec): number[] {
  return [healthCheckNodePort, ...ports.map(({ nodePort }) => nodePort)].filter((port) => port !== undefined);
}

function specOf(service: KubeObject): ServiceSpec {
  return (service['spec'] as ServiceSpec | undefined) ?? {};
}

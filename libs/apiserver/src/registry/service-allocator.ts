import type { ServiceAllocator } from '../builtin/strategy.js';
import type { KubeObject } from '@capstan/meta';
import type { Store } from '../store/index.js';

/** The network services get their addresses from, as the real server's default in small clusters. */
const IPV4_PREFIX = '10.0.0.';
const IPV4_FIRST = 1;
const IPV4_LAST = 254;
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

  constructor(store: Store) {
    this.#store = store;
  }

  outside(wanted: string | number): string | undefined {
    if (typeof wanted === 'string') {
      return wanted.startsWith(IPV4_PREFIX) || wanted.startsWith(IPV6_PREFIX)
        ? undefined
        : 'the provided network does not match the current range';
    }
    if (wanted >= NODE_PORT_FIRST && wanted <= NODE_PORT_LAST) return undefined;
    return `provided port is not in the valid range. The range of valid ports is ${NODE_PORT_FIRST}-${NODE_PORT_LAST}`;
  }

  clusterIP(family: 'IPv4' | 'IPv6', wanted?: string): string | undefined {
    const taken = new Set(this.#specs().flatMap((spec) => spec.clusterIPs ?? (spec.clusterIP ? [spec.clusterIP] : [])));
    if (wanted !== undefined && wanted !== '') return this.#ifFree(wanted, taken);
    for (let host = IPV4_FIRST; host <= IPV4_LAST; host += 1) {
      const address = family === 'IPv4' ? `${IPV4_PREFIX}${host}` : `${IPV6_PREFIX}${host.toString(16)}`;
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

/** A port of the nodes is given once, whatever is spoken over it. */
function portsOf({ healthCheckNodePort, ports = [] }: ServiceSpec): number[] {
  return [healthCheckNodePort, ...ports.map(({ nodePort }) => nodePort)].filter((port) => port !== undefined);
}

function specOf(service: KubeObject): ServiceSpec {
  return (service['spec'] as ServiceSpec | undefined) ?? {};
}

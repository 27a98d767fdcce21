import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

/** The names a serving certificate must carry so that clients may dial the server as they are used to. */
export interface ServingNames {
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
}

const WILDCARDS: ReadonlySet<string> = new Set(['0.0.0.0', '::']);
const CLUSTER_NAMES = [
  'localhost',
  'kubernetes',
  'kubernetes.default',
  'kubernetes.default.svc',
  'kubernetes.default.svc.cluster.local',
];

/** Of the Service `kubernetes`: the addresses that pods use. */
const SERVICE_ADDRESS = '10.0.0.1';

/** Every way to reach a server that listens on this host. */
export function servingNames(host: string): ServingNames {
  const addresses = new Set(['127.0.0.1', '::1', SERVICE_ADDRESS]);
  if (WILDCARDS.has(host)) {
    for (const each of Object.values(networkInterfaces()).flat()) if (each !== undefined) addresses.add(each.address);
  } else if (isIP(host) !== 0) {
    addresses.add(host);
  }
  const dnsNames = isIP(host) === 0 && host !== 'localhost' ? [...CLUSTER_NAMES, host] : CLUSTER_NAMES;
  return { dnsNames, ipAddresses: [...addresses] };
}

/** The `host:port` a client on this machine dials. */
export function dialAddress(host: string, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

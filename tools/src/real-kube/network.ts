import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { NetworkInterfaceInfo } from 'node:os';

export const LOOPBACK = '127.0.0.1';

/** A port that was free a moment ago; the caller must be ready to lose the race for it. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, LOOPBACK, () => {
      const address = server.address();
      server.close(() => {
        if (address === null || typeof address === 'string') {
          reject(new Error('the listening socket has no port'));
        } else {
          resolve(address.port);
        }
      });
    });
  });
}

/**
 * An IPv4 address of this machine that may stand in Endpoints and
 * EndpointSlices: their validation refuses loopback and link-local addresses.
 * IPv4, because the Service range of the started server is IPv4.
 */
export function nonLoopbackAddress(
  interfaces: NodeJS.Dict<NetworkInterfaceInfo[]> = networkInterfaces(),
): string | undefined {
  return Object.values(interfaces)
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal, address }) => family === 'IPv4' && !internal && !address.startsWith('169.254.'))
    ?.address;
}

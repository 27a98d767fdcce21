import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Carry } from '@capstan/kube';
import type { RegistryTransport } from '@capstan/release';
import type { FixtureRegistry } from './fixture-registry.js';

/** The way to a registry of this process, through whatever stands between. */
export function carriedTransport(registry: () => FixtureRegistry, carry: Carry): RegistryTransport {
  return ({ headers, url }) =>
    carry({ subject: `registry ${new URL(url).pathname}`, point: 'read' }, () => {
      const { body, ...head } = registry().handle({ target: url, authorization: headers['authorization'] });
      return { ...head, body: once(body) };
    });
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** A registry on a socket of this machine. */
export interface ServedRegistry {
  /** `127.0.0.1:PORT`: what references begin with. */
  readonly host: string;
  close(): Promise<void>;
}

/** Serves over plain HTTP, which clients use with registries of their own machine. */
export async function serveRegistry(registryAt: (host: string) => FixtureRegistry, port = 0): Promise<ServedRegistry> {
  const found: { registry?: FixtureRegistry } = {};
  const server = createServer((request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405).end();
      return;
    }
    const { authorization } = request.headers;
    const answer = found.registry?.handle({ target: request.url ?? '/', authorization });
    response
      .writeHead(answer?.status ?? 503, answer?.headers)
      .end(request.method === 'HEAD' ? undefined : answer?.body);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  found.registry = registryAt(host);
  return {
    host,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '@capstan/kube';
import { checkedOptions } from './config.js';
import type { ProxyOptions } from './config.js';
import { LOOPBACK_HOSTS } from './exchange/admit.js';
import type { ProxyContext } from './exchange/context.js';
import { LazyTranslator } from './exchange/encodings.js';
import { Exchange } from './exchange/exchange.js';
import { ProxyMetrics } from './metrics.js';
import { WirePool } from './upstream/pool.js';

/** A proxy at work. */
export interface RunningProxy {
  /** `http://127.0.0.1:8080` */
  readonly url: string;
  /** Where health and metrics are; undefined when nobody asked for them. */
  readonly healthUrl: string | undefined;
  /** Stops: no new requests, watches end, what is under way is finished or cut when its time is up. */
  close(): Promise<void>;
}

/** Servers of Go take heads up to here. */
const MAX_HEADER_BYTES = 1024 * 1024;

/** Starts a proxy; resolves once it takes connections. */
export async function startProxy(given: ProxyOptions): Promise<RunningProxy> {
  const options = checkedOptions(given);
  const exchanges = new Set<Exchange>();
  const context = contextOf(options, exchanges);
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    const exchange = new Exchange(context, request, response, () => exchanges.delete(exchange));
    exchanges.add(exchange);
    void exchange.run();
  };
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES, requireHostHeader: false });
  server.on('request', serve).on('checkContinue', serve);
  const url = await listen(server, options.listen);
  return {
    url,
    healthUrl: undefined,
    close: async () => {
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
      for (const exchange of exchanges) exchange.endWatch();
      server.closeAllConnections();
      await closed;
      context.pool.close();
    },
  };
}

function contextOf(options: ReturnType<typeof checkedOptions>, exchanges: ReadonlySet<Exchange>): ProxyContext {
  const { connection, logger, mapping } = options;
  const clock = options.clock ?? systemClock();
  const pool = new WirePool(connection, clock);
  const { host, pathname } = new URL(connection.server);
  return {
    access: { hosts: new Set([...LOOPBACK_HOSTS, ...options.allowedHosts]) },
    encodings: new LazyTranslator(mapping),
    pool,
    metrics: new ProxyMetrics({ open: () => exchanges.size, wires: () => pool.size }),
    logger,
    clock,
    host,
    prefix: pathname.replace(/\/+$/, ''),
    responseTimeoutMs: options.responseTimeoutMs ?? 90_000,
  };
}

async function listen(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.removeListener('error', reject);
      resolve();
    });
  });
  const address = server.address() as AddressInfo;
  return `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`;
}

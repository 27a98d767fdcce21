import { systemClock } from '@capstan/kube/connect';
import { checkedOptions } from './config.js';
import type { CheckedOptions, ProxyOptions } from './config.js';
import { LOOPBACK_HOSTS } from './exchange/admit.js';
import type { ProxyContext } from './exchange/context.js';
import { BODY_WINDOW_MS } from './exchange/body-pace.js';
import { Deadlines } from './exchange/deadlines.js';
import { LazyTranslator } from './exchange/encodings.js';
import { startHealthServer } from './health/health-server.js';
import type { RunningHealthServer } from './health/health-server.js';
import { Inbound } from './inbound/server.js';
import type { Underway } from './inbound/server.js';
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

const DRAIN_MS = 10_000;
const RESPONSE_TIMEOUT_MS = 90_000;

/** Starts a proxy; resolves once it takes connections. */
export async function startProxy(given: ProxyOptions): Promise<RunningProxy> {
  const options = checkedOptions(given);
  const inbound = new Inbound();
  const context = contextOf(options, inbound);
  const url = await inbound.listen(context, options.listen, options);
  const state = { isStopping: false };
  const stop = async (lingerMs = 0): Promise<void> => {
    state.isStopping = true;
    if (lingerMs > 0) await inbound.connections.untilQuiet(context.clock, lingerMs);
    await inbound.close(options.drainMs ?? DRAIN_MS);
    context.pool.close();
    context.deadlines.close();
    context.bodyDeadlines.close();
  };
  let health: RunningHealthServer | undefined;
  try {
    health = await startHealth(options, url, context, () => state.isStopping);
  } catch (error) {
    await stop();
    throw error;
  }
  let stopping: Promise<void> | undefined;
  return {
    url,
    healthUrl: health?.url,
    close: () => (stopping ??= stop(options.lingerMs).then(() => health?.close())),
  };
}

async function startHealth(
  { connection: { namespace }, health, logger, mapping, network, readyzResource: resource }: CheckedOptions,
  url: string,
  { clock, metrics }: ProxyContext,
  isStopping: () => boolean,
): Promise<RunningHealthServer | undefined> {
  if (health === undefined) return undefined;
  const [group = ''] = mapping.needles;
  const where = { listen: health, url, network };
  const read = { clock, group, namespace, resource };
  return startHealthServer({ ...where, ...read, isStopping, logger, metrics });
}

function contextOf(options: CheckedOptions, { exchanges, tunnels }: Underway): ProxyContext {
  const { connection, logger, mapping } = options;
  const clock = options.clock ?? systemClock();
  const pool = new WirePool(connection, clock, options.network?.dial);
  const { host, pathname } = new URL(connection.server);
  const responseTimeoutMs = options.responseTimeoutMs ?? RESPONSE_TIMEOUT_MS;
  return {
    access: { hosts: new Set([...LOOPBACK_HOSTS, ...options.allowedHosts]) },
    encodings: new LazyTranslator(mapping, options.heldResponseBytes),
    pool,
    metrics: new ProxyMetrics({ open: () => exchanges.size + tunnels.size, wires: () => pool.size }),
    logger,
    clock,
    host,
    prefix: pathname.replace(/\/+$/, ''),
    responseTimeoutMs,
    deadlines: new Deadlines(clock, responseTimeoutMs),
    bodyDeadlines: new Deadlines(clock, BODY_WINDOW_MS),
  };
}

import { request } from 'node:http';
import { EndpointServer, HealthChecks } from '@capstan/kube/connect';
import type { EndpointReply, Logger } from '@capstan/kube/connect';
import type { Clock } from '@capstan/meta';
import type { Listen, ProxyNetwork } from '../config.js';
import { ProxyError } from '../errors.js';
import type { ProxyMetrics } from '../metrics.js';
import type { ReadyzResource } from '../config.js';
import { TranslationCheck } from './translation.js';
import type { Ask, TranslationReport } from './translation.js';

/** What the second port reports on. */
export interface HealthServerOptions {
  readonly listen: Listen;
  /** The proxy itself. */
  readonly url: string;
  /** The group by whose standard name an object is read, unless `resource` names another. */
  readonly group: string;
  readonly resource: ReadyzResource | undefined;
  readonly clock: Clock;
  /** Where the proxy runs: it may have no permissions elsewhere. */
  readonly namespace: string;
  readonly metrics: ProxyMetrics;
  readonly logger: Logger;
  readonly isStopping: () => boolean;
  readonly network: ProxyNetwork | undefined;
}

/** A second port that is up. */
export interface RunningHealthServer {
  readonly url: string;
  close(): Promise<void>;
}

const PROBE_TIMEOUT_MS = 5_000;
/** A list without objects was answered under the standard name too: whether that will do is for the client to decide. */
const STATUS_BY_STATE: Readonly<Record<TranslationReport['state'], number>> = {
  ok: 200,
  'nothing-to-read': 200,
  pending: 503,
  failed: 503,
};

/** Serves `/healthz`, `/readyz`, `/readyz/translation` and `/metrics`. */
export async function startHealthServer(options: HealthServerOptions): Promise<RunningHealthServer> {
  const { listen, logger, metrics, network } = options;
  const ask = asker(options);
  const server = new EndpointServer({ name: 'health', ...listen, attach: network?.attach, logger, maxBodyBytes: 0 });
  const ready = new HealthChecks('readyz', logger);
  ready.add('running', () => {
    if (options.isStopping()) throw new ProxyError('stopping', 'the proxy is being stopped');
  });
  // While it lingers its own connections must not look like those of clients.
  ready.add('upstream', () => (options.isStopping() ? undefined : reachUpstream(ask)));
  const translation = new TranslationCheck({ ...options, ask });
  server.route('/healthz', new HealthChecks('healthz', logger).endpoint);
  server.route('/readyz', ready.endpoint);
  server.route('/readyz/translation', async (): Promise<EndpointReply> => {
    const report = await translation.run();
    return {
      status: STATUS_BY_STATE[report.state],
      contentType: 'application/json',
      body: `${JSON.stringify(report)}\n`,
    };
  });
  server.route('/metrics', () => ({
    status: 200,
    contentType: 'text/plain; version=0.0.4; charset=utf-8',
    body: metrics.render(),
  }));
  const ending = new AbortController();
  const running = server.run(ending.signal);
  running.catch(() => {});
  return {
    url: await server.ready(),
    close: async () => {
      ending.abort();
      await running;
    },
  };
}

/** Any answer of the server will do, but for one that does not know us. */
async function reachUpstream(ask: Ask): Promise<void> {
  const { status, text } = await ask('/version');
  if (status === 401) throw new ProxyError('no-credentials', 'the server does not accept the credentials of the proxy');
  if (status >= 500) throw new ProxyError('unreachable', text);
}

/** Asks the proxy as a client does, over a connection of its own. */
function asker({ network, url }: HealthServerOptions): Ask {
  const headers = { host: 'localhost', accept: 'application/json', connection: 'close' };
  const { hostname, port } = new URL(url);
  return async (target, body) => {
    const connection = await network?.dial(hostname, Number(port));
    const way = connection === undefined ? { agent: false } : { createConnection: () => connection };
    return new Promise((resolve, reject) => {
      const options = {
        ...way,
        method: body === undefined ? 'GET' : 'POST',
        headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
        timeout: PROBE_TIMEOUT_MS,
      };
      const asked = request(`${url}${target}`, options, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (piece: string) => (text += piece));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
        response.on('error', reject);
      });
      asked.on('timeout', () => asked.destroy(new ProxyError('timeout', 'the proxy does not answer')));
      asked.on('error', reject);
      asked.end(body);
    });
  };
}

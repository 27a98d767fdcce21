import { ApiServer, serveHttp, tokenAuthenticator } from '@capstan/apiserver';
import type { AuditEvent } from '@capstan/apiserver';
import { createCa, fixedCredentials, systemClock, systemRandom } from '@capstan/kube';
import type { Connection } from '@capstan/kube';
import type { RealServer } from '../../src/conformance/servers.js';

/** A server that keeps books of who asked for what. */
export interface LoggedServer {
  readonly connection: Connection;
  log(): readonly AuditEvent[];
  stop(): Promise<void>;
}

const TOKEN = 'isolation';
const ADMIN = { username: 'admin', groups: ['system:masters', 'system:authenticated'] };

function bearer(server: string, caPem: string, token: string): Connection {
  const credentials = fixedCredentials({ headers: { authorization: `Bearer ${token}` } });
  return { server, trust: { caPem }, credentials, namespace: 'default' };
}

/** The embedded server behind TLS. */
export async function loggedServer(): Promise<LoggedServer> {
  const log: AuditEvent[] = [];
  const server = new ApiServer({
    clock: systemClock(),
    random: systemRandom(),
    authenticate: tokenAuthenticator(new Map([[TOKEN, ADMIN]])),
    authorization: 'rbac',
    audit: { sink: (event) => log.push(event) > 0 },
  });
  const ca = createCa({ commonName: 'isolation' });
  const { certPem: cert, keyPem: key } = ca.issueServing({
    commonName: 'apiserver',
    ipAddresses: ['127.0.0.1'],
  });
  const http = await serveHttp(server, { port: 0, tls: { cert, key } });
  return { connection: bearer(http.url, ca.certPem, TOKEN), log: () => log, stop: () => http.close() };
}

/** The way to a real server. */
export function connectionTo({ ca, token, url }: Pick<RealServer, 'ca' | 'token' | 'url'>): Connection {
  return bearer(url, ca, token);
}

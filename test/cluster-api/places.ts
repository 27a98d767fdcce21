import { serveHttp, tokenAuthenticator } from '@capstan/apiserver';
import { createCa } from '@capstan/kube';
import { startRealKube } from '@capstan/tools';
import { inject } from 'vitest';
import { embeddedServer } from '../src/conformance/backend.js';
import type { ServerAccess } from '@capstan/tools';
import { runScenario } from './run-scenario.js';
import type { Snapshots } from './run-scenario.js';

const TOKEN = 'admin-token';

/** Runs a function with a server of its own, and stops the server. */
export type WithServer = (use: (access: ServerAccess) => Promise<Snapshots>) => Promise<Snapshots>;

/** On a real server of the chosen version. */
export async function onReal<T>(use: (access: ServerAccess) => Promise<T>): Promise<T> {
  const kube = await startRealKube({ version: inject('realKube').version });
  try {
    return await use(kube);
  } finally {
    await kube.stop();
  }
}

/** On the embedded server behind TLS. */
export const onEmbedded: WithServer = async (use) => {
  const admin = { username: 'admin', uid: 'admin', groups: ['system:masters', 'system:authenticated'] };
  const server = embeddedServer({ authenticate: tokenAuthenticator(new Map([[TOKEN, admin]])), authorization: 'rbac' });
  const ca = createCa({ commonName: 'cluster-api' });
  const pair = ca.issueServing({ commonName: 'apiserver', ipAddresses: ['127.0.0.1'] });
  const http = await serveHttp(server, { port: 0, tls: { cert: pair.certPem, key: pair.keyPem } });
  try {
    return await use({ url: http.url, caPem: ca.certPem, token: TOKEN });
  } finally {
    await http.close();
  }
};

const upstreamRuns = new Map<WithServer, Promise<Snapshots>>();

/** The snapshots of upstream without a proxy; recorded once for all comparisons. */
export function upstreamSnapshots(on: WithServer): Promise<Snapshots> {
  const snapshots = upstreamRuns.get(on) ?? on((access) => runScenario(access, 'upstream'));
  upstreamRuns.set(on, snapshots);
  return snapshots;
}

/** What one has and the other has not, field by field where that is possible. */
export function differences(ours: Snapshots, theirs: Snapshots): string[] {
  const found: string[] = [];
  for (const moment of ['grown', 'rolled', 'healed'] as const) {
    const [a, b] = [ours[moment] ?? {}, theirs[moment] ?? {}];
    for (const text of new Set([...Object.keys(a), ...Object.keys(b)]))
      if (a[text] !== b[text]) found.push(`${moment}: ours ${a[text] ?? 0}, theirs ${b[text] ?? 0}: ${text}`);
  }
  return found;
}

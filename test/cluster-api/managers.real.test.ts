import { serveHttp, tokenAuthenticator } from '@capstan/apiserver';
import { createAuthority } from '@capstan/kube';
import { startRealKube } from '@capstan/tools';
import { describe, expect, inject, it } from 'vitest';
import { embeddedServer } from '../src/conformance/backend.js';
import { hasOriginal } from './original-manager.js';
import type { ServerAccess } from './original-manager.js';
import { tellStory } from './tell-story.js';
import type { Told } from './tell-story.js';

/*
 * One life of a cluster, told with our core manager of Cluster API and with the original one, on a real server and on
 * ours: what there is at each moment must be the same whoever did the work.
 */

const TOKEN = 'admin-token';

/** Does something with a server that nobody else uses, and ends it. */
type WithServer = (use: (access: ServerAccess) => Promise<Told>) => Promise<Told>;

const onReal: WithServer = async (use) => {
  const kube = await startRealKube({ version: inject('realKube').version });
  try {
    return await use(kube);
  } finally {
    await kube.stop();
  }
};

const onEmbedded: WithServer = async (use) => {
  const admin = { username: 'admin', uid: 'admin', groups: ['system:masters', 'system:authenticated'] };
  const server = embeddedServer({ authenticate: tokenAuthenticator(new Map([[TOKEN, admin]])), authorization: 'rbac' });
  const authority = createAuthority({ commonName: 'cluster-api' });
  const pair = authority.issueServing({ commonName: 'apiserver', ipAddresses: ['127.0.0.1'] });
  const http = await serveHttp(server, { port: 0, tls: { cert: pair.certPem, key: pair.keyPem } });
  try {
    return await use({ url: http.url, caPem: authority.certPem, token: TOKEN });
  } finally {
    await http.close();
  }
};

/** What one has and the other has not, field by field where that is possible. */
function differences(ours: Told, theirs: Told): string[] {
  const found: string[] = [];
  for (const moment of ['grown', 'rolled', 'healed'] as const) {
    const [a, b] = [ours[moment] ?? {}, theirs[moment] ?? {}];
    for (const text of new Set([...Object.keys(a), ...Object.keys(b)]))
      if (a[text] !== b[text]) found.push(`${moment}: ours ${a[text] ?? 0}, theirs ${b[text] ?? 0}: ${text}`);
  }
  return found;
}

it.skipIf(hasOriginal())('our core of Cluster API alone does it all', { timeout: 900_000 }, async () => {
  const told = await onReal((access) => tellStory(access, 'ours'));
  expect(Object.keys(told)).toEqual(['grown', 'rolled', 'healed']);
});

describe.skipIf(!hasOriginal()).concurrent('the core of Cluster API, ours and the original', () => {
  it('does the same on a real kube-apiserver', { timeout: 900_000 }, async () => {
    const [ours, theirs] = await Promise.all([
      onReal((access) => tellStory(access, 'ours')),
      onReal((access) => tellStory(access, 'original')),
    ]);
    expect(differences(ours, theirs)).toEqual([]);
  });

  it('does the same on the embedded server', { timeout: 900_000 }, async () => {
    const [ours, theirs] = await Promise.all([
      onEmbedded((access) => tellStory(access, 'ours')),
      onEmbedded((access) => tellStory(access, 'original')),
    ]);
    expect(differences(ours, theirs)).toEqual([]);
  });
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiServer, serveHttp, tokenAuthenticator } from '@capstan/apiserver';
import { GarbageCollector, NamespaceController } from '@capstan/cluster';
import {
  Client,
  createAuthority,
  fixedCredentials,
  HttpTransport,
  silentLogger,
  systemClock,
  systemRandom,
  writeKubeconfig,
} from '@capstan/kube';
import type { UserInfo } from '@capstan/meta';
import type { RealKubeAccess } from '@capstan/tools';

/** A server for kubectl to speak to, with the controllers a cluster has beside it. */
export interface Cluster {
  readonly backend: 'embedded' | 'real';
  readonly url: string;
  /** For preparing what a scenario is not about: it costs no process. */
  readonly client: Client;
  readonly kubeconfig: string;
  /** Files of this cluster's clients, removed with it. */
  readonly dir: string;
  /** What went wrong in the server that was nobody's request's fault. */
  readonly errors: readonly unknown[];
  stop(): Promise<void>;
}

const ADMIN: UserInfo = { username: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };
const TOKEN = 'kubectl-suite';

/** The embedded server behind TLS and a token, as any client would meet it. */
export async function startEmbedded(): Promise<Cluster> {
  const clock = systemClock();
  const random = systemRandom();
  const errors: unknown[] = [];
  const server = new ApiServer({
    clock,
    random,
    authenticate: tokenAuthenticator(new Map([[TOKEN, ADMIN]])),
    authorization: 'rbac',
    onError: (error) => errors.push(error),
  });
  const authority = createAuthority({ commonName: 'capstan-ca' });
  const serving = authority.issueServing({ commonName: 'capstan', ipAddresses: ['127.0.0.1'] });
  const http = await serveHttp(server, {
    port: 0,
    tls: { cert: serving.certPem, key: serving.keyPem },
    onError: (error) => errors.push(error),
  });
  const client = new Client(server, { user: ADMIN, clock, random });
  const rest = await equip(client, { url: http.url, caPem: authority.certPem, token: TOKEN });
  return {
    backend: 'embedded',
    client,
    errors,
    ...rest,
    stop: async () => {
      await rest.stop();
      await http.close();
    },
  };
}

/** A kube-apiserver that is already running, with our controllers beside it. */
export async function joinReal(access: RealKubeAccess): Promise<Cluster> {
  const transport = new HttpTransport({
    server: access.url,
    trust: { caPem: access.ca },
    credentials: fixedCredentials({ headers: { authorization: `Bearer ${access.token}` } }),
    namespace: 'default',
  });
  const client = new Client(transport);
  const rest = await equip(client, { url: access.url, caPem: access.ca, token: access.token });
  return {
    backend: 'real',
    client,
    errors: [],
    ...rest,
    stop: async () => {
      await rest.stop();
      await transport.close();
    },
  };
}

/** Adds controllers and a kubeconfig to a server. */
async function equip(
  client: Client,
  { url, caPem, token }: { url: string; caPem: string; token: string },
): Promise<Pick<Cluster, 'url' | 'kubeconfig' | 'dir' | 'stop'>> {
  const dir = mkdtempSync(join(tmpdir(), 'capstan-kubectl-'));
  const kubeconfig = join(dir, 'kubeconfig');
  await writeKubeconfig({ path: kubeconfig, server: url, caPem, token });
  const controllers = { client, clock: systemClock(), random: systemRandom(), logger: silentLogger() };
  const ending = new AbortController();
  const collector = new GarbageCollector(controllers);
  const namespaces = new NamespaceController(controllers);
  await Promise.all([collector.start(ending.signal), namespaces.start(ending.signal)]);
  return {
    url,
    kubeconfig,
    dir,
    stop: async () => {
      ending.abort();
      await Promise.all([collector.stopped(), namespaces.stopped()]);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

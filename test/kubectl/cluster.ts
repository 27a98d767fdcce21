import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiServer, HttpsCaller, kubeletConnector, serveHttp, tokenAuthenticator } from '@capstan/apiserver';
import {
  DeploymentController,
  DisruptionController,
  GarbageCollector,
  JobController,
  NamespaceController,
  ReplicaSetController,
  SharedInformers,
  StatefulSetController,
  KUBELET_CLIENT_USER,
} from '@capstan/cluster';
import { SimulatedKubelet } from '@capstan/cluster/testing';
import type { Controller } from '@capstan/cluster';
import {
  Client,
  createCa,
  fixedCredentials,
  HttpTransport,
  loadCa,
  silentLogger,
  systemClock,
  systemRandom,
  writeKubeconfig,
} from '@capstan/kube';
import type { CertificateAuthority } from '@capstan/kube';
import type { UserInfo } from '@capstan/meta';
import type { RealKubeAccess } from '@capstan/tools';
import { serveNode, type ServedNode } from './served-node.js';

/** A server for kubectl to talk to, with the controllers of a cluster. */
export interface Cluster {
  readonly backend: 'embedded' | 'real';
  /** What the names of scenarios' namespaces begin with. */
  readonly namespacePrefix: string;
  readonly url: string;
  /** For preparing what a scenario is not about: it costs no process. */
  readonly client: Client;
  readonly kubeconfig: string;
  /** The way past the proxy, where kubectl goes through one. */
  readonly direct?: { readonly kubeconfig: string };
  /** Files of this cluster's clients, removed with it. */
  readonly dir: string;
  /** Whose containers kubectl reaches, where one was asked for. */
  readonly node?: ServedNode;
  /** How clients went on in another protocol with a kubelet, where that can be seen: `status protocol path`. */
  readonly upgrades?: readonly string[];
  /** Errors of the server that no request caused. */
  readonly errors: readonly unknown[];
  /** Compacts the history up to now; a real server cannot do that on request. */
  readonly forget?: (() => void) | undefined;
  stop(): Promise<void>;
}

const ADMIN: UserInfo = { username: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };
const TOKEN = 'kubectl-suite';

/** Whether workloads have controllers, and pods a kubelet, or are left as they are written. */
export interface ClusterOptions {
  readonly workloads?: boolean;
  /** Adds a node with scripted containers, to which real servers speak SPDY unless it takes WebSockets. */
  readonly node?: boolean | 'takes-websockets';
}

/** The embedded server behind TLS and a token, as any client would meet it. */
export async function startEmbedded(options: ClusterOptions = {}): Promise<Cluster> {
  const clock = systemClock();
  const random = systemRandom();
  const errors: unknown[] = [];
  const ca = createCa({ commonName: 'capstan-ca' });
  const ours = ca.issueClient({ user: KUBELET_CLIENT_USER });
  const connector = kubeletConnector({ ca: ca.certPem, cert: ours.certPem, key: ours.keyPem });
  const upgrades: string[] = [];
  const server = new ApiServer({
    nodes: {
      async ask(kubelet, request) {
        const answer = await connector.ask(kubelet, request);
        const { upgrade } = request.headers;
        if (upgrade !== undefined) upgrades.push(`${answer.status} ${upgrade} ${request.target}`);
        return answer;
      },
    },
    clock,
    random,
    authenticate: tokenAuthenticator(new Map([[TOKEN, ADMIN]])),
    authorization: 'rbac',
    faultsEndpoint: true,
    webhooks: new HttpsCaller(),
    onError: (error) => errors.push(error),
  });
  const serving = ca.issueServing({ commonName: 'capstan', ipAddresses: ['127.0.0.1'] });
  const http = await serveHttp(server, {
    port: 0,
    tls: { cert: serving.certPem, key: serving.keyPem },
    onError: (error) => errors.push(error),
  });
  const client = new Client(server, { user: ADMIN, clock, random });
  const rest = await equip(client, { url: http.url, caPem: ca.certPem, token: TOKEN }, options);
  const node =
    options.node === true ? await serveNode({ client, ca, onError: (error) => errors.push(error) }) : undefined;
  return {
    backend: 'embedded',
    client,
    errors,
    upgrades,
    ...(node === undefined ? {} : { node }),
    ...rest,
    forget: () => server.store.compact(server.store.revision),
    stop: async () => {
      await node?.stop();
      await rest.stop();
      await http.close();
    },
  };
}

/** A kube-apiserver that is already running, with our controllers as its clients. */
export async function joinReal(access: RealKubeAccess, options: ClusterOptions = {}): Promise<Cluster> {
  const transport = new HttpTransport({
    server: access.url,
    trust: { caPem: access.ca },
    credentials: fixedCredentials({ headers: { authorization: `Bearer ${access.token}` } }),
    namespace: 'default',
  });
  const client = new Client(transport);
  const rest = await equip(client, { url: access.url, caPem: access.ca, token: access.token }, options);
  const errors: unknown[] = [];
  const node =
    options.node === undefined || options.node === false
      ? undefined
      : await serveNode({
          client,
          ca: kubeletCa(access),
          onError: (error) => errors.push(error),
          takesWebSockets: options.node === 'takes-websockets',
        });
  return {
    backend: 'real',
    client,
    errors,
    ...(node === undefined ? {} : { node }),
    ...rest,
    stop: async () => {
      await node?.stop();
      await rest.stop();
      await transport.close();
    },
  };
}

function kubeletCa({ kubeletCa: pair }: RealKubeAccess): CertificateAuthority {
  if (pair === undefined) throw new Error('the real server has no CA bundle for kubelets: start it with one');
  return loadCa(pair);
}

/** Adds controllers and a kubeconfig to a server. */
async function equip(
  client: Client,
  { url, caPem, token }: { url: string; caPem: string; token: string },
  { workloads = false }: ClusterOptions,
): Promise<Pick<Cluster, 'namespacePrefix' | 'url' | 'kubeconfig' | 'dir' | 'stop'>> {
  const dir = mkdtempSync(join(tmpdir(), 'capstan-kubectl-'));
  const kubeconfig = join(dir, 'kubeconfig');
  await writeKubeconfig({ path: kubeconfig, server: url, caPem, token });
  const options = { client, clock: systemClock(), random: systemRandom(), logger: silentLogger() };
  const ending = new AbortController();
  const namespacePrefix = workloads ? 'w' : 'k';
  const controllers: Controller[] = [new GarbageCollector(options), new NamespaceController(options)];
  if (workloads) {
    const informers = new SharedInformers(options);
    const namespaces = (name: string): boolean => name.startsWith(namespacePrefix);
    const workload = { ...options, informers, namespaces };
    controllers.push(
      new ReplicaSetController(workload),
      new DeploymentController(workload),
      new DisruptionController(workload),
      new JobController(workload),
      new StatefulSetController(workload),
      new SimulatedKubelet(workload),
    );
  }
  await Promise.all(controllers.map((controller) => controller.start(ending.signal)));
  return {
    namespacePrefix,
    url,
    kubeconfig,
    dir,
    stop: async () => {
      ending.abort();
      await Promise.all(controllers.map((controller) => controller.stopped()));
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

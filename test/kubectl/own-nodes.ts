import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiServer, kubeletConnector, podConnector, serveHttp, tokenAuthenticator } from '@capstan/apiserver';
import {
  ContainerUnreachable,
  DeploymentController,
  DisruptionController,
  EndpointsController,
  GarbageCollector,
  Kubelet,
  KUBELET_CLIENT_USER,
  NamespaceController,
  NodeLifecycleController,
  nodeAddresses,
  PodRuntime,
  ReplicaSetController,
  Scheduler,
  serveKubelet,
  ServiceAccountController,
  SharedInformers,
} from '@capstan/cluster';
import type { Controller, KubeletServer, PodNetwork } from '@capstan/cluster';
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
import { servePodProxy } from '../src/pod-proxy.js';
import type { Cluster } from './cluster.js';
import { NODES } from './objects.js';
import { scenarioPrograms } from './programs.js';

const ADMIN: UserInfo = { username: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };
const TOKEN = 'kubectl-suite';
const NODE_COUNT = 2;
const NAMESPACE_PREFIX = 'n';

function nodeUser(node: string): UserInfo {
  return { username: `system:node:${node}`, groups: ['system:nodes', 'system:authenticated'] };
}

/** A kubelet of this process and where it can be asked. */
interface ServedKubelet {
  readonly kubelet: Kubelet;
  readonly ip: string;
  readonly server: KubeletServer;
}

/** Scheduler, nodes and controllers at work. */
interface OwnNodes {
  readonly network: PodNetwork;
  stop(): Promise<void>;
}

interface OwnNodesOptions {
  readonly client: Client;
  /** A client that asks as a node. */
  readonly asNode: (node: string) => Client;
  /** Vouches for the kubelets and for those who ask them. */
  readonly ca: CertificateAuthority;
  /** What pods are to trust. */
  readonly rootCaPem: string;
  /** Filled with the kubelets, by the names of their nodes. */
  readonly served: Map<string, ServedKubelet>;
  readonly onError: (error: unknown) => void;
}

/** Runs scheduler, nodes and controllers of our own, whose pods run the scenarios' programs. */
async function runOwnNodes(given: OwnNodesOptions): Promise<OwnNodes> {
  const { asNode, ca, client, onError, rootCaPem, served } = given;
  const options = { client, clock: systemClock(), random: systemRandom(), logger: silentLogger() };
  const namespaces = (name: string): boolean => name.startsWith(NAMESPACE_PREFIX);
  const shared = { ...options, informers: new SharedInformers(options), namespaces };
  const runtime = new PodRuntime({ ...shared, programs: scenarioPrograms() });
  const kubelets = Array.from({ length: NODE_COUNT }, (_, index) => {
    const { nodeIp: ip, podCidr } = nodeAddresses(index);
    const name = `node-${index}`;
    return { ip, kubelet: new Kubelet(runtime, { name, ip, podCidr }, { client: asNode(name) }) };
  });
  const controllers: Controller[] = [
    new GarbageCollector(options),
    new NamespaceController(options),
    new ServiceAccountController({ ...shared, rootCaPem }),
    new ReplicaSetController(shared),
    new DeploymentController(shared),
    new DisruptionController(shared),
    new EndpointsController(shared),
    new NodeLifecycleController(shared),
    new Scheduler(shared),
    ...kubelets.map(({ kubelet }) => kubelet),
  ];
  const ending = new AbortController();
  await Promise.all(controllers.map((controller) => controller.start(ending.signal)));
  for (const { ip, kubelet } of kubelets) {
    const { name } = kubelet;
    const names = { commonName: `system:node:${name}`, dnsNames: [name], ipAddresses: [ip, '127.0.0.1'] };
    const { certPem, keyPem } = ca.issueServing(names);
    const tls = { cert: certPem, key: keyPem, clientCa: ca.certPem };
    served.set(name, { kubelet, ip, server: await serveKubelet(kubelet, { tls, onError }) });
  }
  return {
    network: runtime.network,
    stop: async () => {
      ending.abort();
      await Promise.all(controllers.map((controller) => controller.stopped()));
      await Promise.all([...served.values()].map(({ server }) => server.close()));
    },
  };
}

/** A folder for the clients of a server, and their kubeconfig in it. */
async function makeClientFolder(
  server: string,
  caPem: string,
  token: string,
): Promise<{ dir: string; kubeconfig: string }> {
  const dir = mkdtempSync(join(tmpdir(), 'capstan-kubectl-'));
  const kubeconfig = join(dir, 'kubeconfig');
  await writeKubeconfig({ path: kubeconfig, server, caPem, token });
  return { dir, kubeconfig };
}

type ServerOptions = ConstructorParameters<typeof ApiServer>[0];

function waysTo(
  served: ReadonlyMap<string, ServedKubelet>,
  ca: CertificateAuthority,
): Pick<ServerOptions, 'nodes' | 'pods'> {
  const ours = ca.issueClient({ user: KUBELET_CLIENT_USER });
  const connector = kubeletConnector({ ca: ca.certPem, cert: ours.certPem, key: ours.keyPem });
  const find = (node: string) => {
    const found = served.get(node);
    if (found === undefined) throw new ContainerUnreachable(502, `no route to node ${node}`);
    return found;
  };
  return {
    nodes: {
      ask: async (address, request) => {
        const { host, port } = find(address.node).server;
        return connector.ask({ ...address, host, port }, request);
      },
    },
    pods: podConnector(async ({ namespace, node, pod, port }) => find(node).kubelet.dial(namespace, pod, port)),
  };
}

/** The embedded server with scheduler, nodes and controllers of our own. */
export async function startOwnNodes(): Promise<Cluster> {
  const [clock, random] = [systemClock(), systemRandom()];
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  const ca = createCa({ commonName: 'capstan-ca' });
  const served = new Map<string, ServedKubelet>();
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const signingKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const server = new ApiServer({
    ...waysTo(served, ca),
    clock,
    random,
    authenticate: tokenAuthenticator(new Map([[TOKEN, ADMIN]])),
    authorization: 'rbac',
    serviceAccounts: { signingKey, admission: true },
    onError,
  });
  const serving = ca.issueServing({ commonName: 'capstan', ipAddresses: ['127.0.0.1'] });
  const http = await serveHttp(server, { port: 0, tls: { cert: serving.certPem, key: serving.keyPem }, onError });
  const client = new Client(server, { user: ADMIN, clock, random });
  const asNode = (node: string): Client => new Client(server, { user: nodeUser(node), clock, random });
  const nodes = await runOwnNodes({ client, asNode, ca, rootCaPem: ca.certPem, served, onError });
  const files = await makeClientFolder(http.url, ca.certPem, TOKEN);
  return {
    backend: 'embedded',
    namespacePrefix: NAMESPACE_PREFIX,
    url: http.url,
    client,
    ...files,
    errors,
    stop: async () => {
      await nodes.stop();
      await http.close();
      rmSync(files.dir, { recursive: true, force: true });
    },
  };
}

/** A kube-apiserver that is already running, with the same controllers: it reaches nodes and pods through a proxy of ours. */
export async function joinRealWithNodes(access: RealKubeAccess): Promise<Cluster> {
  const { ca: rootCaPem, kubeletCa, podProxySocket, token, url } = access;
  if (kubeletCa === undefined || podProxySocket === undefined)
    throw new Error('the server of this test has no proxy to nodes: start it with one');
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  const transports: HttpTransport[] = [];
  const clientWith = (headers: Record<string, string>): Client => {
    const credentials = fixedCredentials({ headers: { authorization: `Bearer ${token}`, ...headers } });
    const transport = new HttpTransport({
      server: url,
      trust: { caPem: rootCaPem },
      credentials,
      namespace: 'default',
    });
    transports.push(transport);
    return new Client(transport);
  };
  const client = clientWith({});
  const asNode = (node: string): Client =>
    clientWith({ 'impersonate-user': nodeUser(node).username, 'impersonate-group': 'system:nodes' });
  const ca = loadCa(kubeletCa);
  const served = new Map<string, ServedKubelet>();
  const nodes = await runOwnNodes({ client, asNode, ca, rootCaPem, served, onError });
  const proxy = await servePodProxy(podProxySocket, async (host, port) => {
    const node = [...served.values()].find(({ ip, kubelet }) => host === ip || host === kubelet.name);
    return node === undefined ? nodes.network.dialPod(host, port) : connect(node.server.port, node.server.host);
  });
  const files = await makeClientFolder(url, rootCaPem, token);
  return {
    backend: 'real',
    namespacePrefix: NAMESPACE_PREFIX,
    url,
    client,
    ...files,
    errors,
    stop: async () => {
      await nodes.stop();
      await proxy.close();
      for (const name of served.keys()) await client.delete(NODES, name);
      await Promise.all(transports.map((transport) => transport.close()));
      rmSync(files.dir, { recursive: true, force: true });
    },
  };
}

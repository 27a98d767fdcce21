import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
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
  nodeAddresses,
  PodRuntime,
  ReplicaSetController,
  Scheduler,
  serveKubelet,
  ServiceAccountController,
  SharedInformers,
} from '@capstan/cluster';
import type { Controller, KubeletServer } from '@capstan/cluster';
import { Client, createAuthority, silentLogger, systemClock, systemRandom, writeKubeconfig } from '@capstan/kube';
import type { CertificateAuthority } from '@capstan/kube';
import type { UserInfo } from '@capstan/meta';
import type { Cluster } from './cluster.js';
import { scenarioPrograms } from './programs.js';

const ADMIN: UserInfo = { username: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };
const TOKEN = 'kubectl-suite';
const NODES = 2;

/** The kubelets of this process, found by the names of their nodes. */
interface OwnNodes {
  readonly served: Map<string, { readonly kubelet: Kubelet; readonly server: KubeletServer }>;
  readonly authority: CertificateAuthority;
}

function waysTo({ served, authority }: OwnNodes): Pick<ConstructorParameters<typeof ApiServer>[0], 'nodes' | 'pods'> {
  const ours = authority.issueClient({ user: KUBELET_CLIENT_USER });
  const connector = kubeletConnector({ ca: authority.certPem, cert: ours.certPem, key: ours.keyPem });
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

/** The embedded server with scheduler, nodes and controllers of our own, whose pods run the scenarios' programs. */
export async function startOwnNodes(): Promise<Cluster> {
  const [clock, random, logger] = [systemClock(), systemRandom(), silentLogger()];
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  const authority = createAuthority({ commonName: 'capstan-ca' });
  const own: OwnNodes = { served: new Map(), authority };
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const signingKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const server = new ApiServer({
    ...waysTo(own),
    clock,
    random,
    authenticate: tokenAuthenticator(new Map([[TOKEN, ADMIN]])),
    authorization: 'rbac',
    serviceAccounts: { signingKey, admission: true },
    onError,
  });
  const serving = authority.issueServing({ commonName: 'capstan', ipAddresses: ['127.0.0.1'] });
  const http = await serveHttp(server, { port: 0, tls: { cert: serving.certPem, key: serving.keyPem }, onError });
  const client = new Client(server, { user: ADMIN, clock, random });
  const options = { client, clock, random, logger };
  const informers = new SharedInformers(options);
  const shared = { ...options, informers };
  const runtime = new PodRuntime({ ...shared, programs: scenarioPrograms() });
  const kubelets = Array.from({ length: NODES }, (_, index) => {
    const { nodeIp: ip, podCidr } = nodeAddresses(index);
    return new Kubelet(runtime, { name: `node-${index}`, ip, podCidr });
  });
  const controllers: Controller[] = [
    new GarbageCollector(options),
    new NamespaceController(options),
    new ServiceAccountController({ ...shared, rootCaPem: authority.certPem }),
    new ReplicaSetController(shared),
    new DeploymentController(shared),
    new DisruptionController(shared),
    new EndpointsController(shared),
    new Scheduler(shared),
    ...kubelets,
  ];
  const ending = new AbortController();
  await Promise.all(controllers.map((controller) => controller.start(ending.signal)));
  for (const kubelet of kubelets) {
    const names = { commonName: `system:node:${kubelet.name}`, ipAddresses: ['127.0.0.1'] };
    const { certPem, keyPem } = authority.issueServing(names);
    const tls = { cert: certPem, key: keyPem, clientCa: authority.certPem };
    own.served.set(kubelet.name, { kubelet, server: await serveKubelet(kubelet, { tls, onError }) });
  }
  const dir = mkdtempSync(join(tmpdir(), 'capstan-kubectl-'));
  const kubeconfig = join(dir, 'kubeconfig');
  await writeKubeconfig({ path: kubeconfig, server: http.url, caPem: authority.certPem, token: TOKEN });
  return {
    backend: 'embedded',
    namespacePrefix: 'n',
    url: http.url,
    client,
    kubeconfig,
    dir,
    errors,
    stop: async () => {
      ending.abort();
      await Promise.all(controllers.map((controller) => controller.stopped()));
      await Promise.all([...own.served.values()].map(({ server: kubelet }) => kubelet.close()));
      await http.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

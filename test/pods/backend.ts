import { randomBytes } from 'node:crypto';
import { ApiServer, HttpsCaller } from '@capstan/apiserver';
import type { PodNetwork } from '@capstan/cluster';
import { PodCluster } from '../cluster/virtual-cluster.js';
import { isReal } from '../src/conformance/backend.js';
import { AUTHENTICATE, TOKEN } from '../src/conformance/servers.js';
import { Client, fixedCredentials, HttpTransport, systemClock, systemRandom } from '@capstan/kube';
import { inject } from 'vitest';
import type { Clock, Transport } from '@capstan/meta';
import type { RealKubeAccess } from '@capstan/tools';
import { servePodProxy } from '../src/pod-proxy.js';

/** A server for one test that has pods. */
export interface PodServer {
  readonly transport: Transport;
  /** The same server for a client with another token. */
  readonly as: (token: string) => Transport;
  /** Where the test is. */
  readonly namespace: string;
  /** What the names of its nodes and of other things that have no namespace begin with. */
  readonly prefix: string;
  /** Configures how the server reaches pods. */
  reach(network: PodNetwork): Promise<void>;
  readonly close: () => Promise<void>;
}

/** A fresh server in this process, which knows where the pods of this process listen. */
async function openEmbedded(): Promise<PodServer> {
  const services: { find?: PodNetwork['findService'] } = {};
  const webhooks = new HttpsCaller({
    resolveService: ({ name, namespace, port = 443 }) => services.find?.(namespace, name, port),
  });
  const server = new ApiServer({
    clock: systemClock(),
    random: systemRandom(),
    webhooks,
    authenticate: AUTHENTICATE,
    authorization: 'rbac',
  });
  const as = (token: string): Transport => ({
    send: (request) => server.send({ ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } }),
  });
  return {
    transport: as(TOKEN),
    as,
    namespace: 'default',
    prefix: '',
    reach: async (network) => {
      services.find = network.findService.bind(network);
    },
    close: async () => webhooks.close(),
  };
}

const NAMESPACES = { group: '', version: 'v1', plural: 'namespaces', namespaced: false };
const NODES = { ...NAMESPACES, plural: 'nodes' };

/** A kube-apiserver that others use too, in a namespace of the test's own. It reaches pods through a proxy of ours. */
async function openReal(access: RealKubeAccess): Promise<PodServer> {
  const { podProxySocket: socket } = access;
  if (socket === undefined) throw new Error('the server of this test has no pod network: call reach() first');
  const as = (token: string): HttpTransport => {
    const credentials = fixedCredentials({ headers: { authorization: `Bearer ${token}` } });
    return new HttpTransport({ server: access.url, trust: { caPem: access.ca }, credentials, namespace: 'default' });
  };
  const transport = as(access.token);
  const client = new Client(transport);
  const namespace = `pods-${randomBytes(4).toString('hex')}`;
  await client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  const closers: (() => Promise<void>)[] = [];
  return {
    transport,
    as,
    namespace,
    prefix: `${namespace}-`,
    reach: async (network) => {
      const proxy = await servePodProxy(socket, (host, port) => network.dialPod(host, port));
      closers.push(() => proxy.close());
    },
    close: async () => {
      for (const close of closers) await close();
      const { items } = await client.list(NODES);
      const ours = items.map(({ metadata }) => metadata.name ?? '').filter((name) => name.startsWith(namespace));
      for (const name of ours) await client.delete(NODES, name);
      await transport.close();
    },
  };
}

/** Opens a server of the kind this run is about. */
export function openPodServer(): Promise<PodServer> {
  return isReal ? openReal(inject('realKube')) : openEmbedded();
}

type ClusterOptions = ConstructorParameters<typeof PodCluster>[0];

/** Running pods on the server of this run. */
export interface StartedPods {
  readonly on: PodCluster<Clock>;
  /** What the names of things without a namespace begin with. */
  readonly prefix: string;
  /** The transport of a client with another token. */
  readonly as: PodServer['as'];
  readonly stop: () => Promise<void>;
}

/** Starts pods on a server of the kind this run is about, which can reach them. */
export async function startPods(options: Pick<ClusterOptions, 'link' | 'extraControllers'>): Promise<StartedPods> {
  const server = await openPodServer();
  const { namespace, prefix, transport } = server;
  const on = new PodCluster<Clock>({ ...options, clock: systemClock(), server: transport, namespace, prefix });
  await server.reach(on.runtime.network);
  await on.start();
  return {
    on,
    prefix,
    as: server.as,
    stop: async () => {
      await on.stop();
      await server.close();
    },
  };
}

import type { NodeConnector, PodConnector } from '@capstan/apiserver';
import type { KubeletServer, NodeStreams } from '@capstan/cluster';
import type { CertificateAuthority } from '@capstan/kube';

/** Where the nodes of this process meet its API server. */
export interface NodeConnections {
  /** For the API server: how it reaches kubelets. */
  readonly nodes: NodeConnector;
  /** For the API server: how it reaches pods. */
  readonly pods: PodConnector;
  /**
   * For the kubelet: serves what it lets others do with its containers, with a certificate of its own, from then on
   * until it is detached or all is closed.
   */
  attach(node: string, streams: NodeStreams): Promise<KubeletServer>;
  close(): Promise<void>;
}

export interface ConnectOptions {
  readonly onError: (error: unknown) => void;
}

interface AttachedNode {
  readonly streams: NodeStreams;
  readonly server: KubeletServer;
}

const LOOPBACK = '127.0.0.1';

/** What both sides need to speak to each other. */
interface Joint {
  readonly ca: CertificateAuthority;
  readonly connector: NodeConnector;
}

/** Loaded when the first node comes or is asked for: a server is ready before its nodes are. */
async function makeJoint(): Promise<Joint> {
  const [apiserver, cluster, kube] = await Promise.all([
    import('@capstan/apiserver'),
    import('@capstan/cluster'),
    import('@capstan/kube'),
  ]);
  const ca = kube.createCa({ commonName: 'capstan-kubelet-ca' });
  const ours = ca.issueClient({ user: cluster.KUBELET_CLIENT_USER });
  const connector = apiserver.kubeletConnector({ ca: ca.certPem, cert: ours.certPem, key: ours.keyPem });
  return { ca, connector };
}

/**
 * Joins API server and kubelets of one process. They speak HTTPS to each other like any others, under a CA made
 * for this alone: nothing it issued opens any other door. The addresses of such nodes belong to a network that is not
 * there, so they are found by name; other nodes are dialled where their objects say.
 */
export function connectNodes(
  { podConnector }: Pick<typeof import('@capstan/apiserver'), 'podConnector'>,
  { onError }: ConnectOptions,
): NodeConnections {
  let joint: Promise<Joint> | undefined;
  const join = (): Promise<Joint> => (joint ??= makeJoint());
  const attached = new Map<string, AttachedNode>();
  return {
    nodes: {
      async ask(kubelet, request) {
        const server = attached.get(kubelet.node)?.server;
        const address = server === undefined ? kubelet : { ...kubelet, host: server.host, port: server.port };
        return (await join()).connector.ask(address, request);
      },
    },
    pods: podConnector(async ({ namespace, node, pod, port }) => {
      const found = attached.get(node);
      if (found !== undefined) return found.streams.dial(namespace, pod, port);
      const { ContainerUnreachable } = await import('@capstan/cluster');
      throw new ContainerUnreachable(502, `no route to node ${JSON.stringify(node)}`);
    }),
    async attach(node, streams) {
      const [{ ca }, { serveKubelet }] = await Promise.all([join(), import('@capstan/cluster')]);
      const serving = ca.issueServing({
        commonName: `system:node:${node}`,
        dnsNames: [node],
        ipAddresses: [LOOPBACK],
      });
      const tls = { cert: serving.certPem, key: serving.keyPem, clientCa: ca.certPem };
      const server = await serveKubelet(streams, { tls, host: LOOPBACK, onError });
      await attached.get(node)?.server.close();
      attached.set(node, { streams, server });
      return server;
    },
    async close() {
      const servers = [...attached.values()];
      attached.clear();
      await Promise.all(servers.map(({ server }) => server.close()));
    },
  };
}

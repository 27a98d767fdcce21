import { PodRuntime } from '@capstan/cluster';
import { Client, errorText } from '@capstan/kube';
import type { Logger } from '@capstan/kube';
import type { ApiServerOptions } from '@capstan/apiserver';
import type { HostedGuest, JoinedNode, NodePods } from '@capstan/simulation';
import { connectNodes } from '../../apiserver/connect-nodes.js';
import type { NodeConnections } from '../../apiserver/connect-nodes.js';
import type { StartedServer } from '../../apiserver/start.js';
import { nodePods } from '../node-pods.js';

export interface GuestPodsOptions {
  readonly started: Pick<StartedServer, 'clock' | 'random'>;
  readonly logger: Logger;
  readonly podConnector: Parameters<typeof connectNodes>[0]['podConnector'];
}

/** What the nodes of one hosted cluster share. */
interface Shared {
  readonly connections: NodeConnections;
  readonly ended: AbortController;
  runtime?: PodRuntime;
}

/** Finds the pods behind Services for all nodes of a cluster; kubelets ask as their nodes. */
const KUBE_PROXY = { username: 'system:kube-proxy', groups: ['system:authenticated'] };

/** Runs the pods of hosted clusters. Nobody knows their images here: each sleeps in good health until it is stopped. */
export class GuestPods {
  readonly #options: GuestPodsOptions;
  readonly #shared = new Map<string, Shared>();
  #isClosed = false;

  constructor(options: GuestPodsOptions) {
    this.#options = options;
  }

  /** How the API server of a hosted cluster reaches its nodes. */
  readonly reach = (namespace: string): Pick<ApiServerOptions, 'nodes' | 'pods'> => {
    const { nodes, pods } = this.#of(namespace).connections;
    return { nodes, pods };
  };

  /** What runs the pods of a node. */
  on(namespace: string, guest: HostedGuest, node: JoinedNode): NodePods {
    const shared = this.#of(namespace);
    const runtime = this.#runtime(shared, namespace, guest);
    const pods = nodePods(runtime, node, shared.connections);
    // What nodes share ends with the cluster, not with the first of them.
    void runtime.informers.start(shared.ended.signal);
    return pods;
  }

  /** A cluster is over. */
  readonly forget = (namespace: string): void => {
    const shared = this.#shared.get(namespace);
    this.#shared.delete(namespace);
    shared?.ended.abort();
    void shared?.connections.close();
  };

  async close(): Promise<void> {
    this.#isClosed = true;
    const all = [...this.#shared.values()];
    this.#shared.clear();
    for (const { ended } of all) ended.abort();
    await Promise.all(all.map(({ connections }) => connections.close()));
  }

  #of(namespace: string): Shared {
    const found = this.#shared.get(namespace);
    if (found !== undefined) return found;
    const { logger, podConnector } = this.#options;
    const onError = (error: unknown): void => logger.warn('kubelet failed', { error: errorText(error) });
    const made = { connections: connectNodes({ podConnector }, { onError }), ended: new AbortController() };
    // A node that was on its way when all of it closed gets nothing that would outlive it.
    if (this.#isClosed) made.ended.abort();
    else this.#shared.set(namespace, made);
    return made;
  }

  /** One network and one view of the cluster for all of its nodes, from the first on. */
  #runtime(shared: Shared, namespace: string, guest: HostedGuest): PodRuntime {
    if (shared.runtime !== undefined) return shared.runtime;
    const { clock, random: seed } = this.#options.started;
    const random = seed.split(`pods of ${namespace}`);
    const client = new Client(
      { send: async (request) => guest.handle(request) },
      { user: KUBE_PROXY, clock, random: random.split('client'), userAgent: 'kube-proxy' },
    );
    shared.runtime = new PodRuntime({ client, clock, random, logger: this.#options.logger });
    return shared.runtime;
  }
}

import { once } from 'node:events';
import { Kubelet } from '@capstan/cluster';
import type { PodRuntime } from '@capstan/cluster';
import type { JoinedNode, NodePods } from '@capstan/simulation';
import type { NodeConnections } from '../apiserver/connect-nodes.js';

/** Runs the pods of a node that renews its own lease, as that node, and connects its API server to them. */
export function nodePods(runtime: PodRuntime, node: JoinedNode, connections: NodeConnections): NodePods {
  const { client, description } = node;
  const kubelet = new Kubelet(runtime, description, { isAnnounced: true, client });
  return {
    isLost: () => kubelet.isLost(),
    run: async (signal) => {
      await kubelet.start(signal);
      const served = await connections.attach(description.name, kubelet);
      // Not for all that it shares with other nodes to end, too.
      if (!signal.aborted) await once(signal, 'abort');
      await served.close();
    },
  };
}

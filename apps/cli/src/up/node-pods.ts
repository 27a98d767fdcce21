import { once } from 'node:events';
import { Kubelet } from '@capstan/cluster';
import type { NodeDescription, PodRuntime } from '@capstan/cluster';
import type { NodePods } from '@capstan/simulation';
import type { NodeConnections } from '../apiserver/connect-nodes.js';

/** Runs the pods of a node that says itself that it is alive, and lets its API server reach them. */
export function nodePods(runtime: PodRuntime, node: NodeDescription, connections: NodeConnections): NodePods {
  const kubelet = new Kubelet(runtime, node, { isAnnounced: true });
  return {
    isLost: () => kubelet.isLost(),
    run: async (signal) => {
      await kubelet.start(signal);
      const served = await connections.attach(node.name, kubelet);
      // Not for all that it shares with other nodes to end, too.
      if (!signal.aborted) await once(signal, 'abort');
      await served.close();
    },
  };
}

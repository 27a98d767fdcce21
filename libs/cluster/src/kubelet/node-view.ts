import type { Client, Informer } from '@capstan/kube';
import { NODES, PODS } from '../workload/resources.js';
import type { Node, Pod } from '../workload/resources.js';
import { SharedInformers } from '../workload/shared-informers.js';
import { FeedSource } from './objects.js';
import type { PodRuntime } from './pod-runtime.js';

/** How a kubelet sees and changes its cluster. */
export interface NodeView {
  readonly client: Client;
  readonly feeds: FeedSource;
  readonly informers: SharedInformers;
  readonly pods: Informer<Pod>;
  readonly nodes: Informer<Node>;
}

/** What all nodes of the process share; with a client of the node's own, only what the node may see. */
export function nodeView(runtime: PodRuntime, node: string, own: Client | undefined): NodeView {
  if (own === undefined) {
    const { client, feeds, informers } = runtime;
    return { client, feeds, informers, pods: informers.of<Pod>(PODS), nodes: informers.of<Node>(NODES) };
  }
  const { clock, logger } = runtime;
  const options = { client: own, clock, logger, random: runtime.random.split(`objects of ${node}`) };
  const informers = new SharedInformers(options);
  return {
    client: own,
    feeds: new FeedSource(options),
    informers,
    pods: informers.of<Pod>(PODS, `spec.nodeName=${node}`),
    nodes: informers.of<Node>(NODES, `metadata.name=${node}`),
  };
}

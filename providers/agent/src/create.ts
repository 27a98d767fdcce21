import type { JsonObject } from '@capstan/meta';
import type { CreateOptions, CreateRequest, Problem } from '@capstan/provider';
import { selectorOf } from './selector.js';

function nodePool({ flags }: CreateRequest): JsonObject | readonly Problem[] {
  const text = flags['agent-label-selector'];
  if (text === undefined) return {};
  const agentLabelSelector = selectorOf(text);
  if (agentLabelSelector !== undefined) return { agentLabelSelector };
  return [{ path: '--agent-label-selector', message: `"${text}" is no selector of labels: write size=large,zone!=a` }];
}

/** The command line of this platform. */
export const create: CreateOptions = {
  clusterFlags: [
    { name: 'agent-namespace', value: '<namespace>', help: 'where the hosts of the platform are', isRequired: true },
    {
      name: 'api-server-address',
      value: '<address>',
      help: 'where node ports of the management cluster are reached; services are then published on node ports',
    },
  ],
  nodePoolFlags: [
    {
      name: 'agent-label-selector',
      value: '<selector>',
      help: 'labels of the hosts to take: size=large,zone notin (az1,az2)',
    },
  ],
  cluster: ({ flags }) => {
    const { 'agent-namespace': agentNamespace, 'api-server-address': address } = flags;
    if (agentNamespace === undefined)
      return [{ path: '--agent-namespace', message: 'say in which namespace the hosts of the platform are' }];
    return {
      settings: { agentNamespace },
      objects: [],
      publishing:
        address === undefined
          ? { apiServer: 'LoadBalancer', others: 'Route' }
          : { apiServer: 'NodePort', others: 'NodePort', address },
    };
  },
  nodePool,
};

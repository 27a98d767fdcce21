import type { HostingExamples } from '@capstan/provider/testing';

/** What the platform is tried with. */
export const examples: HostingExamples = {
  clusters: [{ agentNamespace: 'hosts' }],
  pools: [
    {},
    {
      agentLabelSelector: {
        matchLabels: { size: 'large' },
        matchExpressions: [{ key: 'zone', operator: 'NotIn', values: ['az1'] }],
      },
    },
  ],
  secrets: [],
  bootImages: {},
  createFlags: { 'agent-namespace': 'hosts', 'agent-label-selector': 'size=large' },
};

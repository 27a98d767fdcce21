import type { CreateRequest, HostingPlatform } from '@capstan/provider';

/** Hosted clusters without machines of ours: users bring theirs and let them join. */
export const hosting: HostingPlatform = {
  type: 'None',
  key: 'none',
  hasSettings: false,
  nodePools: {
    architectures: ['amd64', 'arm64'],
    scalesFromZero: false,
    keepsUserData: false,
    // The administrator of the machines needs time to notice.
    unhealthyTimeoutSeconds: 16 * 60,
  },
  validate: () => [],
  validateNodePool: () => [],
  secretNames: () => [],
  credentials: () => [],
  controlPlane: () => ({ type: 'None' }),
  components: () => [],
  create: {
    clusterFlags: [
      {
        name: 'external-api-server-address',
        value: '<address>',
        help: 'where node ports of the management cluster are reached; services are then published on node ports',
      },
    ],
    nodePoolFlags: [],
    cluster: ({ flags }: CreateRequest) => {
      const address = flags['external-api-server-address'];
      return {
        objects: [],
        publishing:
          address === undefined
            ? { apiServer: 'LoadBalancer', others: 'Route' }
            : { apiServer: 'NodePort', others: 'NodePort', address },
      };
    },
    nodePool: () => undefined,
  },
};

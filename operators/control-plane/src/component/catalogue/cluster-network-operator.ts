import { GUEST_KUBECONFIG } from '@capstan/provider';
import type { ComponentDefinition } from '../definition.js';
import { guestOperator, versionEnv } from './guest-operator.js';
import { OPENSHIFT_API } from './shared.js';
import { all, CONTROL_PLANE, EVENTS, LEASES, ROLES } from './rules.js';

/** Runs the network plugin; its own Deployments in the namespace count as its operands. */
export const clusterNetworkOperator: ComponentDefinition = guestOperator(
  'cluster-network-operator',
  {
    image: 'cluster-network-operator',
    command: ['/usr/bin/cluster-network-operator'],
    args: [
      'start',
      '--listen=0.0.0.0:9104',
      `--kubeconfig=${GUEST_KUBECONFIG}`,
      '--namespace=openshift-network-operator',
      '--extra-clusters=management=/configs/management',
    ],
    env: versionEnv,
    memory: '100Mi',
  },
  {
    isRecreated: true,
    dependencies: [OPENSHIFT_API],
    hasOperands: true,
    access: {
      rules: [
        all('', 'configmaps', 'secrets', 'services', 'serviceaccounts', 'pods'),
        all('apps', 'deployments', 'statefulsets'),
        ROLES,
        CONTROL_PLANE,
        LEASES,
        EVENTS,
      ],
    },
  },
);

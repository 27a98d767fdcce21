import { GUEST_KUBECONFIG } from '@capstan/provider';
import type { ComponentDefinition } from '../definition.js';
import { guestOperator } from './guest-operator.js';
import { CORE_GROUP, OWN_IMAGE } from './shared.js';
import { CONTROL_PLANE, EVENTS } from './rules.js';

/** Our operator inside the hosted cluster: `operators/control-plane/src/config-operator`. */
export const hostedClusterConfigOperator: ComponentDefinition = guestOperator(
  'hosted-cluster-config-operator',
  {
    image: OWN_IMAGE,
    command: ['/usr/bin/control-plane-operator', 'hosted-cluster-config-operator'],
    args: ({ name, namespace }) => [
      `--target-kubeconfig=${GUEST_KUBECONFIG}`,
      `--namespace=${namespace}`,
      `--hosted-control-plane=${name}`,
      '--health-probe-bind-address=:6060',
      '--metrics-bind-address=:8080',
    ],
    env: ({ version }) => ({ OPENSHIFT_RELEASE_VERSION: version }),
    ports: { metrics: 8080, health: 6060 },
    ready: { path: '/readyz', port: 'health', scheme: 'HTTP' },
    cpu: '60m',
  },
  {
    isOptional: false,
    isRecreated: true,
    access: {
      rules: [
        { ...CONTROL_PLANE, verbs: ['get', 'list', 'watch', 'patch', 'update'] },
        {
          apiGroups: [CORE_GROUP],
          resources: ['machines', 'machinesets'],
          verbs: ['get', 'list', 'watch', 'patch', 'update', 'delete'],
        },
        EVENTS,
      ],
    },
  },
);

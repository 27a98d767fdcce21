import { GUEST_KUBECONFIG } from '@capstan/provider';
import type { ComponentDefinition } from '../definition.js';
import { guestOperator, versionEnv } from './guest-operator.js';
import { OPENSHIFT_API } from './shared.js';
import { all, CONTROL_PLANE, EVENTS, LEASES, ROLES } from './rules.js';

/** Runs the CSI drivers of the platform. */
export const clusterStorageOperator: ComponentDefinition = guestOperator(
  'cluster-storage-operator',
  {
    image: 'cluster-storage-operator',
    command: ['cluster-storage-operator', 'start'],
    args: ['-v=2', `--guest-kubeconfig=${GUEST_KUBECONFIG}`],
    env: versionEnv,
    ports: { metrics: 8443 },
    memory: '20Mi',
  },
  {
    dependencies: [OPENSHIFT_API],
    hasOperands: true,
    servingCertificate: 'cluster-storage-operator-serving-cert',
    access: {
      rules: [
        all('', 'configmaps', 'secrets', 'services', 'serviceaccounts', 'pods'),
        all('apps', 'deployments', 'replicasets'),
        ROLES,
        CONTROL_PLANE,
        LEASES,
        EVENTS,
      ],
    },
  },
);

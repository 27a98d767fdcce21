import { GUEST_KUBECONFIG } from '@capstan/provider';
import type { ComponentDefinition } from '../definition.js';
import { guestOperator } from './guest-operator.js';

/** The scheduler of the hosted cluster. */
export const kubeScheduler: ComponentDefinition = guestOperator(
  'kube-scheduler',
  {
    image: 'hyperkube',
    command: ['hyperkube', 'kube-scheduler'],
    args: [
      `--kubeconfig=${GUEST_KUBECONFIG}`,
      `--authentication-kubeconfig=${GUEST_KUBECONFIG}`,
      `--authorization-kubeconfig=${GUEST_KUBECONFIG}`,
      '--tls-cert-file=/etc/kubernetes/certs/server/tls.crt',
      '--tls-private-key-file=/etc/kubernetes/certs/server/tls.key',
      '--secure-port=10259',
      '--leader-elect=true',
      '-v=2',
    ],
    ports: { client: 10_259 },
    cpu: '25m',
    memory: '150Mi',
  },
  { replicas: 'policy', isOptional: false, servingCertificate: 'scheduler-server' },
);

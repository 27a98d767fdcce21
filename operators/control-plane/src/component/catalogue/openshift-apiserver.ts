import { GUEST_KUBECONFIG } from '@capstan/provider';
import type { ComponentDefinition } from '../definition.js';
import { guestOperator } from './guest-operator.js';
import { ETCD_CLIENT, OPENSHIFT_API, ROOT_CA } from './shared.js';

/** The aggregated API server of OpenShift. */
export const openshiftApiserver: ComponentDefinition = guestOperator(
  OPENSHIFT_API,
  {
    image: 'openshift-apiserver',
    args: [
      'start',
      `--authorization-kubeconfig=${GUEST_KUBECONFIG}`,
      `--authentication-kubeconfig=${GUEST_KUBECONFIG}`,
      '--client-ca-file=/etc/kubernetes/certs/client-ca/ca.crt',
    ],
    ports: { https: 8443 },
    mounts: {
      '/etc/kubernetes/certs/client-ca': ROOT_CA,
      '/etc/kubernetes/certs/etcd-client': ETCD_CLIENT,
    },
    cpu: '100m',
    memory: '200Mi',
  },
  { replicas: 'policy', priority: 'api-critical', hasBudget: true, servingCertificate: 'openshift-apiserver-cert' },
);

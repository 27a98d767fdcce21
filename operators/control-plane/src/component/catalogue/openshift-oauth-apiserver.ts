import { GUEST_KUBECONFIG } from '@capstan/provider';
import type { ComponentDefinition } from '../definition.js';
import { guestOperator } from './guest-operator.js';
import { ETCD_CLIENT, OPENSHIFT_API } from './shared.js';
import { hasOAuthServer } from '../../spec.js';

/** The aggregated API server of users and tokens; absent with an external OIDC provider. */
export const openshiftOauthApiserver: ComponentDefinition = guestOperator(
  'openshift-oauth-apiserver',
  {
    image: 'oauth-apiserver',
    command: ['/usr/bin/oauth-apiserver'],
    args: [
      'start',
      `--kubeconfig=${GUEST_KUBECONFIG}`,
      `--authorization-kubeconfig=${GUEST_KUBECONFIG}`,
      `--authentication-kubeconfig=${GUEST_KUBECONFIG}`,
      '--secure-port=8443',
      '--tls-cert-file=/etc/kubernetes/certs/server/tls.crt',
      '--tls-private-key-file=/etc/kubernetes/certs/server/tls.key',
      '--v=2',
    ],
    ports: { https: 8443 },
    mounts: { '/etc/kubernetes/certs/etcd-client': ETCD_CLIENT },
    cpu: '80m',
    memory: '150Mi',
  },
  {
    replicas: 'policy',
    priority: 'api-critical',
    hasBudget: true,
    isPartOf: ({ spec }) => hasOAuthServer(spec),
    dependencies: [OPENSHIFT_API],
    servingCertificate: 'openshift-oauth-apiserver-cert',
  },
);

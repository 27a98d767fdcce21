import { GUEST_KUBECONFIG } from '@capstan/provider';
import type { ComponentDefinition } from '../definition.js';
import { guestOperator } from './guest-operator.js';

/** Applies the manifests of the release in the hosted cluster. */
export const clusterVersionOperator: ComponentDefinition = guestOperator(
  'cluster-version-operator',
  {
    image: 'cluster-version-operator',
    command: ['cluster-version-operator'],
    // The nodes follow the release of the cluster, also where its control plane is kept at another.
    args: ({ spec }) => [
      'start',
      `--release-image=${spec.releaseImage}`,
      '--enable-auto-update=false',
      `--kubeconfig=${GUEST_KUBECONFIG}`,
      '--listen=0.0.0.0:8443',
      '--serving-cert-file=/etc/kubernetes/certs/server/tls.crt',
      '--serving-key-file=/etc/kubernetes/certs/server/tls.key',
      '--hypershift=true',
      '--v=4',
    ],
    ports: { https: 8443 },
    mounts: { '/etc/release/pull-secret': { secret: 'pull-secret', isOptional: true } },
    cpu: '20m',
    memory: '70Mi',
  },
  { isOptional: false, isRecreated: true, servingCertificate: 'cvo-server' },
);

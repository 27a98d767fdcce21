import { GUEST_KUBECONFIG } from '@capstan/provider';
import type { ComponentDefinition } from '../definition.js';
import { guestOperator } from './guest-operator.js';

/** OLM: serves PackageManifests. */
export const packageserver: ComponentDefinition = guestOperator(
  'packageserver',
  {
    image: 'operator-lifecycle-manager',
    command: ['/bin/package-server'],
    args: [
      '-v=4',
      '--secure-port',
      '5443',
      '--global-namespace',
      'openshift-marketplace',
      '--kubeconfig',
      GUEST_KUBECONFIG,
      '--authentication-kubeconfig',
      GUEST_KUBECONFIG,
      '--authorization-kubeconfig',
      GUEST_KUBECONFIG,
    ],
    ports: { https: 5443 },
    memory: '250Mi',
  },
  { replicas: 'policy', servingCertificate: 'packageserver-cert' },
);

import { GUEST_KUBECONFIG } from '@capstan/provider';
import type { ComponentDefinition } from '../definition.js';
import { guestOperator, versionEnv } from './guest-operator.js';

/** OLM: resolves and installs what Subscriptions ask for. */
export const catalogOperator: ComponentDefinition = guestOperator(
  'catalog-operator',
  {
    image: 'operator-lifecycle-manager',
    command: ['/bin/catalog'],
    args: [
      '--namespace',
      'openshift-marketplace',
      '--writeStatusName',
      'operator-lifecycle-manager-catalog',
      '--kubeconfig',
      GUEST_KUBECONFIG,
    ],
    env: versionEnv,
    ports: { metrics: 8443 },
  },
  { servingCertificate: 'catalog-operator-serving-cert' },
);

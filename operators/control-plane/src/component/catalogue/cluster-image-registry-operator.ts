import { GUEST_KUBECONFIG } from '@capstan/provider';
import type { ComponentDefinition } from '../definition.js';
import { guestOperator, versionEnv } from './guest-operator.js';
import { OPENSHIFT_API } from './shared.js';
import { hasCapability } from './predicates.js';

/** Runs the image registry of the hosted cluster. */
export const clusterImageRegistryOperator: ComponentDefinition = guestOperator(
  'cluster-image-registry-operator',
  {
    image: 'cluster-image-registry-operator',
    command: ['/usr/bin/cluster-image-registry-operator'],
    args: [`--kubeconfig=${GUEST_KUBECONFIG}`],
    env: versionEnv,
    memory: '50Mi',
  },
  { dependencies: [OPENSHIFT_API], isPartOf: hasCapability('ImageRegistry') },
);

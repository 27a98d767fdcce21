import type { ComponentDefinition } from '../definition.js';
import { guestOperator } from './guest-operator.js';
import { OPENSHIFT_API, openshiftFlags } from './shared.js';

/** The controllers of Routes. */
export const openshiftRouteControllerManager: ComponentDefinition = guestOperator(
  'openshift-route-controller-manager',
  {
    image: 'route-controller-manager',
    command: ['route-controller-manager'],
    args: openshiftFlags('openshift-route-controller-manager'),
    ports: { https: 8443 },
    cpu: '100m',
    memory: '100Mi',
  },
  {
    replicas: 'policy',
    dependencies: [OPENSHIFT_API],
    servingCertificate: 'openshift-route-controller-manager-cert',
  },
);

import type { ComponentDefinition } from '../definition.js';
import { guestOperator } from './guest-operator.js';
import { OPENSHIFT_API, openshiftFlags } from './shared.js';

/** The controllers of the OpenShift APIs. */
export const openshiftControllerManager: ComponentDefinition = guestOperator(
  'openshift-controller-manager',
  {
    image: 'openshift-controller-manager',
    command: ['openshift-controller-manager'],
    args: openshiftFlags('openshift-controller-manager'),
    ports: { https: 8443 },
    cpu: '100m',
    memory: '100Mi',
  },
  { replicas: 'policy', dependencies: [OPENSHIFT_API], servingCertificate: 'openshift-controller-manager-cert' },
);

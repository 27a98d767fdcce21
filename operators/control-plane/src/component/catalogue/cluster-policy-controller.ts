import type { ComponentDefinition } from '../definition.js';
import { guestOperator } from './guest-operator.js';
import { OPENSHIFT_API, openshiftFlags } from './shared.js';

/** Applies pod security labels, quotas and SCC ranges to namespaces. */
export const clusterPolicyController: ComponentDefinition = guestOperator(
  'cluster-policy-controller',
  {
    image: 'cluster-policy-controller',
    command: ['cluster-policy-controller'],
    args: openshiftFlags('openshift-kube-controller-manager'),
    memory: '200Mi',
  },
  { replicas: 'policy', dependencies: [OPENSHIFT_API], servingCertificate: 'cluster-policy-controller-cert' },
);

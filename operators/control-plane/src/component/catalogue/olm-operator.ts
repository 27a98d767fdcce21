import type { ComponentDefinition } from '../definition.js';
import { guestOperator, versionEnv } from './guest-operator.js';

/** OLM: reconciles ClusterServiceVersions. */
export const olmOperator: ComponentDefinition = guestOperator(
  'olm-operator',
  {
    image: 'operator-lifecycle-manager',
    command: ['/bin/olm'],
    args: ['--namespace', '$(OPERATOR_NAMESPACE)', '--writeStatusName', 'operator-lifecycle-manager'],
    env: (inputs) => ({ ...versionEnv(inputs), OPERATOR_NAMESPACE: 'openshift-operator-lifecycle-manager' }),
    ports: { metrics: 8443 },
    memory: '160Mi',
  },
  { servingCertificate: 'olm-operator-serving-cert' },
);

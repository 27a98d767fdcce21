import type { ComponentDefinition } from '../definition.js';
import { guestOperator, versionEnv } from './guest-operator.js';
import { OPENSHIFT_API } from './shared.js';
import { all, CONTROL_PLANE, EVENTS, LEASES } from './rules.js';
import { hasCapability } from './predicates.js';

/** Tunes nodes (sysctl, performance profiles). */
export const clusterNodeTuningOperator: ComponentDefinition = guestOperator(
  'cluster-node-tuning-operator',
  {
    image: 'cluster-node-tuning-operator',
    command: ['cluster-node-tuning-operator'],
    args: ['-v=0'],
    env: versionEnv,
    fieldEnv: { MY_NAMESPACE: 'metadata.namespace', POD_NAME: 'metadata.name' },
    ports: { metrics: 60_000 },
    memory: '50Mi',
  },
  {
    isRecreated: true,
    dependencies: [OPENSHIFT_API],
    isPartOf: hasCapability('NodeTuning'),
    servingCertificate: 'node-tuning-operator-tls',
    access: { rules: [all('', 'configmaps'), CONTROL_PLANE, LEASES, EVENTS] },
  },
);

import type { ComponentDefinition } from '../definition.js';
import { NAMESPACE_ENV } from './shared.js';
import { all, CONTROL_PLANE, EVENTS, LEASES } from './rules.js';

/** Rotates and revokes customer-facing signers. */
export const controlPlanePkiOperator: ComponentDefinition = {
  name: 'control-plane-pki-operator',
  workload: 'Deployment',
  replicas: 'one',
  isOptional: true,
  access: { rules: [all('', 'secrets', 'configmaps'), CONTROL_PLANE, LEASES, EVENTS] },
  containers: [
    {
      name: 'control-plane-pki-operator',
      image: 'controlplane-pki-operator',
      command: ['/usr/bin/control-plane-pki-operator', 'operator'],
      args: ['--namespace', '$(POD_NAMESPACE)'],
      fieldEnv: NAMESPACE_ENV,
      ports: { metrics: 8443 },
      cpu: '10m',
      memory: '80Mi',
    },
  ],
};

import type { ComponentDefinition } from '../definition.js';
import { guestOperator, versionEnv } from './guest-operator.js';
import { OPENSHIFT_API } from './shared.js';
import { hasCapability } from './predicates.js';

/** Runs the routers of the hosted cluster. */
export const ingressOperator: ComponentDefinition = guestOperator(
  'ingress-operator',
  {
    image: 'cluster-ingress-operator',
    command: ['ingress-operator', 'start', '--namespace', 'openshift-ingress-operator'],
    env: versionEnv,
    ports: { metrics: 60_000 },
  },
  { dependencies: [OPENSHIFT_API], isPartOf: hasCapability('Ingress') },
);

import type { ComponentDefinition } from '../definition.js';
import { hasNamedRoute } from '../../spec.js';

/** Routes host names of published services to the control plane. */
export const router: ComponentDefinition = {
  name: 'router',
  workload: 'Deployment',
  replicas: 'policy',
  hasBudget: true,
  isEarly: true,
  isOptional: true,
  isPartOf: ({ spec }) => hasNamedRoute(spec.services),
  containers: [
    {
      name: 'router',
      image: 'haproxy-router',
      command: ['haproxy'],
      args: ['-f', '/usr/local/etc/haproxy'],
      ports: { https: 8443 },
      cpu: '50m',
      memory: '40Mi',
    },
  ],
};

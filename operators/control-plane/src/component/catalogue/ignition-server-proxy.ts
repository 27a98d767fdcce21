import { publishingOf } from '@capstan/hosting';
import { TEMPORARY } from './shared.js';
import type { ComponentDefinition } from '../definition.js';

/** HAProxy in front of the ignition server where a Route publishes it. */
export const ignitionServerProxy: ComponentDefinition = {
  name: 'ignition-server-proxy',
  workload: 'Deployment',
  replicas: 'policy',
  isEarly: true,
  isOptional: true,
  dependencies: ['ignition-server'],
  isPartOf: ({ spec }) => publishingOf(spec.services, 'Ignition')?.type === 'Route',
  containers: [
    {
      name: 'haproxy',
      image: 'haproxy-router',
      command: ['haproxy'],
      args: ['-f', '/tmp/haproxy.conf'],
      ports: { https: 8443 },
      mounts: { '/etc/ssl/serving-cert': { secret: 'ignition-server-serving-cert' }, ...TEMPORARY },
      cpu: '10m',
      memory: '20Mi',
    },
  ],
};

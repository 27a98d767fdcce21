import type { ComponentDefinition } from '../definition.js';
import { OWN_IMAGE } from './shared.js';
import { read } from './rules.js';
import { forwardsMetrics } from './predicates.js';

/** Resolves pods of the control plane for the metrics proxy. */
export const endpointResolver: ComponentDefinition = {
  name: 'endpoint-resolver',
  workload: 'Deployment',
  replicas: 'one',
  isPartOf: forwardsMetrics,
  servingCertificate: 'endpoint-resolver-serving-cert',
  access: { rules: [read('', 'pods')] },
  containers: [
    {
      name: 'endpoint-resolver',
      image: OWN_IMAGE,
      command: ['/usr/bin/control-plane-operator', 'endpoint-resolver'],
      args: [
        '--tls-cert-file',
        '/etc/endpoint-resolver/serving-cert/tls.crt',
        '--tls-key-file',
        '/etc/endpoint-resolver/serving-cert/tls.key',
      ],
      ports: { https: 9444 },
      mounts: { '/etc/endpoint-resolver/serving-cert': { secret: 'endpoint-resolver-serving-cert' } },
      cpu: '5m',
      memory: '20Mi',
    },
  ],
};

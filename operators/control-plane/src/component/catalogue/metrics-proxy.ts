import type { ComponentDefinition } from '../definition.js';
import { OWN_IMAGE, ROOT_CA } from './shared.js';
import { forwardsMetrics } from './predicates.js';

/** Forwards metrics of the control plane to the hosted cluster. */
export const metricsProxy: ComponentDefinition = {
  name: 'metrics-proxy',
  workload: 'Deployment',
  replicas: 'one',
  dependencies: ['endpoint-resolver'],
  isPartOf: forwardsMetrics,
  servingCertificate: 'metrics-proxy-serving-cert',
  containers: [
    {
      name: 'metrics-proxy',
      image: OWN_IMAGE,
      command: ['/usr/bin/control-plane-operator', 'metrics-proxy'],
      args: [
        '--tls-cert-file',
        '/etc/metrics-proxy/serving-cert/tls.crt',
        '--tls-key-file',
        '/etc/metrics-proxy/serving-cert/tls.key',
        '--client-ca-file',
        '/etc/metrics-proxy/client-ca/ca.crt',
      ],
      ports: { https: 9443 },
      mounts: {
        '/etc/metrics-proxy/serving-cert': { secret: 'metrics-proxy-serving-cert' },
        '/etc/metrics-proxy/client-ca': ROOT_CA,
      },
      cpu: '10m',
      memory: '40Mi',
    },
  ],
};

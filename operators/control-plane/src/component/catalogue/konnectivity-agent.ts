import type { ComponentDefinition } from '../definition.js';
import { ROOT_CA } from './shared.js';

/** Carries konnectivity connections into the namespace of the control plane. */
export const konnectivityAgent: ComponentDefinition = {
  name: 'konnectivity-agent',
  workload: 'Deployment',
  replicas: 'policy',
  isOptional: true,
  servingCertificate: 'konnectivity-agent',
  containers: [
    {
      name: 'konnectivity-agent',
      image: 'apiserver-network-proxy',
      command: ['/usr/bin/proxy-agent'],
      args: [
        '--logtostderr=true',
        '--ca-cert',
        '/etc/konnectivity/ca/ca.crt',
        '--agent-cert',
        '/etc/konnectivity/agent/tls.crt',
        '--agent-key',
        '/etc/konnectivity/agent/tls.key',
        '--proxy-server-host',
        'konnectivity-server',
        '--proxy-server-port',
        '8091',
      ],
      mounts: { '/etc/konnectivity/ca': ROOT_CA, '/etc/konnectivity/agent': { secret: 'konnectivity-agent' } },
      cpu: '40m',
      memory: '50Mi',
    },
  ],
};

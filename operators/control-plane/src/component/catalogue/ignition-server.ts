import type { ComponentDefinition } from '../definition.js';
import { OWN_IMAGE } from './shared.js';
import { EVENTS, read } from './rules.js';

/** Serves the ignition config with which machines boot. */
export const ignitionServer: ComponentDefinition = {
  name: 'ignition-server',
  workload: 'Deployment',
  replicas: 'policy',
  isEarly: true,
  access: {
    rules: [
      { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list', 'watch', 'patch', 'update'] },
      read('', 'configmaps'),
      EVENTS,
    ],
  },
  containers: [
    {
      name: 'ignition-server',
      image: OWN_IMAGE,
      command: ['/usr/bin/control-plane-operator', 'ignition-server'],
      args: [
        '--cert-file=/var/run/secrets/ignition/serving-cert/tls.crt',
        '--key-file=/var/run/secrets/ignition/serving-cert/tls.key',
      ],
      fieldEnv: { MY_NAMESPACE: 'metadata.namespace' },
      ports: { https: 9090, metrics: 8080 },
      mounts: {
        '/var/run/secrets/ignition/serving-cert': { secret: 'ignition-server-serving-cert' },
        '/var/run/secrets/bootstrap-kubeconfig': { secret: 'bootstrap-kubeconfig' },
        '/payloads': { emptyDir: 'payloads' },
      },
      cpu: '10m',
      memory: '40Mi',
    },
  ],
};

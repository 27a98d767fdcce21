import type { KubeObject } from '@capstan/meta';
import { CAPSTAN_IMAGE } from './images.js';
import { programObjects, read } from './programs.js';

const NAMESPACE = 'hypershift';
const NAME = 'capi-conversion-webhook-shim';
const SECRET = `${NAME}-cert`;
const PORT = 9443;
const HEALTH_PORT = 8081;

/** Where the versions of private kinds are converted into each other. */
export const SHIM = { namespace: NAMESPACE, name: NAME } as const;

/** The shim and what it needs. */
export function shimObjects(): KubeObject[] {
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: {
        name: NAME,
        namespace: NAMESPACE,
        annotations: { 'service.beta.openshift.io/serving-cert-secret-name': SECRET },
      },
      spec: {
        selector: { app: NAME },
        ports: [{ port: 443, targetPort: PORT }],
        // It takes reviews before it knows all definitions: its readiness may wait for somebody who waits for it.
        publishNotReadyAddresses: true,
      },
    },
    ...programObjects({
      namespace: NAMESPACE,
      name: NAME,
      image: CAPSTAN_IMAGE,
      command: ['capstan'],
      args: ['conversion-shim', '--cert-dir=/etc/serving', `--port=${PORT}`, `--health-port=${HEALTH_PORT}`],
      ports: { webhook: PORT, health: HEALTH_PORT },
      readinessProbe: { httpGet: { path: '/readyz', port: 'health' }, periodSeconds: 1 },
      replicas: 2,
      rules: [],
      clusterRules: [read('apiextensions.k8s.io', 'customresourcedefinitions')],
      secrets: { serving: SECRET },
    }),
  ];
}

import type { KubeObject } from '@capstan/meta';
import { IMAGES } from '@capstan/upstream';
import { programObjects, read } from './programs.js';

const NAMESPACE = 'capi-system';
const NAME = 'capi-conversion';
const PORT = 9443;
const SECRET = `${NAME}-cert`;

/** Where the versions of Cluster API are converted into each other. */
export const CONVERSION = { service: { namespace: NAMESPACE, name: NAME, path: '/convert', port: 443 } } as const;

/** What makes the server trust the certificate there. */
export const TRUST = { 'service.beta.openshift.io/inject-cabundle': 'true' } as const;

/** The webhook and what it needs. */
export function conversionObjects(): KubeObject[] {
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
      spec: { selector: { app: NAME }, ports: [{ port: 443, targetPort: PORT }] },
    },
    ...programObjects({
      namespace: NAMESPACE,
      name: NAME,
      image: IMAGES.conversion,
      args: ['--webhook-cert-dir=/etc/serving', `--webhook-port=${PORT}`],
      rules: [],
      clusterRules: [read('apiextensions.k8s.io', 'customresourcedefinitions')],
      secrets: { serving: SECRET },
    }),
  ];
}

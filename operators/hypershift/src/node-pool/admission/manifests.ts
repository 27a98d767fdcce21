import { NODE_POOLS } from '@capstan/hosting';
import type { KubeObject } from '@capstan/meta';
import { NODE_POOL_WEBHOOK_PATH } from './webhook.js';

/** Where the webhook is reached. */
export interface WebhookPlace {
  readonly clientConfig: { readonly caBundle?: string | undefined } & (
    | { readonly service: { readonly namespace: string; readonly name: string; readonly port?: number | undefined } }
    | { readonly url: string }
  );
  /** Only NodePools of namespaces with these labels; default: all. */
  readonly namespaceLabels?: Readonly<Record<string, string>> | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

const NAME = 'nodepools.hypershift.openshift.io';
/** Long enough for a registry to be asked. */
const TIMEOUT_SECONDS = 15;

/**
 * The webhook configuration for NodePools. Its failure policy lets them through: NodePools must be writable while the
 * operator is down, and their condition SupportedVersionSkew reports the same problem.
 */
export function nodePoolWebhookConfiguration(place: WebhookPlace, name = NAME): KubeObject {
  const { annotations, clientConfig, namespaceLabels } = place;
  const path = NODE_POOL_WEBHOOK_PATH;
  const at =
    'url' in clientConfig
      ? { ...clientConfig, url: `${clientConfig.url}${path}` }
      : { ...clientConfig, service: { ...clientConfig.service, path } };
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name, ...(annotations === undefined ? {} : { annotations }) },
    webhooks: [
      {
        name: NAME,
        clientConfig: at,
        rules: [
          {
            apiGroups: [NODE_POOLS.group],
            apiVersions: [NODE_POOLS.version],
            resources: [NODE_POOLS.plural],
            operations: ['CREATE', 'UPDATE'],
          },
        ],
        ...(namespaceLabels === undefined ? {} : { namespaceSelector: { matchLabels: namespaceLabels } }),
        failurePolicy: 'Ignore',
        sideEffects: 'None',
        timeoutSeconds: TIMEOUT_SECONDS,
        admissionReviewVersions: ['v1'],
      },
    ],
  };
}

import type { JsonObject } from '@capstan/meta';

/** Annotation of a private CRD: the conversion webhook of the standard CRD it mirrors (JSON of a clientConfig). */
export const SOURCE_WEBHOOK_ANNOTATION = 'hypershift.openshift.io/source-conversion-webhook';

/** Annotation that makes the service CA of OpenShift write the caBundle. */
export const INJECT_CA_ANNOTATION = 'service.beta.openshift.io/inject-cabundle';

/** Where a conversion webhook is. */
export interface WebhookClientConfig {
  readonly url?: string | undefined;
  readonly service?: WebhookService | undefined;
  /** PEM in base64. */
  readonly caBundle?: string | undefined;
}

export interface WebhookService {
  readonly namespace: string;
  readonly name: string;
  readonly path?: string | undefined;
  /** Default 443. */
  readonly port?: number | undefined;
}

/** The Service of the shim. */
export interface ShimService {
  readonly namespace: string;
  readonly name: string;
}

/** Where private CRDs are converted. */
export interface ConversionTarget {
  readonly shim: ShimService;
  /** PEM in base64; without it the service CA is asked for one. */
  readonly caBundle?: string | undefined;
}

function isRecord(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The client config of a CRD's own webhook. */
export function sourceClientConfig(conversion: unknown): JsonObject | undefined {
  if (!isRecord(conversion) || conversion['strategy'] !== 'Webhook' || !isRecord(conversion['webhook']))
    return undefined;
  const { clientConfig } = conversion['webhook'];
  return isRecord(clientConfig) ? clientConfig : undefined;
}

/** The `spec.conversion` of a private CRD whose versions the shim converts. */
export function shimStanza({ caBundle, shim: { name, namespace } }: ConversionTarget): JsonObject {
  return {
    strategy: 'Webhook',
    webhook: {
      clientConfig: {
        ...(caBundle === undefined ? {} : { caBundle }),
        service: { name, namespace, path: '/convert' },
      },
      conversionReviewVersions: ['v1'],
    },
  };
}

/** The webhook in the annotation of a private CRD; undefined where there is no usable one. */
export function readSourceWebhook(annotation: string | undefined): WebhookClientConfig | undefined {
  if (annotation === undefined) return undefined;
  let config: unknown;
  try {
    config = JSON.parse(annotation);
  } catch {
    return undefined;
  }
  if (!isRecord(config)) return undefined;
  const { caBundle, service, url } = config;
  const bundle = typeof caBundle === 'string' ? { caBundle } : {};
  if (typeof url === 'string') return { url, ...bundle };
  if (!isRecord(service)) return undefined;
  const { name, namespace, path, port } = service;
  if (typeof name !== 'string' || typeof namespace !== 'string') return undefined;
  return {
    service: {
      namespace,
      name,
      ...(typeof path === 'string' ? { path } : {}),
      ...(typeof port === 'number' ? { port } : {}),
    },
    ...bundle,
  };
}

/** Where a webhook is, as admission configurations and CRDs say it: by URL or by Service. */
export interface WebhookClientConfig {
  readonly url?: string | undefined;
  readonly service?: WebhookService | undefined;
  /** PEM in base64; absent: the CAs of the system are trusted. */
  readonly caBundle?: string | undefined;
}

export interface WebhookService {
  readonly namespace: string;
  readonly name: string;
  readonly path?: string | undefined;
  /** 443 by default. */
  readonly port?: number | undefined;
}

/** One POST of a review. */
export interface WebhookCall {
  readonly client: WebhookClientConfig;
  /** A JSON value. */
  readonly review: unknown;
  readonly timeoutMs: number;
  /** Sent to the webhook in the query, as admission does. */
  readonly sendsTimeout: boolean;
}

/** What came back; `error` when nothing did, in the words of the real server's client. */
export type WebhookAnswer =
  | {
      readonly status: number;
      /** Empty when the webhook named none. */
      readonly contentType: string;
      readonly body: Uint8Array;
      readonly durationMs: number;
    }
  | { readonly error: string; readonly isTimeout: boolean; readonly durationMs: number };

/** Where a Service is served. */
export interface ServiceAddress {
  readonly host: string;
  readonly port: number;
}

/** Finds the endpoint of a Service; a string is the reason why there is none. */
export type ServiceResolver = (service: WebhookService) => ServiceAddress | string;

/** Carries reviews to webhooks. Never rejects: what goes wrong is an answer. */
export interface WebhookCaller {
  /** `resolve` is how the server that calls would find a Service. */
  call(call: WebhookCall, resolve: ServiceResolver): Promise<WebhookAnswer>;
}

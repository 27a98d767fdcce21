import type { Clock, KubeObject } from '@capstan/meta';
import { EndpointServer } from '../http/endpoint-server.js';
import type { AttachServer, Endpoint, ServingCertificate } from '../http/endpoint-server.js';
import type { RuntimeMetrics } from '../metrics/runtime-metrics.js';
import { RuntimeError } from '../runtime/errors.js';
import type { Logger } from '../runtime/logger.js';
import type { MutatingWebhook, ValidatingWebhook } from './admission-types.js';
import { mutatingEndpoint, validatingEndpoint } from './admission.js';
import { conversionEndpoint } from './conversion.js';
import type { ConversionOptions, ConvertedKind } from './conversion.js';

export interface WebhookServerOptions {
  /** 0 = any free one. */
  readonly port: number;
  /** Default: this machine only. */
  readonly host?: string | undefined;
  readonly certificate: ServingCertificate;
  /** Puts it on a network that is not this machine's. Default: a socket. */
  readonly attach?: AttachServer | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: RuntimeMetrics;
}

/** Serves admission and conversion webhooks over TLS. Add it to a manager's `webhook` group: caches may need it. */
export class WebhookServer {
  readonly name = 'webhooks';
  readonly #options: WebhookServerOptions;
  readonly #server: EndpointServer;
  readonly #paths = new Set<string>();

  constructor(options: WebhookServerOptions) {
    this.#options = options;
    this.#server = new EndpointServer({ ...options, name: this.name });
  }

  /** A webhook that changes objects. */
  mutating<T extends KubeObject>(path: string, webhook: MutatingWebhook<T>): this {
    return this.#route(path, this.#counted(path, mutatingEndpoint(webhook, this.#options)));
  }

  /** A webhook that allows or refuses. */
  validating<T extends KubeObject>(path: string, webhook: ValidatingWebhook<T>): this {
    return this.#route(path, this.#counted(path, validatingEndpoint(webhook, this.#options)));
  }

  /** The conversion webhook of kinds with several versions. */
  converting(path: string, kinds: readonly ConvertedKind[], options?: ConversionOptions): this {
    return this.#route(path, conversionEndpoint(kinds, this.#options, options));
  }

  /** Resolves with the URL once connections are taken. */
  ready(): Promise<string> {
    return this.#server.ready();
  }

  /** Every answer from now on ends its connection: an API server that asks again goes to another replica. */
  drain(): void {
    this.#server.drain();
  }

  /** Serves until the signal aborts and what is under way is answered. */
  run(signal: AbortSignal): Promise<void> {
    return this.#server.run(signal);
  }

  #route(path: string, endpoint: Endpoint): this {
    if (this.#paths.has(path)) throw new RuntimeError('misused', `there is a webhook on ${path} already`);
    this.#paths.add(path);
    this.#server.route(path, endpoint);
    return this;
  }

  #counted(path: string, endpoint: Endpoint): Endpoint {
    const { clock, metrics } = this.#options;
    const { inFlight, requests, seconds } = metrics.webhook;
    for (const code of ['200', '500']) requests.add([path, code], 0);
    return async (request) => {
      const began = clock.monotonic();
      inFlight.add([path], 1);
      let code = 500;
      try {
        const reply = await endpoint(request);
        code = reply.status;
        return reply;
      } finally {
        inFlight.add([path], -1);
        requests.add([path, String(code)]);
        seconds.observe([path], (clock.monotonic() - began) / 1000);
      }
    };
  }
}

import { errorText } from '@capstan/kube/connect';
import { TranslationError } from '@capstan/translate';
import type { Headers, Refusal, Route, TranslatedRequest, TranslationErrorCode } from '@capstan/translate';
import { ProxyError } from '../errors.js';
import type { TranslationErrorType } from '../metric-declarations.js';
import type { ProxyContext } from './context.js';
import { headerText } from './response-plan.js';

const ERROR_TYPES: Readonly<Record<Exclude<TranslationErrorCode, 'MALFORMED'>, TranslationErrorType>> = {
  BAD_RULES: 'bad-rules',
  HIDDEN: 'hidden-resource',
  TOO_LARGE: 'too-large',
  UNSUPPORTED: 'unsupported-encoding',
};

/** The kind of an error as a label. */
function errorType({ code, message }: TranslationError): TranslationErrorType {
  if (code !== 'MALFORMED') return ERROR_TYPES[code];
  return /YAML/.test(message) ? 'invalid-yaml' : /protobuf/.test(message) ? 'invalid-protobuf' : 'invalid-json';
}

/** The client left before it was sent anything. */
const CLIENT_GONE = 499;

/** Observes one exchange: its duration, its end, its log messages. */
export class Observation {
  status = 0;
  route: Route | undefined;
  readonly #context: ProxyContext;
  readonly #method: string;
  readonly #target: string;
  readonly #startedAt: number;
  #workingSince: number;
  #worked = 0;
  #isRecorded = false;

  constructor(context: ProxyContext, method: string, target: string) {
    this.#context = context;
    this.#method = method;
    this.#target = target;
    this.#startedAt = context.clock.monotonic();
    this.#workingSince = this.#startedAt;
  }

  /** From here on we are at work; of what has been counted, such as a watch, nobody asks any longer. */
  work(): void {
    if (this.#workingSince < 0 && !this.#isRecorded) this.#workingSince = this.#context.clock.monotonic();
  }

  /** From here on we wait for others. */
  rest(): void {
    if (this.#workingSince < 0) return;
    this.#worked += this.#context.clock.monotonic() - this.#workingSince;
    this.#workingSince = -1;
  }

  /** The server has begun to answer. */
  head(status: number, headers: Headers, { isWatch, route }: TranslatedRequest): void {
    this.status = status;
    // The server answers in plain text for a group that it does not serve under its private name.
    if (
      status === 404 &&
      route.class === 'translated-group' &&
      headerText(headers, 'content-type')?.startsWith('text/plain') === true
    )
      this.#unsupported('the server does not serve it under its private name: install its CRD');
    if (isWatch) this.#record();
  }

  /** The translation refused the request. */
  unsupported({ status, body }: Refusal): void {
    const { message } = JSON.parse(Buffer.from(body).toString()) as { readonly message: string };
    this.#unsupported(`refused with ${status}: ${message}`);
  }

  /** The same, with nothing to follow. */
  refused(refusal: Refusal): void {
    this.unsupported(refusal);
    this.status = refusal.status;
    this.end();
  }

  /** It cannot be finished. */
  failed(error: unknown, direction: 'request' | 'response'): void {
    const { logger, metrics } = this.#context;
    const fields = { ...this.#about(), error: errorText(error) };
    if (error instanceof TranslationError) {
      const type = errorType(error);
      metrics.translationErrors.add([type]);
      logger.error('Translation error', { ...fields, direction, type });
    } else if (!(error instanceof ProxyError)) logger.error('Internal error', fields);
    else if (error.code !== 'client-gone') logger.warn('Proxy request failed', { ...fields, code: error.code });
  }

  /** The client left. */
  abandoned(): void {
    if (this.status === 0) this.status = CLIENT_GONE;
  }

  /** It is over. */
  end(): void {
    this.rest();
    if (!this.#isRecorded) this.#record();
  }

  /** Counts a request that became a tunnel. */
  tunnelled(status: number): void {
    this.status = status;
    this.#record();
  }

  #record(): void {
    this.#isRecorded = true;
    const { clock, metrics } = this.#context;
    const now = clock.monotonic();
    metrics.request(this.#method, this.route, {
      status: this.status,
      durationMs: now - this.#startedAt,
      workedMs: this.#worked + (this.#workingSince < 0 ? 0 : now - this.#workingSince),
    });
  }

  #unsupported(why: string): void {
    this.#context.metrics.translationErrors.add(['unsupported-resource']);
    this.#context.logger.warn('Unsupported resource type', { ...this.#about(), reason: why });
  }

  #about(): Readonly<Record<string, unknown>> {
    const path = this.#target.split('?', 1)[0];
    const { group, resource } = this.route?.path ?? {};
    return { method: this.#method, path, ...(resource === undefined ? {} : { group, resource }) };
  }
}

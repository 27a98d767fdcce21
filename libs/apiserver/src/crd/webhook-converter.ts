import type { KubeObject } from '@capstan/meta';
import { ConversionFailed } from '../apply/index.js';
import type { Core } from '../registry/core.js';
import { callWebhooks, type Flow } from '../registry/effects.js';
import { readAnswer } from '../webhook/answer.js';
import type { WebhookAnswer, WebhookClientConfig } from '../webhook/call.js';
import { conversionReview, readReview, reviewVersionOf, type ReviewVersion } from './conversion-review.js';
import { checkConverted, type Checked } from './converted-object.js';
import { specOf } from '../builtin/apiextensions/crd.js';

const TIMEOUT_MS = 30_000;
const GAVE_UP = 'context deadline exceeded';
/** More objects than this go in several reviews: webhooks bound what they read. */
export const MAX_REVIEW_OBJECTS = 500;

/** What became of one review, for those who count. */
export interface ConversionOutcome {
  readonly definition: string;
  readonly from: string;
  readonly to: string;
  /** Undefined: it went well. */
  readonly failure: ConversionFailure | undefined;
  readonly seconds: number;
}

/** Kinds of failure, by the names of the real server's metrics. */
export type ConversionFailure =
  | 'conversion_webhook_call_failure'
  | 'conversion_webhook_malformed_response_failure'
  | 'conversion_webhook_partial_response_failure'
  | 'conversion_webhook_invalid_converted_object_failure';

export interface WebhookConverterOptions {
  readonly core: Core;
  readonly definition: KubeObject;
  readonly observe?: ((outcome: ConversionOutcome) => void) | undefined;
}

/** A failure, and what its counters call it. */
interface Failed {
  readonly message: string;
  /** The message does not name the webhook. */
  readonly isBare?: boolean;
  readonly failure: ConversionFailure;
}

/** Asks the webhook of one CRD for its objects in other versions. Nothing is kept: it is asked every time. */
export class WebhookConverter {
  readonly #options: WebhookConverterOptions;
  readonly #client: WebhookClientConfig;
  readonly #version: ReviewVersion | undefined;
  readonly #known: ReadonlySet<string>;

  constructor(options: WebhookConverterOptions) {
    this.#options = options;
    const { conversion, group, versions } = specOf(options.definition);
    const { clientConfig, conversionReviewVersions } = (conversion?.webhook ?? {}) as {
      clientConfig?: WebhookClientConfig;
      conversionReviewVersions?: readonly string[];
    };
    this.#client = clientConfig ?? {};
    this.#version = reviewVersionOf(conversionReviewVersions ?? []);
    this.#known = new Set(versions.map(({ name }) => `${group}/${name}`));
  }

  /** The objects, none of which is of that version already, in their order. Throws ConversionFailed. */
  *convert(objects: readonly KubeObject[], desired: string): Flow<KubeObject[]> {
    const converted = new Map<KubeObject, KubeObject>();
    for (const batch of this.#batches(objects, desired)) {
      const results = yield* this.#review(batch, desired);
      for (const [at, object] of batch.entries()) converted.set(object, results[at] as KubeObject);
    }
    return objects.map((object) => converted.get(object) as KubeObject);
  }

  /** Objects of one version each, and not too many. */
  #batches(objects: readonly KubeObject[], desired: string): KubeObject[][] {
    if (!this.#known.has(desired))
      throw new ConversionFailed(`request to convert CR to an invalid group/version: ${desired}`);
    const byVersion = new Map<string, KubeObject[]>();
    for (const object of objects) {
      const { apiVersion } = object;
      if (!this.#known.has(apiVersion))
        throw new ConversionFailed(`request to convert CR from an invalid group/version: ${apiVersion}`);
      const same = byVersion.get(apiVersion);
      if (same === undefined) byVersion.set(apiVersion, [object]);
      else same.push(object);
    }
    const batches: KubeObject[][] = [];
    for (const same of byVersion.values())
      for (let at = 0; at < same.length; at += MAX_REVIEW_OBJECTS)
        batches.push(same.slice(at, at + MAX_REVIEW_OBJECTS));
    return batches;
  }

  *#review(objects: readonly KubeObject[], desiredAPIVersion: string): Flow<readonly KubeObject[]> {
    const { core } = this.#options;
    if (this.#version === undefined) throw new ConversionFailed('no supported conversion review versions');
    const uid = core.uid();
    const review = conversionReview(this.#version, { uid, desiredAPIVersion, objects });
    const [answer] = yield* callWebhooks([{ client: this.#client, review, timeoutMs: TIMEOUT_MS, sendsTimeout: true }]);
    if (answer === undefined) throw new TypeError('a webhook call came to nothing');
    const read = readAnswer(answer);
    const asked = { objects, desired: desiredAPIVersion };
    const result: readonly KubeObject[] | Failed =
      'fault' in read
        ? { message: `failed: ${faultText(read.fault, answer)}`, failure: 'conversion_webhook_call_failure' }
        : converted(asked, readReview(read.value, this.#version, uid));
    this.#observe(objects, desiredAPIVersion, result, answer.durationMs);
    if (!('failure' in result)) return result;
    if (result.isBare === true) throw new ConversionFailed(result.message);
    const { apiVersion, kind } = objects[0] as KubeObject;
    throw new ConversionFailed(`conversion webhook for ${apiVersion}, Kind=${kind} ${result.message}`);
  }

  #observe(
    objects: readonly KubeObject[],
    desired: string,
    result: readonly KubeObject[] | Failed,
    durationMs: number,
  ): void {
    this.#options.observe?.({
      definition: this.#options.definition.metadata.name ?? '',
      from: versionOf(objects[0]?.apiVersion ?? ''),
      to: versionOf(desired),
      failure: 'failure' in result ? result.failure : undefined,
      seconds: durationMs / 1000,
    });
  }
}

function versionOf(apiVersion: string): string {
  return apiVersion.slice(apiVersion.indexOf('/') + 1);
}

/** Here it is the client that gives up, not the request it works for, and the error names it. */
function faultText(fault: string, answer: WebhookAnswer): string {
  if (!('error' in answer) || !answer.isTimeout || !fault.endsWith(GAVE_UP)) return fault;
  const when = fault.startsWith('Post ')
    ? 'exceeded while awaiting headers'
    : 'or context cancellation while reading body';
  return `${fault} (Client.Timeout ${when})`;
}

interface Asked {
  readonly objects: readonly KubeObject[];
  readonly desired: string;
}

function converted({ objects, desired }: Asked, read: ReturnType<typeof readReview>): readonly KubeObject[] | Failed {
  if ('fault' in read)
    return { message: `failed: ${read.fault}`, failure: 'conversion_webhook_malformed_response_failure' };
  if (read.objects.length !== objects.length) {
    const message = `returned ${read.objects.length} objects, expected ${objects.length}`;
    return { message, failure: 'conversion_webhook_partial_response_failure' };
  }
  const results: KubeObject[] = [];
  for (const [at, object] of objects.entries()) {
    const checked = checkConverted(object, read.objects[at], desired);
    if ('fault' in checked) {
      const isOne = objects.length === 1;
      const message = isOne ? faultOfOne(checked) : faultAt(checked, at);
      const isBare = isOne && checked.about === 'bare';
      return { message, isBare, failure: 'conversion_webhook_invalid_converted_object_failure' };
    }
    results.push(checked.object);
  }
  return results;
}

type Fault = Extract<Checked, { fault: string }>;

function faultOfOne({ fault, about }: Fault): string {
  if (about === 'bare') return fault;
  if (about === 'version') return `returned invalid object at index 0: ${fault}`;
  return about === 'object' ? `returned invalid object: ${fault}` : `returned invalid metadata: ${fault}`;
}

function faultAt({ fault, about }: Fault, index: number): string {
  return about === 'metadata'
    ? `returned invalid metadata in object at index ${index}: ${fault}`
    : `returned invalid converted object at index ${index}: ${fault}`;
}

import { Buffer } from 'node:buffer';
import type { JsonObject, KubeObject } from '@capstan/meta';
import type { WebhookAnswer, WebhookCall, WebhookCaller } from '../webhook/call.js';
import { DEFINITIONS_PATH, GROUP, Fixture, version, widgets } from './testing.js';

const text = { type: 'string' };

/** A review as the server sends it. */
export interface SentReview extends JsonObject {
  apiVersion: string;
  kind: string;
  request: { uid: string; desiredAPIVersion: string; objects: KubeObject[] };
}

/** The response of a good webhook. */
export interface GoodReview extends JsonObject {
  apiVersion: string;
  kind: string;
  response: { uid: string; convertedObjects: KubeObject[]; result: JsonObject };
}

/** A widget's `address` in `v1` is `host` and `port` in `v2`; nothing is lost either way. */
export function convertWidget(object: KubeObject, apiVersion: string): KubeObject {
  const copy = structuredClone(object) as KubeObject & { spec?: JsonObject };
  copy.apiVersion = apiVersion;
  const { spec } = copy;
  if (spec === undefined || object.apiVersion === apiVersion) return copy;
  const { address, host, port, ...rest } = spec as Record<string, string>;
  if (apiVersion.endsWith('/v1')) {
    copy.spec = host === undefined && port === undefined ? rest : { ...rest, address: `${host ?? ''}:${port ?? ''}` };
  } else if (address !== undefined) {
    const [name = '', number = ''] = address.split(':');
    copy.spec = { ...rest, host: name, port: number };
  }
  return copy;
}

/** A conversion webhook in process. */
export class FakeConverter implements WebhookCaller {
  readonly reviews: SentReview[] = [];
  readonly calls: WebhookCall[] = [];
  /** Replaces the good review; undefined where the webhook does not answer. */
  lie: ((good: GoodReview, review: SentReview) => unknown) | undefined;
  /** What comes of a call that is not answered. */
  silence: WebhookAnswer = { error: 'nobody there', isTimeout: false, durationMs: 1 };
  #held: (() => void)[] | undefined;
  #asked: (() => void) | undefined;

  async call(call: WebhookCall): Promise<WebhookAnswer> {
    const review = structuredClone(call.review) as SentReview;
    this.calls.push(call);
    this.reviews.push(review);
    this.#asked?.();
    const held = this.#held;
    if (held !== undefined) await new Promise<void>((resolve) => held.push(resolve));
    const { uid, desiredAPIVersion, objects } = review.request;
    const good: GoodReview = {
      apiVersion: review.apiVersion,
      kind: review.kind,
      response: {
        uid,
        convertedObjects: objects.map((object) => convertWidget(object, desiredAPIVersion)),
        result: { status: 'Success' },
      },
    };
    const answer = this.lie === undefined ? good : this.lie(good, review);
    if (answer === undefined) return this.silence;
    const body = Buffer.from(typeof answer === 'string' ? answer : JSON.stringify(answer));
    return { status: 200, contentType: 'application/json', body, durationMs: 2 };
  }

  /** Holds all answers until released. */
  hold(): () => void {
    const held: (() => void)[] = [];
    this.#held = held;
    return () => {
      this.#held = undefined;
      for (const answer of held) answer();
    };
  }

  /** The next review to come. */
  asked(): Promise<void> {
    return new Promise((resolve) => {
      this.#asked = resolve;
    });
  }

  /** Answers every review with the same failure. */
  fail(message: string): void {
    this.lie = (good) => ({ ...good, response: { ...good.response, result: { status: 'Failure', message } } });
  }
}

/** The CRD of widgets in two versions, converted by webhook; `v1` is stored. */
export function convertedWidgets(storage: 'v1' | 'v2' = 'v1', reviews: readonly string[] = ['v1']): JsonObject {
  const replicas = { type: 'integer' };
  const subresources = {
    status: {},
    scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
  };
  const definition = widgets(
    version({ address: text, replicas }, { storage: storage === 'v1', subresources }),
    version(
      { host: text, port: text, replicas },
      {
        name: 'v2',
        storage: storage === 'v2',
        subresources,
        selectableFields: [{ jsonPath: '.spec.host' }],
        additionalPrinterColumns: [{ name: 'Host', type: 'string', jsonPath: '.spec.host' }],
      },
    ),
  );
  const conversion = {
    strategy: 'Webhook',
    webhook: { clientConfig: { url: 'https://convert.example/path' }, conversionReviewVersions: reviews },
  };
  return { ...definition, spec: { ...(definition['spec'] as object), conversion } } as JsonObject;
}

/** A server with those widgets, and their webhook. */
export async function establishedWidgets(
  definition = convertedWidgets(),
): Promise<{ fixture: Fixture; converter: FakeConverter }> {
  const converter = new FakeConverter();
  const fixture = new Fixture({ webhooks: converter });
  const { status, text: answer } = await fixture.send('POST', DEFINITIONS_PATH, definition);
  if (status !== 201) throw new Error(answer);
  return { fixture, converter };
}

export const FAILED_V1 = `conversion webhook for ${GROUP}/v1, Kind=Widget failed: `;
export const FAILED_V2 = `conversion webhook for ${GROUP}/v2, Kind=Widget failed: `;

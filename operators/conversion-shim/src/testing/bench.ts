import { expect } from 'vitest';
import { systemRandom, TransportError } from '@capstan/kube';
import { ManualClock, settled } from '@capstan/kube/testing';
import type { EndpointReply } from '@capstan/kube';
import type { ApiResponse, JsonObject } from '@capstan/meta';
import { CLUSTER_API_RULES, GroupMapping } from '@capstan/translate';
import { SOURCE_WEBHOOK_ANNOTATION } from '@capstan/translate/mirror';
import { readDelegates } from '../delegates/delegate.js';
import type { Delegate } from '../delegates/delegate.js';
import { ownConverter } from '../delegates/own.js';
import { DelegateCaller } from '../delegates/remote.js';
import { conversionEndpoint } from '../endpoint.js';
import { Gate } from '../gate.js';
import { ShimMetrics } from '../metrics.js';
import { ReviewLabels } from '../review/labels.js';
import { reviewSwapper } from '../review/translation.js';
import { box, convertedBy } from './reviews.js';

const mapping = new GroupMapping(CLUSTER_API_RULES);
const webhook = JSON.stringify({ service: { namespace: 'capi', name: 'boxes', path: '/convert' } });
/** The private group of the core kinds. */
export const CORE = 'cluster.hypershift.openshift.io';

/** What a delegate does with a review, and with the how manieth. */
export type DelegateAnswer = (review: JsonObject, tries: number) => ApiResponse | Promise<ApiResponse>;

/** An answer with a body of JSON, or of whatever text. */
export function json(value: unknown, status = 200): ApiResponse {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return {
    status,
    headers: { 'content-type': 'application/json' },
    body: { type: 'payload', chunks: () => [Buffer.from(text)], value: () => value },
  };
}

/** A shim without sockets, and a delegate with scripted answers. */
export class Bench {
  readonly clock = new ManualClock();
  readonly metrics = new ShimMetrics();
  readonly log: string[] = [];
  readonly asked: { readonly delegate: Delegate; readonly body: string }[] = [];
  answer: DelegateAnswer = (review) => json(convertedBy(review));
  annotations: Readonly<Record<string, string>> | undefined = { [SOURCE_WEBHOOK_ANNOTATION]: webhook };
  whenSynced: () => Promise<void> = () => Promise.resolve();
  readonly #send: (body: string | Uint8Array, signal?: AbortSignal) => Promise<EndpointReply>;

  constructor({ concurrent = 32, delegates = [] as string[], queued = 512 } = {}) {
    const record =
      (level: string) =>
      (message: string, fields: Readonly<Record<string, unknown>> = {}): void =>
        void this.log.push(`${level} ${message}: ${String(fields['error'])}`);
    const logger = { debug: record('DEBUG'), info: record('INFO'), warn: record('WARN'), error: record('ERROR') };
    const caller = new DelegateCaller({
      clock: this.clock,
      random: systemRandom(1),
      budgetMs: 15_000,
      answerBytes: 1_000_000,
      trust: () => undefined,
      transportTo: (delegate) => ({
        send: async ({ body, signal }) => {
          const text = body?.type === 'bytes' ? Buffer.from(body.bytes).toString() : '';
          this.asked.push({ delegate, body: text });
          const left = new Promise<never>((_resolve, reject) =>
            signal?.addEventListener('abort', () => reject(new TransportError('ABORTED', 'aborted', true))),
          );
          return Promise.race([this.answer(JSON.parse(text) as JsonObject, this.asked.length), left]);
        },
      }),
    });
    const endpoint = conversionEndpoint({
      mapping,
      swap: reviewSwapper(mapping),
      definitions: {
        annotationsOf: () => this.annotations,
        has: (_group, kind) => kind === 'Box',
        hasSynced: false,
        whenSynced: () => this.whenSynced(),
      },
      delegates: readDelegates(delegates, mapping),
      own: ownConverter(() => ({ 'cluster.x-k8s.io/v1beta2': 'v1beta7' }), mapping),
      caller,
      gate: new Gate(concurrent, queued),
      metrics: this.metrics,
      labels: new ReviewLabels(),
      clock: this.clock,
      logger,
      startMs: 10_000,
    });
    this.#send = async (body, signal = new AbortController().signal) =>
      endpoint({
        method: 'POST',
        path: '/convert',
        query: new URLSearchParams(),
        contentType: 'application/json',
        body: Buffer.from(body),
        signal,
      });
  }

  /** Sends a review, letting time pass until it is answered. */
  async send(review: unknown): Promise<EndpointReply> {
    let reply: EndpointReply | undefined;
    const sent = this.#send(typeof review === 'string' ? review : JSON.stringify(review)).then(
      (came) => (reply = came),
    );
    for (let passed = 0; reply === undefined && passed < 600; passed += 1) {
      await settled();
      if (reply === undefined && this.clock.pending > 0) await this.clock.advance(50);
    }
    return sent;
  }

  sendNow(review: unknown, signal?: AbortSignal): Promise<EndpointReply> {
    return this.#send(JSON.stringify(review), signal);
  }

  async message(review: unknown): Promise<string> {
    const { body, status } = await this.send(review);
    expect(status).toBe(200);
    const { response } = JSON.parse(String(body)) as { response: { uid: string; result: JsonObject } };
    expect(response).toMatchObject({ uid: 'U', convertedObjects: [], result: { status: 'Failure' } });
    return String(response.result['message']);
  }
}

/** So many objects of a provider. */
export const boxes = (group: string, version: string, count: number): JsonObject[] =>
  Array.from({ length: count }, (_, index) => box(group, version, index));

import { silentLogger, systemClock } from '@capstan/kube';
import type { EndpointReply } from '@capstan/kube';
import { CLUSTER_API_RULES, GroupMapping } from '@capstan/translate';
import { SOURCE_WEBHOOK_ANNOTATION } from '@capstan/translate/mirror';
import { ownConverter } from '../delegates/own.js';
import { conversionEndpoint } from '../endpoint.js';
import { Gate } from '../gate.js';
import { ShimMetrics } from '../metrics.js';
import { ReviewLabels } from '../review/labels.js';
import { reviewSwapper } from '../review/translation.js';

/** Answers a review. */
export type Answer = (review: Uint8Array) => Promise<EndpointReply>;

/** A shim without sockets whose delegates answer at once: what is left is the shim's own work. */
export function instantShim(delegate: (review: Uint8Array) => Buffer): Answer {
  const mapping = new GroupMapping(CLUSTER_API_RULES);
  const webhook = JSON.stringify({ url: 'https://delegate.invalid/convert' });
  const labels = { 'cluster.x-k8s.io/v1beta2': 'v1beta2' };
  const endpoint = conversionEndpoint({
    mapping,
    swap: reviewSwapper(mapping),
    definitions: {
      annotationsOf: () => ({ [SOURCE_WEBHOOK_ANNOTATION]: webhook }),
      has: () => true,
      hasSynced: true,
      whenSynced: () => Promise.resolve(),
    },
    delegates: new Map(),
    own: ownConverter(() => labels, mapping),
    caller: { ask: (_delegate, review) => Promise.resolve(delegate(review)) },
    gate: new Gate(1, 0),
    metrics: new ShimMetrics(),
    labels: new ReviewLabels(),
    clock: systemClock(),
    logger: silentLogger(),
    startMs: 1000,
  });
  const { signal } = new AbortController();
  const request = { method: 'POST', path: '/convert', query: new URLSearchParams(), contentType: '', signal };
  return async (body) => endpoint({ ...request, body });
}

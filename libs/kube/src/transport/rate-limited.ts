import type { ApiRequest, ApiResponse, Clock, Transport } from '@capstan/meta';
import { sleep } from '../runtime/clock.js';
import { abortedError } from './errors.js';

/** How many requests may be sent: so many at once, then so many a second. */
export interface RateLimit {
  readonly burst: number;
  readonly perSecond: number;
}

/** Where the waits are observed; `RuntimeMetrics` has them. */
export interface LimitMetrics {
  readonly client: { readonly limited: { observe(labels: readonly string[], seconds: number): void } };
}

/** A transport that makes requests wait for their turn, first come first served. */
export function rateLimitedTransport(
  transport: Transport,
  { burst, perSecond }: RateLimit,
  clock: Clock,
  metrics?: LimitMetrics,
): Transport {
  /** When the bucket would be full again; requests yet to be sent are taken out already. */
  let fullAt = Number.NEGATIVE_INFINITY;
  const eachMs = 1000 / perSecond;
  return {
    send: async (request: ApiRequest): Promise<ApiResponse> => {
      const now = clock.monotonic();
      fullAt = Math.max(fullAt, now) + eachMs;
      const waitMs = Math.max(0, fullAt - burst * eachMs - now);
      if (waitMs > 0 && (await sleep(clock, waitMs, request.signal)) === 'aborted')
        throw abortedError(request.signal, false);
      metrics?.client.limited.observe([request.method, 'apiserver'], waitMs / 1000);
      return transport.send(request);
    },
  };
}

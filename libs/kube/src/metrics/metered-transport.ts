import type { ApiRequest, ApiResponse, Clock, Transport } from '@capstan/meta';
import type { RuntimeMetrics } from './runtime-metrics.js';

/** A transport that counts what goes through it. `host`: how the server is named in the metrics. */
export function meteredTransport(
  transport: Transport,
  metrics: RuntimeMetrics,
  clock: Clock,
  host = 'apiserver',
): Transport {
  const { requests, seconds } = metrics.client;
  return {
    send: async (request: ApiRequest): Promise<ApiResponse> => {
      const { method } = request;
      const began = clock.monotonic();
      let code = '<error>';
      try {
        const response = await transport.send(request);
        code = String(response.status);
        return response;
      } finally {
        requests.add([code, method, host]);
        seconds.observe([method, host], (clock.monotonic() - began) / 1000);
      }
    },
  };
}

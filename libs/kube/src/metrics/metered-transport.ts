import type { ApiRequest, ApiResponse, Clock, CounterSeries, HistogramSeries, Transport } from '@capstan/meta';
import type { RuntimeMetrics } from './runtime-metrics.js';

/** A transport that counts what goes through it. `host`: how the server is named in the metrics. */
export function meteredTransport(
  transport: Transport,
  metrics: RuntimeMetrics,
  clock: Clock,
  host = 'apiserver',
): Transport {
  const { requests, seconds } = metrics.client;
  const byAnswer = new Map<number | string, Map<string, CounterSeries>>();
  const byMethod = new Map<string, HistogramSeries>();
  const count = (code: number | string, method: string): void => {
    let answered = byAnswer.get(code);
    if (answered === undefined) byAnswer.set(code, (answered = new Map()));
    let series = answered.get(method);
    if (series === undefined) answered.set(method, (series = requests.series([String(code), method, host])));
    series.add();
  };
  const time = (method: string, tookMs: number): void => {
    let series = byMethod.get(method);
    if (series === undefined) byMethod.set(method, (series = seconds.series([method, host])));
    series.observe(tookMs / 1000);
  };
  return {
    send: (request: ApiRequest): Promise<ApiResponse> => {
      const { method } = request;
      const began = clock.monotonic();
      const over = (code: number | string): void => {
        count(code, method);
        time(method, clock.monotonic() - began);
      };
      return transport.send(request).then(
        (response) => {
          over(response.status);
          return response;
        },
        (error: unknown) => {
          over('<error>');
          throw error;
        },
      );
    },
  };
}

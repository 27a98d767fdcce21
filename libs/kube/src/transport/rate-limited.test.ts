import { describe, expect, it } from 'vitest';
import { Client } from '../client/client.js';
import { RuntimeMetrics } from '../metrics/runtime-metrics.js';
import { ManualClock } from '../testing/manual-clock.js';
import { failed, json, ScriptedTransport } from '../testing/scripted-transport.js';
import { rateLimitedTransport } from './rate-limited.js';

describe('rateLimitedTransport', () => {
  it('lets a burst pass, then one after the other, and reports how long each waited', async () => {
    const clock = new ManualClock();
    const metrics = new RuntimeMetrics(clock);
    const at: number[] = [];
    const inner = new ScriptedTransport(() => {
      at.push(clock.monotonic());
      return json({});
    });
    const transport = rateLimitedTransport(inner, { burst: 3, perSecond: 10 }, clock, metrics);
    const send = (signal?: AbortSignal) => transport.send({ method: 'GET', target: '/x', headers: {}, signal });
    const all = Array.from({ length: 5 }, () => send());
    const abort = new AbortController();
    const given = send(abort.signal);
    given.catch(() => {});
    abort.abort();
    await clock.advance(1000);
    await Promise.all(all);
    await expect(given).rejects.toMatchObject({ code: 'ABORTED', mayHaveReachedServer: false });
    expect(at).toEqual([0, 0, 0, 100, 200]);
    expect(metrics.render()).toContain(
      'rest_client_rate_limiter_duration_seconds_count{verb="GET",host="apiserver"} 5\n',
    );
    await clock.advance(1000);
    await send();
    expect(at.at(-1)).toBe(2000);
  });
});

describe('Client', () => {
  it('reports every request it sends again', async () => {
    const clock = new ManualClock();
    let left = 2;
    const transport = new ScriptedTransport(() => {
      left -= 1;
      return left >= 0 ? { ...failed(429, 'TooManyRequests'), headers: { 'retry-after': '1' } } : json({});
    });
    const retries: string[] = [];
    const client = new Client(transport, { clock, onRetry: (code, method) => retries.push(`${code} ${method}`) });
    const answer = client.request({ method: 'PUT', target: '/x' });
    await clock.advance(5000);
    await answer;
    expect(retries).toEqual(['429 PUT', '429 PUT']);
  });
});

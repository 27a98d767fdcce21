import { expect, it } from 'vitest';
import type { JsonObject } from '@capstan/meta';
import { RuntimeMetrics } from '../metrics/runtime-metrics.js';
import { silentLogger } from '../runtime/logger.js';
import { ManualClock } from '../testing/manual-clock.js';
import { conversionEndpoint } from './conversion.js';

const object = { apiVersion: 'example.com/v1', kind: 'App', metadata: { name: 'a' } };
const kinds = [
  { group: 'example.com', kind: 'App', hub: 'v2', spokes: { v1: { toHub: (x: typeof object) => x } } },
] as unknown as Parameters<typeof conversionEndpoint>[0];

function ask(whenReady: () => Promise<unknown>): { clock: ManualClock; answer: Promise<JsonObject> } {
  const clock = new ManualClock();
  const surroundings = { clock, logger: silentLogger(), metrics: new RuntimeMetrics(clock) };
  const endpoint = conversionEndpoint(kinds, surroundings, { whenReady });
  const request = { uid: 'u', desiredAPIVersion: 'example.com/v2', objects: [object] };
  const review = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview', request };
  const body = new TextEncoder().encode(JSON.stringify(review));
  const answer = (async () => {
    const { signal } = new AbortController();
    const call = { method: 'POST', path: '/', query: new URLSearchParams(), contentType: '', body, signal };
    const { body: text } = await endpoint(call);
    return (JSON.parse(String(text)) as { response: JsonObject }).response;
  })();
  return { clock, answer };
}

it('converts only when what it needs is ready', async () => {
  let isReady = false;
  let becomeReady = (): void => {};
  const ready = new Promise<void>((resolve) => {
    becomeReady = () => {
      isReady = true;
      resolve();
    };
  });
  const { answer, clock } = ask(() => ready);
  const order: string[] = [];
  const done = answer.then((response) => {
    order.push(`answered, ${isReady ? 'ready' : 'too early'}`);
    return response;
  });
  becomeReady();
  expect(await done).toMatchObject({ convertedObjects: [{ apiVersion: 'example.com/v2' }] });
  expect(order).toEqual(['answered, ready']);
  expect(clock.pending).toBe(0);
});

it.each([
  ['what it needs is never ready', () => new Promise(() => {}), 'the converter was not ready within 10 s'],
  ['what it needs has failed', () => Promise.reject(new Error('no list')), 'no list'],
])('fails the review when %s', async (_name, whenReady, message) => {
  const { answer, clock } = ask(whenReady);
  await clock.advance(10_000);
  expect(await answer).toMatchObject({ uid: 'u', convertedObjects: [], result: { status: 'Failure', message } });
});

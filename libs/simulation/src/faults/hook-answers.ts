import type { WebhookAnswer } from '@capstan/apiserver';
import { errorText } from '@capstan/kube';

/** Answers a review with a review. */
export type HookHandler = (review: unknown) => unknown;

const encoder = new TextEncoder();

function answer(status: number, contentType: string, text: string, durationMs: number): WebhookAnswer {
  return { status, contentType, body: encoder.encode(text), durationMs };
}

/** The answer of a handler that does its work; one that throws is a fault of the webhook. */
export function handled(handler: HookHandler, review: unknown, durationMs: number): WebhookAnswer {
  try {
    return answer(200, 'application/json', JSON.stringify(handler(review)), durationMs);
  } catch (error) {
    return answer(500, 'text/plain', errorText(error), durationMs);
  }
}

export function refusedHook(url: string): WebhookAnswer {
  return { error: `Post "${url}": dial tcp: connect: connection refused`, isTimeout: false, durationMs: 0 };
}

export function lateHook(url: string, timeoutMs: number): WebhookAnswer {
  return { error: `Post "${url}": context deadline exceeded`, isTimeout: true, durationMs: timeoutMs };
}

const GARBAGE: readonly (readonly [number, string, string])[] = [
  [200, 'application/json', 'not JSON'],
  [200, 'application/json', '{}'],
  [200, 'application/json', '{"kind":"Nonsense","apiVersion":"example.com/v1","response":{"allowed":true}}'],
  [200, 'text/html', '<html>a page for people</html>'],
  [500, 'text/plain', 'internal error'],
  [404, 'text/plain', 'no such page'],
];

/** How many kinds of nonsense there are. */
export const GARBAGE_ANSWERS = GARBAGE.length;

export function garbageHook(which: number): WebhookAnswer {
  const [status, contentType, text] = GARBAGE[which % GARBAGE.length] ?? [200, '', ''];
  return answer(status, contentType, text, 1);
}

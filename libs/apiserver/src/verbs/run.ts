import { apiErrors, parseDuration } from '@capstan/meta';
import type { ApiResponse, Clock } from '@capstan/meta';
import { isLongRunning } from '../connect/long-running.js';
import { driveEffect } from '../registry/drive.js';
import { runFlow } from '../registry/effects.js';
import type { RequestInfo } from '../request/request-info.js';
import { plainResponse } from '../response/payload.js';
import type { WebhookCaller } from '../webhook/call.js';
import type { Call } from './context.js';
import { dispatch } from './dispatch.js';

/** How long a request may take that does not say. */
const DEFAULT_LIMIT_MS = 60_000;
const NANOS_PER_MS = 1_000_000n;

/** Runs a request to its end, or to the end of its time. */
export function runRequest(call: Call, webhooks: WebhookCaller | undefined): ApiResponse | Promise<ApiResponse> {
  const { core, info } = call;
  const time = { isOver: false };
  const result = runFlow(dispatch(call), async (effect) => {
    await driveEffect(core, effect, webhooks);
    // Nothing is written for somebody who has been told that it was not.
    if (time.isOver) throw apiErrors.requestTimeout();
  });
  return result instanceof Promise && !isLongRunning(info) ? within(core.clock, limitOf(info), result, time) : result;
}

/** The server's dispatcher has read it before: it makes sense. */
function limitOf({ query }: RequestInfo): number {
  const text = query.get('timeout') ?? '';
  const given = text === '' ? 0 : Number(parseDuration(text) / NANOS_PER_MS);
  return given > 0 ? Math.min(given, DEFAULT_LIMIT_MS) : DEFAULT_LIMIT_MS;
}

function within(
  clock: Clock,
  limitMs: number,
  result: Promise<ApiResponse>,
  time: { isOver: boolean },
): Promise<ApiResponse> {
  return new Promise((resolve, reject) => {
    const timer = clock.after(limitMs, () => {
      time.isOver = true;
      resolve(tooLate());
    });
    const settle =
      <T>(done: (value: T) => void) =>
      (value: T): void => {
        timer.cancel();
        done(value);
      };
    result.then(settle(resolve), settle(reject));
  });
}

/** Answered from outside the handlers, which is why it is a text and names no kind. */
function tooLate(): ApiResponse {
  const { metadata, status, message, reason, code } = apiErrors.requestTimeout().status;
  return plainResponse(504, `${JSON.stringify({ metadata, status, message, reason, details: {}, code })}\n`);
}

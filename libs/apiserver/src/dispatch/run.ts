import { apiErrors } from '@capstan/meta';
import type { ApiResponse, Clock } from '@capstan/meta';
import { isLongRunning } from '../connect/long-running.js';
import { driveEffect } from '../registry/drive.js';
import { runFlow } from '../registry/effects.js';
import { limitOf, tooLateText } from '../request/time-limit.js';
import { plainResponse } from '../response/payload.js';
import type { WebhookCaller } from '../webhook/call.js';
import type { Call } from '../verbs/context.js';
import { dispatch } from './dispatch.js';

/** How long a request may take that does not say. */
const DEFAULT_LIMIT_MS = 60_000;

/** Runs a request to its end, or to the end of its time. */
export function runRequest(call: Call, webhooks: WebhookCaller | undefined): ApiResponse | Promise<ApiResponse> {
  const { core, info, request } = call;
  const time = { isOver: false };
  const result = runFlow(dispatch(call), async (effect) => {
    await driveEffect(core, effect, webhooks);
    // Nothing is written for a client whose request has already been answered with a timeout.
    if (time.isOver) throw apiErrors.requestTimeout();
    // Long work is abandoned when the client has disconnected.
    if (effect.type === 'give-way' && request.signal?.aborted === true) throw apiErrors.requestTimeout();
  });
  if (!(result instanceof Promise) || isLongRunning(info)) return result;
  // The dispatcher has read it before: it makes sense.
  return within(core.clock, limitOf(info.query, DEFAULT_LIMIT_MS), result, time);
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
      resolve(plainResponse(504, tooLateText()));
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

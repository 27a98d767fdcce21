import { DeadlineExceeded, type Exchanged, type Post } from './exchange.js';
import { followed, type FollowedProgress } from './redirects.js';

/** As often as the real server's client retries after a Retry-After header. */
const MAX_RETRIES = 10;
const SECOND_MS = 1000;

/** Sends a request, and again for as long as the webhook is overloaded and sends Retry-After. */
export async function postWithRetries(post: Post, progress: FollowedProgress): Promise<Exchanged> {
  for (let retries = 0; ; retries += 1) {
    const answer = await followed(post, progress);
    const waitMs = waitAfter(answer);
    if (waitMs === undefined || retries === MAX_RETRIES) return answer;
    progress.isAnswered = false;
    const leftMs = post.deadline - performance.now();
    await new Promise((resolve) => void setTimeout(resolve, Math.min(waitMs, Math.max(0, leftMs))));
    if (waitMs >= leftMs) throw new DeadlineExceeded();
  }
}

/** Whether and when to come back; the date that the header may also be is not understood there. */
function waitAfter({ retryAfter, status }: Exchanged): number | undefined {
  if (status !== 429 && status < 500) return undefined;
  return /^[+-]?\d+$/.test(retryAfter) ? Math.max(0, Number(retryAfter)) * SECOND_MS : undefined;
}

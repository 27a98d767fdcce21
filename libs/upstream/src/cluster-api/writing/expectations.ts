import { sleep } from '@capstan/kube';
import type { Clock } from '@capstan/meta';

/** How long a watch may take to deliver what was just written. */
const LONGEST_WAIT_MS = 10_000;
const FIRST_LOOK_MS = 1;
const LONGEST_LOOK_MS = 500;

/** The watch did not deliver the write in time; to go on would be to act on stale state. */
export class StaleCache extends Error {
  override readonly name = 'StaleCache';
}

/** Waits until the cache has observed something, so that the next decision is based on it. */
export async function awaitCache(
  clock: Clock,
  what: string,
  isSeen: () => Promise<boolean>,
  signal?: AbortSignal,
): Promise<void> {
  const deadline = clock.monotonic() + LONGEST_WAIT_MS;
  for (let pause = FIRST_LOOK_MS; !(await isSeen()); pause = Math.min(2 * pause, LONGEST_LOOK_MS)) {
    if (clock.monotonic() >= deadline) throw new StaleCache(`the cache has not seen ${what} in time`);
    if ((await sleep(clock, pause, signal)) === 'aborted') throw new StaleCache(`stopped while waiting for ${what}`);
  }
}

/** Whether a version of an object is at least as new as another. */
export function isAtLeast(version: string | undefined, wanted: string | undefined): boolean {
  if (version === undefined || wanted === undefined) return version === wanted;
  return version.length === wanted.length ? version >= wanted : version.length > wanted.length;
}

/** How often something was done, and the first failure if there was one. */
export interface BatchOutcome {
  readonly done: number;
  readonly error: unknown;
}

/** Does something a number of times in batches of 1, 2, 4, …; a batch with a failure is the last: all would fail alike. */
export async function slowStart(count: number, act: (index: number) => Promise<unknown>): Promise<BatchOutcome> {
  let done = 0;
  let begun = 0;
  for (let size = Math.min(1, count); size > 0; size = Math.min(2 * size, count - begun)) {
    const batch = Array.from({ length: size }, (_, index) => act(begun + index));
    begun += size;
    const results = await Promise.allSettled(batch);
    const failed = results.find((result) => result.status === 'rejected');
    done += results.filter((result) => result.status === 'fulfilled').length;
    if (failed !== undefined) return { done, error: failed.reason };
  }
  return { done, error: undefined };
}

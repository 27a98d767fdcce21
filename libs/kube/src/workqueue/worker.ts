import { errorText } from '../runtime/logger.js';
import type { Logger } from '../runtime/logger.js';
import type { WorkQueue } from './workqueue.js';

/** What became of a key: done with, or to be tried again with growing or fixed delay. */
export type WorkResult = 'done' | 'retry' | { readonly afterMs: number };

export interface WorkerOptions<K> {
  readonly queue: WorkQueue<K>;
  readonly workers: number;
  /** A rejection counts as `retry` and is logged. */
  readonly handle: (key: K) => Promise<WorkResult>;
  readonly logger: Logger;
  /** Names the key in the log. */
  readonly describe: (key: K) => string;
}

/** Works the queue off until it is shut down. Resolves when the last worker has stopped. */
export async function runWorkers<K>(options: WorkerOptions<K>): Promise<void> {
  await Promise.all(Array.from({ length: options.workers }, () => runWorker(options)));
}

async function runWorker<K>({ queue, handle, logger, describe }: WorkerOptions<K>): Promise<void> {
  for (;;) {
    const key = await queue.get();
    if (key === undefined) return;
    let result: WorkResult;
    try {
      result = await handle(key);
    } catch (error) {
      logger.warn('work failed and will be tried again', { key: describe(key), error: errorText(error) });
      result = 'retry';
    }
    if (result === 'retry') queue.addRateLimited(key);
    else {
      queue.forget(key);
      if (result !== 'done') queue.addAfter(key, result.afterMs);
    }
    queue.done(key);
  }
}

import type { Client } from '@capstan/kube';
import type { Remaining } from './outcome.js';

/** Calls back once as soon as the remaining objects of some resource have all been seen to go. Gives the function that ends the watching. */
export function watchDepartures(
  client: Client,
  namespace: string,
  remaining: readonly Remaining[],
  onGone: () => void,
): () => void {
  const abort = new AbortController();
  const stop = (): void => abort.abort();
  for (const { resource, count, resourceVersion } of remaining) {
    if (!resource.verbs.includes('watch')) continue;
    let left = count;
    client.watch(resource, { namespace, resourceVersion, metadataOnly: true, signal: abort.signal }).then(
      (body) => {
        if (abort.signal.aborted) {
          body.stop();
          return;
        }
        abort.signal.addEventListener('abort', () => body.stop(), { once: true });
        body.start({
          frame: ({ type }) => {
            if (type !== 'DELETED' || abort.signal.aborted) return;
            left -= 1;
            if (left > 0) return;
            stop();
            onGone();
          },
          // The namespace is tried again in any case; the watch only makes it sooner.
          end: () => {},
        });
      },
      () => {},
    );
  }
  return stop;
}

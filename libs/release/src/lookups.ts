import { createHash } from 'node:crypto';
import type { Clock } from '@capstan/meta';

/** How long what a registry answered is used. */
export interface LookupOptions {
  readonly clock: Clock;
  /** How long a tag is taken to mean what it meant. Default 10 min; a digest means the same for ever. */
  readonly tagsLastMs?: number | undefined;
  /** Answers kept in memory. Default 64. */
  readonly mostKept?: number | undefined;
}

interface Known<T> {
  readonly answer: Promise<T>;
  readonly until: number;
}

const TAGS_LAST_MS = 600_000;
const MOST_KEPT = 64;

/** What registries answered about images: each is asked once, however many clients wait for the answer. */
export class RegistryLookups<T> {
  readonly #options: LookupOptions;
  /** By reference and pull secret: a client without access to an image must not get the answer of one that has it. */
  readonly #known = new Map<string, Known<T>>();

  constructor(options: LookupOptions) {
    this.#options = options;
  }

  /** The answer for a reference, read when it is not known, or no longer. */
  async of(
    reference: string,
    pullSecret: string | undefined,
    { read, signal }: { readonly read: () => Promise<T>; readonly signal: AbortSignal | undefined },
  ): Promise<T> {
    const { clock, mostKept = MOST_KEPT, tagsLastMs = TAGS_LAST_MS } = this.#options;
    const key = `${reference} ${pullSecret === undefined ? '' : createHash('sha256').update(pullSecret).digest('base64')}`;
    const known = this.#known.get(key);
    if (known !== undefined && known.until > clock.monotonic()) return abortable(known.answer, signal);
    // Not with the signal of one client: others may wait for the same answer.
    const answer = read();
    const until = reference.includes('@sha256:') ? Infinity : clock.monotonic() + tagsLastMs;
    keep(this.#known, { key, value: { answer, until }, most: mostKept });
    // A failure is not cached: the next lookup asks the registry again.
    answer.catch(() => this.#known.delete(key));
    return abortable(answer, signal);
  }
}

/** Adds a value to a map that drops its oldest one beyond a size. */
export function keep<T>(
  map: Map<string, T>,
  { key, most = MOST_KEPT, value }: { readonly key: string; readonly value: T; readonly most?: number | undefined },
): void {
  map.delete(key);
  map.set(key, value);
  const oldest = map.keys().next();
  if (map.size > most && oldest.done !== true) map.delete(oldest.value);
}

async function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  signal.throwIfAborted();
  const stop = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true, signal: stop.signal });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    stop.abort();
  }
}

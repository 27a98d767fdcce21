import type { Clock } from '@capstan/meta';
import type { Logger } from './logger.js';

/** What failed is logged at once, and while it goes on failing after so long, then after twice as long, and so on. */
const FIRST_WINDOW_MS = 10_000;
const LAST_WINDOW_MS = 600_000;
/** So many failures are distinguished at a time; those not seen for longest are forgotten. */
const MAX_KNOWN = 1_024;
/** Describes the failure, perhaps differently each time: the failure is the same. */
const VARYING = 'error';

interface Failure {
  windowMs: number;
  /** When it was logged last. */
  loggedAt: number;
  /** When it occurred last. */
  seenAt: number;
  /** How often it occurred since it was logged. */
  unlogged: number;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * A logger that logs a warning or an error that repeats (the same message with the same fields but `error`) once, then
 * ever less often, with how often it occurred meanwhile in `repeated`. Who retries need not think of the log.
 */
export function withoutRepeats(logger: Logger, clock: Pick<Clock, 'monotonic'>): Logger {
  const known = new Map<string, Failure>();
  const log =
    (level: 'error' | 'warn') =>
    (message: string, fields: Fields = {}): void => {
      const key = keyOf(level, message, fields);
      const repeated = occurred(known, key, clock.monotonic());
      if (repeated !== undefined) logger[level](message, repeated === 0 ? fields : { ...fields, repeated });
    };
  return {
    debug: (message, fields) => logger.debug(message, fields),
    info: (message, fields) => logger.info(message, fields),
    warn: log('warn'),
    error: log('error'),
  };
}

function keyOf(level: string, message: string, fields: Fields): string {
  return `${level} ${message} ${JSON.stringify({ ...fields, [VARYING]: undefined })}`;
}

/** How often it occurred unlogged, when it is to be logged now; undefined when it is not. */
function occurred(known: Map<string, Failure>, key: string, now: number): number | undefined {
  const failure = known.get(key);
  known.delete(key);
  // Who has been quiet for longer than the log has is failing again.
  if (failure === undefined || now - failure.seenAt > 2 * failure.windowMs) {
    known.set(key, { windowMs: FIRST_WINDOW_MS, loggedAt: now, seenAt: now, unlogged: 0 });
    for (const oldest of known.keys()) if (known.size > MAX_KNOWN) known.delete(oldest);
    return failure?.unlogged ?? 0;
  }
  known.set(key, failure);
  failure.seenAt = now;
  if (now - failure.loggedAt < failure.windowMs) {
    failure.unlogged += 1;
    return undefined;
  }
  const { unlogged } = failure;
  failure.loggedAt = now;
  failure.unlogged = 0;
  failure.windowMs = Math.min(2 * failure.windowMs, LAST_WINDOW_MS);
  return unlogged;
}

import { withoutRepeats } from '@capstan/kube/repeats';
import type { Logger } from '@capstan/kube';
import type { Io } from '../io.js';

/**
 * Lines of `time level message {fields}` on standard error. Without `verbose` only warnings and errors, and those that
 * repeat ever less often.
 */
export function lineLogger(io: Pick<Io, 'err'>, verbose: boolean): Logger {
  const line =
    (level: string) =>
    (message: string, fields?: Readonly<Record<string, unknown>>): void => {
      const tail = fields === undefined || Object.keys(fields).length === 0 ? '' : ` ${JSON.stringify(fields)}`;
      io.err(`${new Date().toISOString()} ${level} ${message}${tail}\n`);
    };
  const nothing = (): void => {};
  const all = { warn: line('WARN'), error: line('ERROR') };
  if (verbose) return { ...all, debug: line('DEBUG'), info: line('INFO') };
  return withoutRepeats({ ...all, debug: nothing, info: nothing }, { monotonic: () => performance.now() });
}

import type { Logger } from '@capstan/kube';
import type { Io } from '../io.js';

/** Lines of `time level message {fields}` on standard error; without `verbose` only warnings and errors. */
export function lineLogger(io: Io, verbose: boolean): Logger {
  const line =
    (level: string) =>
    (message: string, fields?: Readonly<Record<string, unknown>>): void => {
      const tail = fields === undefined || Object.keys(fields).length === 0 ? '' : ` ${JSON.stringify(fields)}`;
      io.err(`${new Date().toISOString()} ${level} ${message}${tail}\n`);
    };
  const nothing = (): void => {};
  return {
    debug: verbose ? line('DEBUG') : nothing,
    info: verbose ? line('INFO') : nothing,
    warn: line('WARN'),
    error: line('ERROR'),
  };
}

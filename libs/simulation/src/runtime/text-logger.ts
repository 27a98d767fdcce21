import type { Writable } from 'node:stream';
import { timestamp, withoutRepeats } from '@capstan/kube';
import type { Logger } from '@capstan/kube';
import type { Clock } from '@capstan/meta';

/** Writes each line as text: time, level, message, `key=value`. Below verbosity 4 without debug lines, and what repeats ever less often. */
export function textLogger(out: Writable, clock: Clock, verbosity = 0): Logger {
  const line =
    (level: string) =>
    (message: string, fields: Readonly<Record<string, unknown>> = {}): void => {
      if (out.writableEnded || out.destroyed) return;
      const pairs = Object.entries(fields).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
      out.write(`${[timestamp(clock), level, JSON.stringify(message), ...pairs].join(' ')}\n`);
    };
  const rest = { info: line('INFO'), warn: line('WARN'), error: line('ERROR') };
  if (verbosity >= 4) return { ...rest, debug: line('DEBUG') };
  return withoutRepeats({ ...rest, debug: () => undefined }, clock);
}

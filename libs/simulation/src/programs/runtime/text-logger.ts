import type { Writable } from 'node:stream';
import { timestamp } from '@capstan/kube';
import type { Logger } from '@capstan/kube';
import type { Clock } from '@capstan/meta';

/** Writes each line as text: time, level, message, `key=value`. Debug lines only from verbosity 4 on. */
export function textLogger(out: Writable, clock: Clock, verbosity = 0): Logger {
  const line =
    (level: string) =>
    (message: string, fields: Readonly<Record<string, unknown>> = {}): void => {
      if (out.writableEnded || out.destroyed) return;
      const pairs = Object.entries(fields).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
      out.write(`${[timestamp(clock), level, JSON.stringify(message), ...pairs].join(' ')}\n`);
    };
  const debug = verbosity >= 4 ? line('DEBUG') : (): void => undefined;
  return { debug, info: line('INFO'), warn: line('WARN'), error: line('ERROR') };
}

import type { Logger } from '@capstan/kube';
import type { JournalReport } from './data-journal.js';

/** Tells of a data directory that takes no writes once, and once of its recovery; `fields` say whose it is. */
export function logReport(logger: Logger, path: string, fields: Readonly<Record<string, unknown>> = {}): JournalReport {
  return {
    failed: (reason) =>
      logger.error(
        'cannot store writes, refusing them: make the disk of the data writable, then it goes on by itself',
        {
          ...fields,
          path,
          reason,
        },
      ),
    recovered: () => logger.warn('writes are stored again', { ...fields, path }),
  };
}

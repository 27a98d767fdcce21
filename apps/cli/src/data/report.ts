import type { Logger } from '@capstan/kube';
import type { JournalReport } from './data-journal.js';

/** Logs once that a data directory takes no writes, and once its recovery; `fields` name the directory's owner. */
export function logReport(logger: Logger, path: string, fields: Readonly<Record<string, unknown>> = {}): JournalReport {
  return {
    failed: (reason) =>
      logger.error(
        'cannot store writes, refusing them: make the disk of the data writable, then writes resume on their own',
        {
          ...fields,
          path,
          reason,
        },
      ),
    recovered: () => logger.warn('writes are stored again', { ...fields, path }),
  };
}

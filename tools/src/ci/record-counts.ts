import { appendFileSync } from 'node:fs';

import type { Counts } from './counts.js';
import { formatCounts } from './counts.js';

/** Prints the counts of a run and, where `CAPSTAN_COUNTS_FILE` names a file, adds them to it. */
export function recordCounts(counts: Counts): void {
  const line = formatCounts(counts);
  process.stdout.write(`\n${line}\n`);
  const file = process.env['CAPSTAN_COUNTS_FILE'];
  if (file !== undefined && file !== '') appendFileSync(file, `${line}\n`);
}

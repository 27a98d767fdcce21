import { readFileSync } from 'node:fs';

import { formatCounts, sumCounts } from './counts.js';

/* Prints the sum of the counts in a file: node tools/dist/ci/sum-counts.js FILE. Fails when it cannot, or when tests failed. */

const [file] = process.argv.slice(2);
if (file === undefined) {
  process.stderr.write('usage: node tools/dist/ci/sum-counts.js FILE\n');
  process.exitCode = 2;
} else {
  const counts = sumCounts(readFileSync(file, 'utf8'));
  process.stdout.write(`${formatCounts(counts)}\n`);
  process.exitCode = counts.failed === 0 && counts.passed > 0 ? 0 : 1;
}

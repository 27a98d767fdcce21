import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const HERE = dirname(fileURLToPath(import.meta.url));
const ROW = /^\| [^|]+ \| (?<what>[^|]+) \| `(?<file>[^`]+)` \| `(?<title>[^`]+)` \|$/u;
const LEAST_ROWS = 50;

const rows = readFileSync(join(HERE, 'README.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| Area'))
  .map((line) => ROW.exec(line)?.groups ?? { what: line, file: 'README.md', title: 'a row in four columns' });

it.each(rows)('a test shows: $what', ({ file = '', title = '' }) => {
  expect(readFileSync(join(HERE, file), 'utf8')).toContain(title);
});

it('the table has not lost its rows', () => {
  expect(rows.length).toBeGreaterThan(LEAST_ROWS);
});

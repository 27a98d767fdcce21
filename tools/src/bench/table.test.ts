import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { makeContext } from './context.js';
import { runSuite } from './run.js';
import { nginxPath } from './suites/proxy/nginx.js';
import { formatTable } from './table.js';

it('A yardstick that the machine lacks is named in its column, and the row has no ratio', async () => {
  const row = {
    name: 'small',
    unit: 'ms',
    better: 'lower',
    missing: 'nginx: not installed',
    run: () => 5,
  } as const;
  const results = await runSuite({ name: 'proxy', open: () => ({ rows: [row] }) }, makeContext(true), {});
  expect(formatTable(results).split('\n')[1]?.trimEnd()).toMatch(/^proxy\/small +5 ms +nginx: not installed +- +- +-$/);
});

it('The nginx that the path names first is taken, if it can be run', () => {
  const folders = ['data', 'program'].map((name) =>
    join(mkdtempSync(join(tmpdir(), `capstan-nginx-${name}-`)), 'nginx'),
  );
  const [data = '', program = ''] = folders;
  try {
    writeFileSync(data, '', { mode: 0o644 });
    writeFileSync(program, '', { mode: 0o755 });
    expect(nginxPath({ PATH: folders.map((file) => dirname(file)).join(delimiter) })).toBe(program);
  } finally {
    for (const file of folders) rmSync(dirname(file), { recursive: true });
  }
});

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { noCounts, sumCounts } from './counts.js';
import { recordCounts } from './record-counts.js';
import { presentRealKubes } from './real-versions.js';
import { explainMissingRealKube } from '../real-kube/index.js';

/*
 * Runs the suites that need a real kube-apiserver, on every version at hand:
 *     node tools/dist/ci/test-real.js [arguments of vitest]
 * Without any it says how to get one and how many tests were not run, and succeeds.
 */

const root = fileURLToPath(new URL('../../..', import.meta.url));

function vitest(args: readonly string[], countsFile?: string): { status: number; stdout: string } {
  // Its package exports no path to the program, so it is named where npm puts it.
  const runner = join(root, 'node_modules/vitest/vitest.mjs');
  const child = spawnSync(process.execPath, [runner, ...args, '--config', 'vitest.real.config.ts'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, CAPSTAN_COUNTS_FILE: countsFile ?? '' },
    stdio: countsFile === undefined ? ['ignore', 'pipe', 'inherit'] : 'inherit',
    maxBuffer: 64 * 1024 * 1024,
  });
  return { status: child.status ?? 1, stdout: child.stdout ?? '' };
}

function notRun(args: readonly string[]): number {
  const listed = vitest(['list', '--json', ...args]);
  if (listed.status !== 0) {
    process.stderr.write('test:real: the tests could not even be listed\n');
    return 1;
  }
  // The list is the last thing printed; a test file may print before it while it loads.
  const tests = JSON.parse(listed.stdout.slice(Math.max(0, listed.stdout.search(/^\[/m)))) as unknown[];
  process.stdout.write(`${explainMissingRealKube()}\n`);
  process.stdout.write(`real kube-apiserver: not run: cache cold (${tests.length} tests)\n`);
  recordCounts({ ...noCounts, skipped: tests.length });
  return 0;
}

function run(args: readonly string[], versions: readonly string[]): number {
  const dir = mkdtempSync(join(tmpdir(), 'capstan-counts-'));
  try {
    const countsFile = join(dir, 'counts');
    writeFileSync(countsFile, '');
    const { status } = vitest(['run', ...args], countsFile);
    const counts = sumCounts(readFileSync(countsFile, 'utf8'));
    const ran = counts.passed + counts.failed > 0;
    process.stdout.write(`real kube-apiserver: ${ran ? 'ran' : 'no test to run on'} ${versions.join(', ')}\n`);
    recordCounts(counts);
    return status;
  } finally {
    rmSync(dir, { recursive: true });
  }
}

function main(args: readonly string[]): number {
  const versions = presentRealKubes().map((each) => each.version.replace(/^v/, ''));
  return versions.length === 0 ? notRun(args) : run(args, versions);
}

process.exitCode = main(process.argv.slice(2));

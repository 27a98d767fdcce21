import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { noCounts } from './counts.js';
import { recordCounts } from './record-counts.js';
import { presentRealKubes } from './real-versions.js';
import { explainMissingRealKube } from '../real-kube/index.js';

/*
 * Runs the suites that need a real kube-apiserver, on every version at hand:
 *     node tools/dist/ci/test-real.js [arguments of vitest]
 * Without any it says how to get one and how many tests were not run, and succeeds.
 */

const root = fileURLToPath(new URL('../../..', import.meta.url));

function vitest(args: readonly string[], capture: boolean): { status: number; stdout: string } {
  // Its package exports no path to the program, so it is named where npm puts it.
  const runner = join(root, 'node_modules/vitest/vitest.mjs');
  const child = spawnSync(process.execPath, [runner, ...args], {
    cwd: root,
    encoding: 'utf8',
    stdio: capture ? ['ignore', 'pipe', 'inherit'] : 'inherit',
    maxBuffer: 64 * 1024 * 1024,
  });
  return { status: child.status ?? 1, stdout: child.stdout ?? '' };
}

function notRun(args: readonly string[]): number {
  const listed = vitest(['list', '--config', 'vitest.real.config.ts', '--json', ...args], true);
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

function main(args: readonly string[]): number {
  const versions = presentRealKubes().map((each) => each.version.replace(/^v/, ''));
  if (versions.length === 0) return notRun(args);
  const { status } = vitest(['run', '--config', 'vitest.real.config.ts', ...args], false);
  process.stdout.write(`real kube-apiserver: ran ${versions.join(', ')}\n`);
  return status;
}

process.exitCode = main(process.argv.slice(2));
